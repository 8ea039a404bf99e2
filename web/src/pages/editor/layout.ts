// Changes to a start position and to camps in the rules editor.

import { formatPosition, parsePosition, placeOf, type Position, squareName } from "../../positions.ts";
import type { Piece } from "../../rules.ts";

/** A start position to choose from. */
export interface KnownLayout {
  readonly rows: string;
  readonly name: string;
}

/** Parses the rows of a start position. Faulty rows give an empty board. */
export function layoutOf(rows: string, size: number): Position {
  return parsePosition(`${rows.trim().replace(/\s+/g, "/")} a 0`, size);
}

export function rowsOf(position: Position): string {
  return formatPosition(position).split(" ")[0] ?? "";
}

/**
 * Repeats a change on all images of the changed squares, but not for the king. A move is only rotated where its squares
 * have not equally many images: it makes no new pieces.
 */
export function mirrored(before: Position, after: Position): Position {
  const pieces = new Map(after.pieces);
  const isKept = (square: string) => [before, after].every((one) => one.pieces.get(square) !== "king");
  const squares = [...new Set([...before.pieces.keys(), ...after.pieces.keys()])].filter(
    (square) => before.pieces.get(square) !== after.pieces.get(square) && isKept(square),
  );
  const images = squares.map((square) => imagesOf(square, after.size));
  const isRotated = squares.length === 2 && images[0]?.size !== images[1]?.size;
  // What is taken away comes first: a move may lead to an image of where it began.
  for (const isTaken of [true, false]) for (const [index, square] of squares.entries()) {
    const piece = after.pieces.get(square);
    if (isTaken === (piece !== undefined)) continue;
    for (const image of isRotated ? rotationsOf(square, after.size) : (images[index] ?? [])) set(pieces, image, piece);
  }
  return { ...after, pieces };
}

function set(pieces: Map<string, Piece>, square: string, piece: Piece | undefined): void {
  if (pieces.get(square) === "king") return;
  if (piece) pieces.set(square, piece);
  else pieces.delete(square);
}

function rotationsOf(square: string, size: number): readonly string[] {
  const { file, rank } = placeOf(square);
  const last = size - 1;
  const places = [[file, rank], [rank, last - file], [last - file, last - rank], [last - rank, file]] as const;
  return places.map(([x, y]) => squareName({ file: x, rank: y }));
}

/** Returns the images of a square under rotation and reflection, itself included. */
export function imagesOf(square: string, size: number): ReadonlySet<string> {
  const { file, rank } = placeOf(square);
  const images = new Set<string>();
  for (const [x, y] of [
    [file, rank],
    [rank, file],
  ] as const) {
    for (const across of [x, size - 1 - x]) for (const up of [y, size - 1 - y]) {
      images.add(squareName({ file: across, rank: up }));
    }
  }
  return images;
}

type Camps = readonly (readonly string[])[];

/** Adds squares to the camps, or removes them if the first of them is in one. */
export function toggled(camps: Camps, squares: readonly string[]): Camps {
  const isIn = camps.some((camp) => camp.includes(squares[0] ?? ""));
  let changed = camps.map((camp) => camp.filter((square) => !squares.includes(square)));
  if (!isIn) for (const square of squares) changed = joined(changed, square);
  return changed.filter((camp) => camp.length > 0);
}

/** Adds a square. The camps that it touches become one camp. */
function joined(camps: readonly string[][], square: string): string[][] {
  const { file, rank } = placeOf(square);
  const isAdjacent = (other: string): boolean => {
    const place = placeOf(other);
    return Math.abs(place.file - file) + Math.abs(place.rank - rank) === 1;
  };
  const touching = camps.filter((camp) => camp.some(isAdjacent));
  return [...camps.filter((camp) => !touching.includes(camp)), [...touching.flat(), square].sort()];
}

/** Formats camps as the value of their switch. */
export function campsText(camps: Camps): string {
  return camps.map((camp) => camp.join(" ")).join("/") || "none";
}
