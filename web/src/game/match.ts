// The score of a match of two legs, as `hnefi.match` counts it: a leg is worth one point, a drawn one half a point.

import type { Outcome } from "../rules.ts";
import type { Score } from "./source.ts";

export interface PlayedLeg {
  /** The player who has the attackers, 0 or 1. */
  readonly attackers: 0 | 1;
  /** Null while the leg goes on. */
  readonly outcome: Outcome | null;
  /** How many soldiers each side has captured. */
  readonly captures: { readonly attackers: number; readonly defenders: number };
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
export function verdictOn(legs: readonly PlayedLeg[], tieBreak: string): NonNullable<Score["verdict"]> {
  const winner = leader(pointsOf(legs));
  if (winner !== null) return { winner, by: "points" };
  const captures = sum(legs, (leg) => [leg.captures.attackers, leg.captures.defenders]);
  const captor = tieBreak === "captures" ? leader(captures) : null;
  return captor === null ? { winner: null, by: "drawn" } : { winner: captor, by: "captures" };
}

/** Adds up what the attackers and the defenders have in each leg, by player. */
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
