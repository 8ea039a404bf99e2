// Which lessons have been completed in this browser.

import { store, stored } from "../../storage.ts";

const KEY = "hnefi.lessons";

type Completed = Readonly<Record<string, readonly string[]>>;

/** Returns the ids of the lessons of a variant that have been completed. */
export function completedLessons(variant: string): readonly string[] {
  const ids: unknown = stored<Completed>(KEY, {})[variant];
  return Array.isArray(ids) ? (ids as string[]) : [];
}

/** Stores that a lesson has been completed, and returns the ids of all that have. */
export function completeLesson(variant: string, lesson: string): readonly string[] {
  const completed = [...new Set([...completedLessons(variant), lesson])];
  store(KEY, { ...stored<Completed>(KEY, {}), [variant]: completed });
  return completed;
}
