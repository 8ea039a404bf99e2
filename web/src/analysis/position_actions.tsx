// Actions with a position: copy a link to it, or play on from it.

import { useEffect, useState } from "preact/hooks";
import { lastLevel, openNewGame } from "../new_game.ts";
import type { Side } from "../rules.ts";
import { LANGUAGE, t } from "../texts.ts";
import { copyText } from "../ui/text_export.ts";
import { variantQuery } from "../variants.ts";
import { START } from "./move_tree.ts";
import { addressOf, type Study } from "./study.ts";

interface Props {
  readonly study: Study;
  /** The position, which may be one that is being set up. */
  readonly position: string;
  readonly turn: Side | null;
}

export function PositionActions({ study, position, turn }: Props) {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => setMessage(null), [position]);
  const { id: variant, switches } = study.facts;
  const query = variantQuery(variant, switches, position);
  const copy = async () => {
    const link = location.origin + addressOf({ ...study, start: position, at: START });
    setMessage((await copyText(link)) ? t("web.analysis.copied") : link);
  };
  const play = () => {
    const opponent = { opponent: "computer", level: lastLevel(), side: turn ?? "attackers" } as const;
    void openNewGame({ variant, switches: { ...switches }, start: position, calls: "auto", ...opponent }, setMessage);
  };
  return (
    <section class="position-actions">
      <h2>{t("web.analysis.here")}</h2>
      <div class="buttons">
        <button type="button" onClick={() => void copy()}>
          {t("web.analysis.link")}
        </button>
        {turn && (
          <>
            <button type="button" onClick={play}>
              {t("web.analysis.play.computer")}
            </button>
            <a class="button" href={`/${LANGUAGE}/new?opponent=friend&${query}`}>
              {t("web.analysis.play.friend")}
            </a>
            <a class="button" href={`/${LANGUAGE}/table?${query}`}>
              {t("web.analysis.play.here")}
            </a>
          </>
        )}
      </div>
      <p role="status">{message}</p>
    </section>
  );
}
