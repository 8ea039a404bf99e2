// The geometry of the drawing: a square is 100 units wide, and a frame is around the squares. SVG elements as text.

import { placeOf, squareName } from "../positions.ts";

export const UNIT = 100;

export interface Point {
  readonly x: number;
  readonly y: number;
}

export class View {
  /** The size of a pixel in units. */
  readonly pixel: number;
  /** The font size of the coordinates: never too small to read. */
  readonly letter: number;
  readonly frame: number;

  constructor(readonly size: number, readonly flipped: boolean, readonly coordinates: boolean, widthPx: number) {
    let [pixel, letter, frame] = [1, 24, 52];
    // The frame and the size of a square depend on each other: two iterations are close enough.
    for (let step = 0; step < 2; step++) {
      pixel = widthPx > 0 ? (size * UNIT + 2 * frame) / widthPx : 1;
      letter = Math.max(24, 10.5 * pixel);
      frame = coordinates ? Math.max(52, 1.75 * letter) : Math.max(16, 3 * pixel);
    }
    [this.pixel, this.letter, this.frame] = [pixel, letter, frame];
  }

  /** The length of a side of the board without its frame. */
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

  /** Returns the square at a point of the drawing; null beside the board. */
  squareAt({ x, y }: Point): string | null {
    const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
    if (Math.min(column, row) < 0 || Math.max(column, row) >= this.size) return null;
    const far = this.size - 1;
    return squareName(this.flipped ? { file: far - column, rank: row } : { file: column, rank: far - row });
  }

  /** Returns the squares as the user sees them, row by row from the top. */
  rows(): string[][] {
    const line = Array.from({ length: this.size }, (_, k) => k);
    return line.map((row) =>
      line.map((column) => this.squareAt({ x: column * UNIT + 1, y: row * UNIT + 1 }) as string),
    );
  }
}

/** Formats a number with at most two digits after the point. */
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
