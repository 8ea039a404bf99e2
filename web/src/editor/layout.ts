// What is done to a start position and to camps while they are being set up.

import type { Piece } from "../rules.ts";
import { type Position, positionOf, textOf } from "../analysis/position.ts";

/** Takes the rows of a start position apart; what is no position is an empty board. */
export function layoutOf(rows: string, size: number): Position {
  return positionOf(`${rows.trim().replace(/\s+/g, "/")} a 0`, size);
}

export function rowsOf(position: Position): string {
  return textOf(position).split(" ")[0] ?? "";
}

/** Does on all images of a square what was done on it; there is only one king. */
export function mirrored(before: Position, after: Position): Position {
  const pieces = new Map(after.pieces);
  const squares = new Set([...before.pieces.keys(), ...after.pieces.keys()]);
  for (const square of squares) {
    const [was, is] = [before.pieces.get(square), after.pieces.get(square)];
    if (was === is || is === "king" || was === "king") continue;
    for (const image of imagesOf(square, after.size)) set(pieces, image, is);
  }
  return { ...after, pieces };
}

function set(pieces: Map<string, Piece>, square: string, piece: Piece | undefined): void {
  if (pieces.get(square) === "king") return;
  if (piece) pieces.set(square, piece);
  else pieces.delete(square);
}

/** The squares that a square is turned and mirrored to, itself among them. */
export function imagesOf(square: string, size: number): ReadonlySet<string> {
  const [file, rank] = placeOf(square);
  const images = new Set<string>();
  for (const [x, y] of [
    [file, rank],
    [rank, file],
  ] as const) {
    for (const across of [x, size - 1 - x]) for (const up of [y, size - 1 - y]) images.add(nameOf(across, up));
  }
  return images;
}

function placeOf(square: string): readonly [number, number] {
  return [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
}

function nameOf(file: number, rank: number): string {
  return `${String.fromCharCode(97 + file)}${rank + 1}`;
}

type Camps = readonly (readonly string[])[];

/** Puts squares into the camps, or takes them out where the first of them is in one. */
export function toggled(camps: Camps, squares: readonly string[]): Camps {
  const isIn = camps.some((camp) => camp.includes(squares[0] ?? ""));
  let changed = camps.map((camp) => camp.filter((square) => !squares.includes(square)));
  if (!isIn) for (const square of squares) changed = joined(changed, square);
  return changed.filter((camp) => camp.length > 0);
}

/** Adds a square to the camps that it touches, which become one. */
function joined(camps: readonly string[][], square: string): string[][] {
  const [file, rank] = placeOf(square);
  const isBeside = (other: string): boolean => {
    const [x, y] = placeOf(other);
    return Math.abs(x - file) + Math.abs(y - rank) === 1;
  };
  const touching = camps.filter((camp) => camp.some(isBeside));
  return [...camps.filter((camp) => !touching.includes(camp)), [...touching.flat(), square].sort()];
}

/** The camps as a switch. */
export function campsText(camps: Camps): string {
  return camps.map((camp) => camp.join(" ")).join("/") || "none";
}
