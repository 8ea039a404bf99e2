// Where things are in the drawing: a square is 100 units wide, and the frame is around the squares.

import type { Piece } from "../rules.ts";

export const UNIT = 100;

/** A file and a rank, both counted from 0. */
interface Place {
  readonly file: number;
  readonly rank: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function nameOf({ file, rank }: Place): string {
  return String.fromCharCode(97 + file) + (rank + 1);
}

/** Reads the name of a square; its caller knows that it is one. */
export function placeOf(square: string): Place {
  return { file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 };
}

/** The pieces of a position text, by square. */
export function piecesOf(position: string): Map<string, Piece> {
  const rows = (position.split(" ")[0] ?? "").split("/");
  const pieces = new Map<string, Piece>();
  rows.forEach((row, fromTop) => {
    let file = 0;
    for (const [sign] of row.matchAll(/\d+|./g)) {
      const piece = PIECES[sign];
      if (piece) pieces.set(nameOf({ file, rank: rows.length - 1 - fromTop }), piece);
      file += piece || sign === "." ? 1 : Number(sign);
    }
  });
  return pieces;
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

/** The squares on a straight line from one to another, the first left out; none off line. */
export function between(from: string, to: string): string[] {
  const [a, b] = [placeOf(from), placeOf(to)];
  const [across, up] = [Math.sign(b.file - a.file), Math.sign(b.rank - a.rank)];
  if ((across === 0) === (up === 0)) return [];
  const steps = Math.abs(b.file - a.file) + Math.abs(b.rank - a.rank);
  return Array.from({ length: steps }, (_, k) => nameOf({ file: a.file + across * (k + 1), rank: a.rank + up * (k + 1) }));
}

export class View {
  /** The size of a pixel in units. */
  readonly pixel: number;
  /** The size of the coordinates: never below what can be read. */
  readonly letter: number;
  readonly frame: number;

  readonly size: number;
  readonly flipped: boolean;
  readonly coordinates: boolean;

  constructor(size: number, flipped: boolean, coordinates: boolean, widthPx: number) {
    [this.size, this.flipped, this.coordinates] = [size, flipped, coordinates];
    let [pixel, letter, frame] = [1, 24, 52];
    // The frame depends on the size of a square, which depends on the frame: two steps settle it.
    for (let step = 0; step < 2; step++) {
      pixel = widthPx > 0 ? (size * UNIT + 2 * frame) / widthPx : 1;
      letter = Math.max(24, 10.5 * pixel);
      frame = coordinates ? Math.max(52, 1.75 * letter) : Math.max(16, 3 * pixel);
    }
    [this.pixel, this.letter, this.frame] = [pixel, letter, frame];
  }

  /** The side of the squares together. */
  get side(): number {
    return this.size * UNIT;
  }

  corner(square: string): Point {
    const { file, rank } = placeOf(square);
    const far = this.size - 1;
    return this.flipped
      ? { x: (far - file) * UNIT, y: rank * UNIT }
      : { x: file * UNIT, y: (far - rank) * UNIT };
  }

  centre(square: string): Point {
    const { x, y } = this.corner(square);
    return { x: x + UNIT / 2, y: y + UNIT / 2 };
  }

  /** The square at a point of the drawing, null beside the board. */
  squareAt({ x, y }: Point): string | null {
    const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
    if (Math.min(column, row) < 0 || Math.max(column, row) >= this.size) return null;
    const far = this.size - 1;
    return nameOf(this.flipped ? { file: far - column, rank: row } : { file: column, rank: far - row });
  }

  /** The squares as one sees them, row by row from the top. */
  rows(): string[][] {
    const line = Array.from({ length: this.size }, (_, k) => k);
    return line.map((row) =>
      line.map((column) => this.squareAt({ x: column * UNIT + 1, y: row * UNIT + 1 }) as string),
    );
  }
}

/** A number as it stands in a drawing: two digits after the point are enough. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function path(kind: string, d: string, more = ""): string {
  return d && `<path class="${kind}" d="${d}"${more}/>`;
}

export function circle(kind: string, { x, y }: Point, radius: number): string {
  return `<circle class="${kind}" cx="${n(x)}" cy="${n(y)}" r="${n(radius)}"/>`;
}

export function rectangle(kind: string, x: number, y: number, width: number, height: number, radius = 0): string {
  const size = `width="${n(width)}" height="${n(height)}"`;
  return `<rect class="${kind}" x="${n(x)}" y="${n(y)}" ${size}${radius ? ` rx="${n(radius)}"` : ""}/>`;
}
