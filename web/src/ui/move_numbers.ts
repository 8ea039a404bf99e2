// The numbers of moves: a move of each side has one number, as in the list of a game.

import type { Side } from "../rules.ts";

export interface MoveNumber {
  readonly number: number;
  /** Whether the side that began the game made the move. */
  readonly isFirst: boolean;
}

/** Returns the number of the move of a side. After a pass the other side moves again, under the next number. */
export function nextNumber(before: MoveNumber | null, side: Side, first: Side): MoveNumber {
  const isFirst = side === first;
  if (!before) return { number: 1, isFirst };
  return { number: before.number + (isFirst || !before.isFirst ? 1 : 0), isFirst };
}

/** Returns the numbers of all moves of a game, by the sides that made them. */
export function moveNumbers(sides: readonly Side[]): readonly MoveNumber[] {
  const numbers: MoveNumber[] = [];
  for (const side of sides) numbers.push(nextNumber(numbers.at(-1) ?? null, side, sides[0] ?? side));
  return numbers;
}

/** Returns how many numbers so many moves of both sides have. */
export function numbersOf(plies: number): number {
  return Math.ceil(plies / 2);
}

/** Formats a number: "4.", or "4. …" for the side that answers. */
export function numberText({ number, isFirst }: MoveNumber): string {
  return isFirst ? `${number}.` : `${number}.\u00a0…`;
}
