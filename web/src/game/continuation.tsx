// Continues from a position of a game: against the computer, for two at this device, or in the analysis.

import { useState } from "preact/hooks";
import { openNewGame } from "../new_game.ts";
import type { Side } from "../rules.ts";
import { LANGUAGE, t } from "../texts.ts";
import { variantQuery } from "../variants.ts";
import { plies } from "./played_game.ts";
import type { GameSetup, Snapshot } from "./source.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly setup: GameSetup;
  readonly at: number;
  /** The side that the user had in the game. */
  readonly side: Side | null;
  readonly level: number;
}

export function Continuation({ snapshot, setup, at, side, level }: Props) {
  const [failure, setFailure] = useState<string | null>(null);
  const { variant, switches } = setup;
  const state = snapshot.line.games[at]?.state;
  const moves = plies(snapshot.line).map(({ from, to }) => `${from}-${to}`);
  const analysisLink = (
    <a class="button" href={`/${LANGUAGE}/analysis?${variantQuery(variant, switches, setup.start)}#${moves.join(".")}`}>
      {t("web.action.analyse")}
    </a>
  );
  // No side is to move where the rules have ended the game.
  if (!state?.turn) {
    return (
      <div class="continuation">
        <p class="progress">{t("web.onward.where")}</p>
        <div class="buttons">{analysisLink}</div>
      </div>
    );
  }
  const { position, turn } = state;
  const play = () => {
    const opponent = { opponent: "computer", level, side: side ?? turn } as const;
    const request = { variant, switches: { ...switches }, start: position, calls: snapshot.mode, ...opponent };
    void openNewGame(request, setFailure);
  };
  return (
    <div class="continuation">
      <p>{t("web.onward")}</p>
      <div class="buttons">
        <button type="button" onClick={play}>
          {t("web.onward.computer")}
        </button>
        <a class="button" href={`/${LANGUAGE}/table?${variantQuery(variant, switches, position)}`}>
          {t("web.onward.here")}
        </a>
        {analysisLink}
      </div>
      {failure && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
