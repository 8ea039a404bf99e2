// The rules that the user has made in this browser, the last ones first, as queries of the rules editor.

import { store, stored } from "./storage.ts";

const KEY = "hnefi.rules";
const MOST_RULES = 12;

export function ownRules(): readonly string[] {
  return stored<string[]>(KEY, []);
}

export function storeOwnRules(queries: readonly string[]): void {
  store(KEY, queries.slice(0, MOST_RULES));
}
