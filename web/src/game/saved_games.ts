// The games that this browser keeps, for two at one device or against the computer: they survive a reload and work offline.

import type { Shape } from "../board/types.ts";
import type { Outcome, Side } from "../rules.ts";
import { store, stored } from "../storage.ts";
import { inPageLanguage, type VariantFacts } from "../variants.ts";
import type { CallMode, Played } from "./played_game.ts";

export interface SavedLeg {
  /** The player who has the attackers. */
  readonly attackers: 0 | 1;
  readonly played: readonly Played[];
  /** How the players ended it, if they did. */
  readonly ended: Outcome | null;
}

/** The computer that plays as player 1. */
export interface SavedComputer {
  /** From 1 to 10. */
  readonly level: number;
  /** Whether the server chooses its moves, because this device is too slow or cannot. */
  readonly isRemote?: boolean;
}

export interface SavedGame {
  readonly id: string;
  readonly facts: VariantFacts;
  readonly mode: CallMode;
  readonly start: string | null;
  readonly legs: readonly SavedLeg[];
  readonly legCount: number;
  /** The names of the players; empty texts for those who gave none. */
  readonly names?: readonly [string, string];
  /** Missing in games for two. */
  readonly computer?: SavedComputer;
  /** As it stands; missing in games saved long ago. */
  readonly position?: string;
  /** Its board; missing in games saved earlier. */
  readonly shape?: Shape;
  /** How its last leg ended; missing while it can go on. */
  readonly outcome?: Outcome;
  /** When it was saved, in milliseconds since 1970. */
  readonly at: number;
}

const KEY = "hnefi.tables";
const MOST_GAMES = 30;

/** Returns all saved games in the language of the page, the latest first. */
export function savedGames(): readonly SavedGame[] {
  return stored<SavedGame[]>(KEY, []).map((game) => ({ ...game, facts: inPageLanguage(game.facts) }));
}

/** Returns the games against the computer that were won, the latest first. */
export function wonGames(): readonly SavedGame[] {
  return savedGames().filter((game) => game.computer && game.outcome?.winner === sideOfUser(game));
}

/** Returns the side that player 0 has in the last leg: the user, in a game against the computer. */
export function sideOfUser({ legs }: SavedGame): Side {
  return legs.at(-1)?.attackers === 0 ? "attackers" : "defenders";
}

export function savedGame(id: string): SavedGame | null {
  return savedGames().find((game) => game.id === id) ?? null;
}

/** Saves a game, and drops the oldest ones beyond the limit. Returns false if the browser refuses. */
export function saveGame(game: SavedGame): boolean {
  const others = savedGames().filter((one) => one.id !== game.id);
  return store(KEY, [game, ...others].slice(0, MOST_GAMES));
}

/** Calls the listener when another tab has saved the game with the id that is current then. */
export function onGameSaved(id: () => string, listener: (game: SavedGame) => void): void {
  addEventListener("storage", ({ key }) => {
    const game = key === KEY ? savedGame(id()) : null;
    if (game) listener(game);
  });
}

export function deleteGame(id: string): void {
  store(KEY, savedGames().filter((game) => game.id !== id));
}
