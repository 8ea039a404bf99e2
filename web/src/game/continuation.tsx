// Continues from a position of a game: against the computer, for two at this device, or in the analysis.

import { pageAddress } from "../addresses.ts";
import type { Side } from "../rules.ts";
import { t } from "../texts.ts";
import { variantQuery } from "../variants.ts";
import { entriesOf, now } from "./played_game.ts";
import { linkedMoves, replayQuery } from "./replay_link.ts";
import type { GameSetup, Snapshot } from "./source.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly setup: GameSetup;
  /** The id of the game: its analysis is a study of its own. */
  readonly game: string;
  /** When it was played, as records have it. */
  readonly date: string;
  readonly at: number;
  /** The side that the user had in the game. */
  readonly side: Side | null;
  readonly level: number;
}

export function Continuation({ snapshot, setup, game, date, at, side, level }: Props) {
  const { variant } = setup;
  // No side is to move where the rules have ended the game.
  const { position, turn } = snapshot.line.games[at]?.state ?? { position: "", turn: null };
  const query = variantQuery(variant, setup, position);
  // Each leg is a game.
  const study = new URLSearchParams({ study: `${game}.${snapshot.legs?.shown ?? snapshot.score?.leg ?? 1}` });
  const { attackers, defenders } = snapshot.seats;
  const players = [attackers.recordName, defenders.recordName] as const;
  const replay = replayQuery({ players, date, calls: snapshot.facts.calls ? snapshot.mode : "off", ended: now(snapshot.line).state.outcome });
  const opponent = new URLSearchParams({ side: side ?? turn ?? "", level: `${level}`, calls: snapshot.mode });
  return (
    <div class="continuation">
      {turn ? <p>{t("web.onward")}</p> : <p class="progress">{t("web.onward.where")}</p>}
      <div class="buttons">
        {turn && (
          <>
            <a class="button" href={pageAddress(`computer?${query}&${opponent}`)}>
              {t("web.onward.computer")}
            </a>
            <a class="button" href={pageAddress(`table?${query}`)}>
              {t("web.onward.here")}
            </a>
          </>
        )}
        <a class="button" href={pageAddress(`analysis?${variantQuery(variant, setup, setup.start)}&${study}&${replay}#${linkedMoves(entriesOf(snapshot.line))}`)}>
          {t("web.action.analyse")}
        </a>
      </div>
    </div>
  );
}
