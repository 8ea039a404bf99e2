// The catalogue: shows the boards that fit the search and the filters while they change, without the server.

import { linksToOwnRules } from "../../own_rules.ts";
import { plural, t } from "../../texts.ts";
import { knownWords, type Match, MOST_WORDS, match, type SearchTerm, wordsOf } from "./variant_search.ts";

const FILTERS = ["size", "goal", "difficulty"];
/** How long the search has to stay the same before a voice is told what it finds. */
const PAUSE_MS = 500;

const form = document.querySelector("form.catalogue") as HTMLFormElement;
const cards = [...document.querySelectorAll<HTMLElement>("[data-id]")];
const heading = document.querySelector<HTMLElement>(".catalogue-head h1");
const all = plural("page.wall", cards.length);
const terms = new Map(cards.map((card) => [card, JSON.parse(card.dataset["terms"] ?? "[]") as SearchTerm[]]));

let telling = 0;

interface Found {
  readonly matches: ReadonlyMap<HTMLElement, Match>;
  /** The words of the search that fit no game; they are left out if others do. */
  readonly unknown: readonly string[];
}

/** Returns the matches of a search: those with the fewest mistakes. */
function search(query: string): Found {
  const matches = matchesOf(query);
  if (matches.size > 0) return { matches, unknown: [] };
  const words = wordsOf(query).slice(0, MOST_WORDS);
  const known = knownWords(words, terms.values());
  const unknown = words.filter((word) => !known.includes(word));
  return { matches: known.length > 0 ? matchesOf(known.join(" ")) : matches, unknown };
}

function matchesOf(query: string): ReadonlyMap<HTMLElement, Match> {
  const found = new Map<HTMLElement, Match>();
  for (const [card, names] of terms) {
    const matched = match(query, names);
    if (matched) found.set(card, matched);
  }
  const fewest = Math.min(...[...found.values()].map(({ mistakes }) => mistakes));
  return new Map([...found].filter(([, { mistakes }]) => mistakes === fewest));
}

/** Returns the search and the filters that are set, as the query of the address. */
function chosen(): URLSearchParams {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()] as [string, string]);
  return new URLSearchParams(fields.filter(([, value]) => value !== "" && value !== "any"));
}

function show(): void {
  const query = chosen();
  const { matches: found, unknown } = search(query.get("q") ?? "");
  const shown = cards.filter(
    (card) => found.has(card) && FILTERS.every((name) => ["any", card.dataset[name]].includes(query.get(name) ?? "any")),
  );
  for (const card of cards) card.hidden = !shown.includes(card);
  order(shown, query.get("q") ?? "");
  const matches = shown.flatMap((card) => found.get(card) ?? []);
  const near = matches.some(({ mistakes }) => mistakes > 0) ? t("page.wall.near") : "";
  const left = unknown.length > 0 ? plural("page.wall.unknown", unknown.length, { words: unknown.join(", ") }) : "";
  const why = usualReason(matches);
  for (const card of shown) {
    const reason = found.get(card)?.why ?? "";
    showReason(card, reason === why ? "" : reason);
  }
  const status = document.querySelector<HTMLElement>("[data-found]");
  const nothing = document.querySelector<HTMLElement>("[data-nothing]");
  const featured = document.querySelector<HTMLElement>("[data-featured]");
  if (!status || !nothing || !featured) return;
  // The first game makes room for what is searched for.
  featured.hidden = query.size > 0;
  // Below the status, a heading says that there is nothing.
  const parts = shown.length > 0 ? [left, near, why, plural("page.wall", shown.length)] : [t("page.wall.nothing")];
  clearTimeout(telling);
  telling = setTimeout(() => {
    status.textContent = parts.filter((part) => part !== "").join(" ");
    status.classList.toggle("unseen", shown.length === 0);
    status.hidden = false;
  }, PAUSE_MS);
  // The number of all games is not that of a search.
  if (heading) heading.textContent = query.size > 0 ? t("page.wall.search.title") : all;
  nothing.hidden = shown.length > 0;
}

/** Puts the games first whose name has every word of the search; the others stay in their order. */
function order(shown: readonly HTMLElement[], query: string): void {
  const words = wordsOf(query);
  const isNamed = (card: HTMLElement) => {
    const names = wordsOf(card.querySelector("h2 a")?.firstChild?.textContent ?? "");
    return words.every((word) => names.some((name) => name.startsWith(word)));
  };
  const first = new Set(words.length > 0 ? shown.filter(isNamed) : []);
  const wanted = [...cards.filter((card) => first.has(card)), ...cards.filter((card) => !first.has(card))];
  const list = cards[0]?.parentElement;
  if (wanted.some((card, place) => list?.children[place] !== card)) list?.append(...wanted);
}

/** Returns the reason for which most games were found; empty if there is none. */
function usualReason(matches: readonly Match[]): string {
  return matches.find(({ why }) => 2 * matches.filter((other) => other.why === why).length > matches.length)?.why ?? "";
}

/** Shows on a card why the search found it, if the reason is not that of most. */
function showReason(card: HTMLElement, why: string): void {
  const reason = card.querySelector<HTMLElement>("[data-why]");
  if (!reason) return;
  reason.textContent = why;
  reason.hidden = why === "";
}

/** Writes the search into the address. The first one adds an entry to the history: Back leads to all games again. */
function noteInAddress(): void {
  const query = chosen().toString();
  const address = query ? `${location.pathname}?${query}` : location.pathname;
  if (address === location.pathname + location.search) return;
  if (location.search === "") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** Sets the fields as the address has them. */
function readAddress(): void {
  const query = new URLSearchParams(location.search);
  for (const field of form.querySelectorAll<HTMLInputElement>("input")) {
    if (field.type === "radio") field.checked = field.value === (query.get(field.name) ?? "any");
    else field.value = query.get(field.name) ?? "";
  }
}

form.addEventListener("input", () => {
  noteInAddress();
  show();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
addEventListener("popstate", () => {
  readAddress();
  show();
});
// The browser may have kept the fields of an earlier visit.
readAddress();
show();

// The games that the user has invented are beside the link to invent one.
document.querySelector("[data-own]")?.append(...linksToOwnRules("rules/new"));
