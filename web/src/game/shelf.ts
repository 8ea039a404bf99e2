// The games of this browser, kept in its own storage: they are there again after a reload, and without a network.

import type { GameFacts } from "./facts.ts";
import type { CallMode, Played } from "./line.ts";
import type { Outcome } from "../rules.ts";

export interface KeptLeg {
  /** Which player has the attackers. */
  readonly attackers: 0 | 1;
  readonly played: readonly Played[];
  /** How it ended, if the players ended it. */
  readonly ended: Outcome | null;
}

export interface KeptGame {
  readonly id: string;
  readonly facts: GameFacts;
  readonly mode: CallMode;
  readonly start: string | null;
  readonly legs: readonly KeptLeg[];
  readonly legCount: number;
  readonly at: number;
}

const KEY = "hnefi.tables";
const MOST = 30;

/** All games that are kept, the last one first. */
export function keptGames(): readonly KeptGame[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as KeptGame[]) : [];
  } catch {
    return [];
  }
}

export function keptGame(id: string): KeptGame | null {
  return keptGames().find((game) => game.id === id) ?? null;
}

/** Keeps a game; the oldest ones go when there are too many. False if the browser keeps nothing. */
export function keep(game: KeptGame): boolean {
  const others = keptGames().filter((one) => one.id !== game.id);
  return store([game, ...others].slice(0, MOST));
}

/** Tells of a game that another tab of this browser has gone on with. */
export function follow(id: string, told: (game: KeptGame) => void): void {
  addEventListener("storage", ({ key }) => {
    const game = key === KEY ? keptGame(id) : null;
    if (game) told(game);
  });
}

export function forget(id: string): void {
  store(keptGames().filter((game) => game.id !== id));
}

function store(games: readonly KeptGame[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify(games));
    return true;
  } catch {
    return false;
  }
}
