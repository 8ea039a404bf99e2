// The score of a match of two legs, as `hnefi.match` counts it: a leg is worth one point, a drawn one half a point.

import type { Outcome, Side } from "../rules.ts";
import { t } from "../texts.ts";

/** The points of the two players of a match. */
export interface Score {
  readonly leg: number;
  readonly legs: number;
  readonly players: readonly [string, string];
  readonly points: Pair;
  /** Missing until all legs have been played. */
  readonly verdict?: Verdict;
}

interface Verdict {
  /** The winning player, or null for a drawn match. */
  readonly winner: 0 | 1 | null;
  readonly by: "points" | "captures" | "drawn";
}

interface PlayedLeg {
  /** The player who has the attackers. */
  readonly attackers: 0 | 1;
  /** Null while the leg goes on. */
  readonly outcome: Outcome | null;
  /** How many soldiers each side has captured. */
  readonly captures: Readonly<Record<Side, number>>;
}

type Pair = readonly [number, number];

/** Returns the points of the two players so far. */
export function pointsOf(legs: readonly PlayedLeg[]): Pair {
  return sum(legs, ({ outcome }) => {
    if (!outcome) return [0, 0];
    if (!outcome.winner) return [0.5, 0.5];
    return outcome.winner === "attackers" ? [1, 0] : [0, 1];
  });
}

/** Decides a finished match: by points, then by captures if the variant breaks ties by them; else it is drawn. */
export function verdictOn(legs: readonly PlayedLeg[], tieBreak: string): Verdict {
  const winner = leader(pointsOf(legs));
  if (winner !== null) return { winner, by: "points" };
  const captures = sum(legs, (leg) => [leg.captures.attackers, leg.captures.defenders]);
  const captor = tieBreak === "captures" ? leader(captures) : null;
  return captor === null ? { winner: null, by: "drawn" } : { winner: captor, by: "captures" };
}

/** Adds up, by player, what the attackers and the defenders have in each leg. */
function sum(legs: readonly PlayedLeg[], bySide: (leg: PlayedLeg) => Pair): Pair {
  return legs.reduce<Pair>(
    ([first, second], leg) => {
      const [attackers, defenders] = bySide(leg);
      return leg.attackers === 0 ? [first + attackers, second + defenders] : [first + defenders, second + attackers];
    },
    [0, 0],
  );
}

function leader([first, second]: Pair): 0 | 1 | null {
  return first === second ? null : first > second ? 0 : 1;
}

/** Returns the score as a sentence, with the winner once it is decided. */
export function scoreText({ leg, legs, players, points, verdict }: Score): string {
  const [first, second] = points.map((value) => String(value).replace(".5", "½").replace(/^0½/, "½")) as [string, string];
  const facts = { one: players[0], two: players[1], first, second };
  if (!verdict) return t("web.match.standing", { leg, legs, ...facts });
  return t(`web.match.${verdict.by}`, { winner: verdict.winner === null ? "" : players[verdict.winner], ...facts });
}
