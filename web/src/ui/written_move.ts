// Moves as pages write them. Records and addresses have the notation of the rules, `e5-e8xe9/f8`.

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
