// The rules that the user has made in this browser, the last ones first, as queries of the rules editor.

import { pageAddress } from "./addresses.ts";
import { store, stored } from "./storage.ts";

const KEY = "hnefi.rules";
const MOST_RULES = 12;

export function ownRules(): readonly string[] {
  return stored<string[]>(KEY, []);
}

export function storeOwnRules(queries: readonly string[]): void {
  store(KEY, queries.slice(0, MOST_RULES));
}

/** Returns links to a page for the rules that the user has given a name; `query` comes before theirs. */
export function linksToOwnRules(page: string, query = ""): readonly HTMLAnchorElement[] {
  return ownRules().flatMap((rules) => {
    const name = new URLSearchParams(rules).get("name");
    return name ? [Object.assign(document.createElement("a"), { href: pageAddress(`${page}?${query}${rules}`), textContent: name })] : [];
  });
}
