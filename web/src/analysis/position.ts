// A position while it is being set up: pieces by square, the side to move. The rules read its text.

import type { Piece, Side } from "../rules.ts";

export interface Position {
  readonly size: number;
  readonly pieces: ReadonlyMap<string, Piece>;
  readonly turn: Side;
}

const LETTERS: Readonly<Record<Piece, string>> = {
  attacker: "t",
  defender: "T",
  king: "K",
  attacker_commander: "c",
  attacker_knight: "n",
  defender_commander: "C",
  defender_knight: "N",
  attacker_renegade: "r",
  defender_renegade: "R",
};
const PIECES = Object.fromEntries(Object.entries(LETTERS).map(([piece, letter]) => [letter, piece as Piece]));

/** Takes a position text apart that the rules have written. */
export function positionOf(text: string, size: number): Position {
  const [rows = "", turn = "a"] = text.split(" ");
  const pieces = new Map<string, Piece>();
  rows.split("/").forEach((row, place) => {
    let file = 0;
    for (const part of row.match(/\d+|./g) ?? []) {
      const piece = PIECES[part];
      if (piece) pieces.set(nameAt(file, size - 1 - place), piece);
      file += piece ? 1 : part === "." ? 1 : Number(part);
    }
  });
  return { size, pieces, turn: turn === "d" ? "defenders" : "attackers" };
}

/** Writes the position as text. */
export function textOf({ size, pieces, turn }: Position): string {
  const rows = Array.from({ length: size }, (_, place) => rowText(size, pieces, size - 1 - place));
  return `${rows.join("/")} ${turn === "attackers" ? "a" : "d"} 0`;
}

function rowText(size: number, pieces: Position["pieces"], rank: number): string {
  let text = "";
  let gap = 0;
  for (let file = 0; file < size; file += 1) {
    const piece = pieces.get(nameAt(file, rank));
    if (!piece) {
      gap += 1;
      continue;
    }
    text += `${gap || ""}${LETTERS[piece]}`;
    gap = 0;
  }
  return `${text}${gap || ""}`;
}

function nameAt(file: number, rank: number): string {
  return `${String.fromCharCode(97 + file)}${rank + 1}`;
}

/** Puts a piece on a square; the king leaves the one where he was. Null clears the square. */
export function put(position: Position, square: string, piece: Piece | null): Position {
  const pieces = new Map(position.pieces);
  if (piece === "king") for (const [at, standing] of pieces) if (standing === "king") pieces.delete(at);
  if (piece) pieces.set(square, piece);
  else pieces.delete(square);
  return { ...position, pieces };
}

/** Moves a piece to another square, or off the board. */
export function carry(position: Position, from: string, to: string | null): Position {
  const piece = position.pieces.get(from);
  const lifted = put(position, from, null);
  return piece && to !== null ? put(lifted, to, piece) : lifted;
}
