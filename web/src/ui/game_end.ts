// What the board shows at the end of a game: the road that the king has taken, the trap or the ring around him.

import type { Mark } from "../board/types.ts";
import { piecesOf, placeOf, sizeOf, squareName } from "../positions.ts";
import type { GameState } from "../rules.ts";

/** Returns the end of a game by an escape with the road that the king has taken. */
export function withRoadTaken(state: GameState): GameState {
  const { last } = state;
  return last && isEscape(state) ? { ...state, roads: [{ from: last.from, to: last.to }] } : state;
}

/** The reasons of an outcome with which the king has reached a goal. */
const ESCAPES: readonly string[] = ["corner", "edge"];

/** Checks whether the game is over by the king's escape with the last move. */
export function isEscape({ outcome, last }: GameState): boolean {
  return outcome?.winner === "defenders" && ESCAPES.includes(outcome.reason) && last?.piece === "king";
}

/** Returns marks on the trap or the ring that has closed around the king; none if the game ended otherwise. */
export function endMarks(state: GameState): readonly Mark[] {
  const { outcome, last } = state;
  const highlights = (squares: readonly string[]) => squares.map((square): Mark => ({ square, kind: "highlight" }));
  if (outcome?.reason === "enclosure") return highlights(ring(state));
  const king = outcome?.reason === "king_captured" ? last?.captures.find(({ piece }) => piece === "king") : undefined;
  return king ? [{ square: king.square, kind: "capture" }, ...highlights(king.by)] : [];
}

/** Returns the squares of the attackers that bound what the king's side can reach without a capture. */
function ring({ position, king }: GameState): readonly string[] {
  const size = sizeOf(position);
  const pieces = piecesOf(position);
  const reached = new Set(king ? [king] : []);
  const bounds = new Set<string>();
  for (const square of reached) {
    for (const next of neighbours(square, size)) {
      if (pieces.get(next)?.startsWith("attacker")) bounds.add(next);
      else reached.add(next);
    }
  }
  return [...bounds];
}

function neighbours(square: string, size: number): readonly string[] {
  const { file, rank } = placeOf(square);
  const places = [[0, 1], [1, 0], [0, -1], [-1, 0]].map(([across = 0, up = 0]) => ({ file: file + across, rank: rank + up }));
  return places.filter((one) => [one.file, one.rank].every((at) => at >= 0 && at < size)).map(squareName);
}
