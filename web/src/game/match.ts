// The score of a match of two legs as a sentence.

import type { MatchScore } from "../rules.ts";
import { t } from "../texts.ts";

/** The points of the two players of a match. */
export interface Score {
  readonly leg: number;
  readonly legs: number;
  readonly players: readonly [string, string];
  readonly points: MatchScore["points"];
  /** Missing until all legs have been played. */
  readonly verdict?: Verdict;
}

interface Verdict {
  /** The winning player, or null for a drawn match. */
  readonly winner: MatchScore["leader"];
  readonly by: MatchScore["by"];
}

/** Returns the score as a sentence, with the winner once it is decided. */
export function scoreText({ leg, legs, players, points, verdict }: Score): string {
  const [first, second] = points.map((value) => String(value).replace(".5", "½").replace(/^0½/, "½")) as [string, string];
  const facts = { one: players[0], two: players[1], first, second };
  if (!verdict) return t("web.match.standing", { leg, legs, ...facts });
  return t(`web.match.${verdict.by}`, { winner: verdict.winner === null ? "" : players[verdict.winner], ...facts });
}
