// The puzzle of the day in a site of static files and without a connection: such pages contain those of 52 weeks.

import { readJson } from "../../texts.ts";
import type { PuzzleFacts } from "./puzzle.ts";

/** The puzzles of 52 weeks from a Monday. They begin anew after that. */
interface Days {
  readonly first: string;
  readonly puzzles: readonly string[];
}

export type Today = Pick<PuzzleFacts, "day" | "week">;

const DAY_MS = 86_400_000;
const WEEK = 7;

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns the day and the puzzles of its week from those in the page; null if the server has written them. */
export function todayInPage(now = Date.now()): Today | null {
  const days = readJson<Days>("days");
  if (!days) return null;
  const first = Date.parse(days.first);
  const today = Math.floor((now - first) / DAY_MS);
  const monday = today - (((today % WEEK) + WEEK) % WEEK);
  const count = days.puzzles.length;
  const week = Array.from({ length: WEEK }, (_, place) => ({
    day: dayText(first + (monday + place) * DAY_MS),
    puzzle: days.puzzles[(((monday + place) % count) + count) % count] as string,
  }));
  return { day: dayText(now), week };
}

/** Returns the puzzle of a day. */
export function puzzleOf({ day, week }: Today): string | null {
  return week.find((one) => one.day === day)?.puzzle ?? null;
}
