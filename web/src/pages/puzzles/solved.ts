// Which puzzles have been solved in this browser, and on how many days in a row the daily one.

import { store, stored } from "../../storage.ts";

const KEY = "hnefi.puzzles";
export const DAY_MS = 86_400_000;
const MOST_DAYS = 1_000;

interface Stored {
  readonly solved?: readonly string[];
  /** The days whose puzzle was solved on that day, as `2026-11-23`. */
  readonly days?: readonly string[];
  readonly best?: number;
  /** The last day whose solution was shown before it was found. */
  readonly shown?: string;
}

interface Streak {
  readonly days: number;
  readonly best: number;
}

/** Returns the ids of the puzzles that have been solved. */
export function solvedPuzzles(): ReadonlySet<string> {
  const { solved } = stored<Stored>(KEY, {});
  return new Set(Array.isArray(solved) ? solved : []);
}

/** Returns the days whose puzzle was solved on that day. */
function solvedDays(): ReadonlySet<string> {
  const { days } = stored<Stored>(KEY, {});
  return new Set(Array.isArray(days) ? days : []);
}

/** Returns whether the solution of a day was shown before it was found. */
export function wasShown(day: string): boolean {
  return stored<Stored>(KEY, {}).shown === day && !solvedDays().has(day);
}

/** Stores that the solution of the daily puzzle was shown: it does not count for the streak of that day any more. */
export function storeShown(day: string): void {
  store(KEY, { ...stored<Stored>(KEY, {}), shown: day });
}

/** Stores that a puzzle has been solved; for the daily one, on which day. */
export function storeSolved(puzzle: string, day: string | null): void {
  const before = stored<Stored>(KEY, {});
  const solved = [...new Set([...solvedPuzzles(), puzzle])];
  const days = [...new Set([...solvedDays(), ...(day && !wasShown(day) ? [day] : [])])].sort().slice(-MOST_DAYS);
  const best = Math.max(before.best ?? 0, run(new Set(days), day ?? ""));
  store(KEY, { ...before, solved, days, best });
}

/** Returns the number of days in a row up to today, or to yesterday if today's puzzle is not solved yet. */
export function streak(today: string): Streak {
  const days = solvedDays();
  const best = stored<Stored>(KEY, {}).best ?? 0;
  return { days: run(days, today) || run(days, before(today)), best };
}

function run(days: ReadonlySet<string>, last: string): number {
  let count = 0;
  for (let day = last; days.has(day); day = before(day)) count += 1;
  return count;
}

function before(day: string): string {
  return dayText(Date.parse(day) - DAY_MS);
}

/** Formats a day as `2026-11-23`. */
export function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
