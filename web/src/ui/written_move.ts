// Moves as pages write them. Records and addresses have the notation of the rules, `e5-e8xe9/f8`.

import type { Game } from "../rules.ts";
import { t } from "../texts.ts";

/** Formats a move with a dash between its squares: `e5–e8 ×e9 f8`. */
export function writtenMove(move: string): string {
  const [squares = "", captures] = move.split("x", 2);
  const written = squares.replace("-", "–");
  return captures ? `${written} ×${captures.replaceAll("/", " ")}` : written;
}

/** Formats a move without its captures: `e5–e8`. */
export function withoutCaptures(move: string): string {
  return writtenMove(move.split("x", 1)[0] ?? move);
}

/** Formats the moves of a line from a position, those of the king with his letter: `K e5–e8 ×e9`. */
export function writtenLine({ state }: Game, moves: readonly string[]): readonly string[] {
  let king = state.king;
  return moves.map((move) => {
    const [from, to = null] = move.split(/[-x]/);
    if (from !== king) return writtenMove(move);
    king = to;
    return `${t("web.king.letter")} ${writtenMove(move)}`;
  });
}

/** Formats a move in a position, with the letter of the king. */
export function moveText(game: Game, move: string): string {
  return writtenLine(game, [move]).join();
}
