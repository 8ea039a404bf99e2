// Actions with a position: copy a link to it, with the moves that led to it, or play on from it.

import { useEffect, useState } from "preact/hooks";
import { HAS_SERVER, pageAddress, sharedAddress } from "../../addresses.ts";
import { lastLevel } from "../../new_game.ts";
import type { Side } from "../../rules.ts";
import { t } from "../../texts.ts";
import { copyText } from "../../ui/text_export.ts";
import { variantQuery } from "../../variants.ts";
import { START } from "./move_tree.ts";
import { addressOf, type Study } from "./study.ts";

interface Props {
  readonly study: Study;
  /** The position, which may be one that is being set up. */
  readonly position: string;
  readonly turn: Side | null;
  /** The address that shows it; one with nothing but the position by default. */
  readonly link?: string;
}

export function PositionActions({ study, position, turn, link }: Props) {
  const [message, setMessage] = useState<string | null>(null);
  useEffect(() => setMessage(null), [position]);
  const query = variantQuery(study.facts.id, study.facts, position);
  const copy = async () => {
    const address = sharedAddress(link ?? addressOf({ ...study, id: "", start: position, at: START }));
    setMessage((await copyText(address)) ? t("web.analysis.copied") : address);
  };
  const opponent = new URLSearchParams({ side: turn ?? "attackers", level: `${lastLevel()}` });
  return (
    <section class="position-actions">
      <h2>{t("web.analysis.here")}</h2>
      <div class="buttons">
        <button type="button" onClick={() => void copy()}>
          {t("web.analysis.link")}
        </button>
        {turn && (
          <>
            <a class="button" href={pageAddress(`computer?${query}&${opponent}`)}>
              {t("web.analysis.play.computer")}
            </a>
            {HAS_SERVER && (
              <a class="button" href={pageAddress(`new?opponent=friend&${query}`)}>
                {t("web.analysis.play.friend")}
              </a>
            )}
            <a class="button" href={pageAddress(`table?${query}`)}>
              {t("web.analysis.play.here")}
            </a>
          </>
        )}
      </div>
      <p role="status">{message}</p>
    </section>
  );
}
