// The first game against the computer that was won in this browser: the last peg of the path of lessons.

import { storedText, storeText } from "./storage.ts";

const KEY = "hnefi.first_win";

/** Returns the id of the game, or null. */
export function firstWin(): string | null {
  return storedText(KEY);
}

/** Stores a game as the first that was won, unless another was before. */
export function storeFirstWin(game: string): void {
  if (firstWin() === null) storeText(KEY, game);
}
