// Squares by name, position texts, and positions that are being set up, which the rules validate.

import type { Piece, Side } from "./rules.ts";

/** A file and a rank, both counted from 0. */
interface Place {
  readonly file: number;
  readonly rank: number;
}

export interface Position {
  readonly size: number;
  readonly pieces: ReadonlyMap<string, Piece>;
  readonly turn: Side;
}

const PIECES: Readonly<Record<string, Piece>> = {
  t: "attacker",
  T: "defender",
  K: "king",
  c: "attacker_commander",
  n: "attacker_knight",
  C: "defender_commander",
  N: "defender_knight",
  r: "attacker_renegade",
  R: "defender_renegade",
};

export function squareName({ file, rank }: Place): string {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/** Parses the name of a square, without checking it. */
export function placeOf(square: string): Place {
  return { file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 };
}

/** Returns the squares on a straight line after one square up to another; none if they are not in line. */
export function squaresTo(from: string, to: string): string[] {
  const [a, b] = [placeOf(from), placeOf(to)];
  const [across, up] = [Math.sign(b.file - a.file), Math.sign(b.rank - a.rank)];
  if ((across === 0) === (up === 0)) return [];
  const steps = Math.abs(b.file - a.file) + Math.abs(b.rank - a.rank);
  return Array.from({ length: steps }, (_, k) => squareName({ file: a.file + across * (k + 1), rank: a.rank + up * (k + 1) }));
}

/** Returns the number of rows of a position text. */
export function sizeOf(position: string): number {
  return (position.split(" ")[0] ?? "").split("/").length;
}

/** Returns the pieces of a position text by square. Rows are counted from the top, those of `size` if it is given. */
export function piecesOf(position: string, size?: number): Map<string, Piece> {
  const rows = (position.split(" ")[0] ?? "").split("/");
  const pieces = new Map<string, Piece>();
  rows.forEach((row, fromTop) => {
    let file = 0;
    for (const [sign] of row.matchAll(/\d+|./g)) {
      const piece = PIECES[sign];
      if (piece) pieces.set(squareName({ file, rank: (size ?? rows.length) - 1 - fromTop }), piece);
      file += piece || sign === "." ? 1 : Number(sign);
    }
  });
  return pieces;
}

/** Parses a position text that the rules have written. */
export function parsePosition(text: string, size: number): Position {
  return { size, pieces: piecesOf(text, size), turn: text.split(" ")[1] === "d" ? "defenders" : "attackers" };
}

/** Formats a position as text. */
export function formatPosition({ size, pieces, turn }: Position): string {
  const rows = Array.from({ length: size }, (_, fromTop) => formatRow(size, pieces, size - 1 - fromTop));
  return `${rows.join("/")} ${turn === "attackers" ? "a" : "d"} 0`;
}

function formatRow(size: number, pieces: Position["pieces"], rank: number): string {
  let text = "";
  let gap = 0;
  for (let file = 0; file < size; file += 1) {
    const piece = pieces.get(squareName({ file, rank }));
    if (!piece) {
      gap += 1;
      continue;
    }
    text += `${gap || ""}${letterOf(piece)}`;
    gap = 0;
  }
  return `${text}${gap || ""}`;
}

function letterOf(piece: Piece): string {
  return Object.keys(PIECES).find((letter) => PIECES[letter] === piece) ?? "";
}

/** Puts a piece on a square, or clears the square if null. There is only one king: he leaves his square. */
export function withPiece(position: Position, square: string, piece: Piece | null): Position {
  const pieces = new Map(position.pieces);
  if (piece === "king") for (const [at, standing] of pieces) if (standing === "king") pieces.delete(at);
  if (piece) pieces.set(square, piece);
  else pieces.delete(square);
  return { ...position, pieces };
}

/** Moves a piece to another square, or off the board if null. */
export function withPieceMoved(position: Position, from: string, to: string | null): Position {
  const piece = position.pieces.get(from);
  const lifted = withPiece(position, from, null);
  return piece && to !== null ? withPiece(lifted, to, piece) : lifted;
}
