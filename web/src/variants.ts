// Variants as the server describes them to pages (`game_facts.py`).

import type { Changes } from "./changes.ts";
import type { Piece, Protocol, Side } from "./rules.ts";
import { LANGUAGE, readJson, t } from "./texts.ts";

/** The calls of a variant. `wrong_number` is missing in games saved long ago: then such a call counts. */
export interface CallFacts extends Required<Pick<Protocol, "sanction" | "replay">>, Pick<Protocol, "wrong_number"> {
  /** Whether the attackers warn the king. */
  readonly in_danger: boolean;
  readonly words: Readonly<Record<CallWord, string>>;
  /** The source's own words where it has others, else empty. Missing in games saved long ago. */
  readonly originals?: Readonly<Record<CallWord, string>>;
}

type CallWord = "one_exit" | "two_exits" | "king_in_danger";

/** Returns the word that calls one open road, or two and more. */
export function callWord({ words }: CallFacts, roads: number): string {
  return roads > 1 ? words.two_exits : words.one_exit;
}

/** Returns the rules of the calls of a game. */
export function protocolOf(calls: CallFacts | null, mode: Protocol["mode"]): Protocol {
  if (!calls) return { mode: "off" };
  const { sanction, replay, wrong_number = "call" } = calls;
  return { mode, sanction, replay, wrong_number };
}

export interface VariantFacts extends Changes {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly author: string;
  /** The address of its rules in words. */
  readonly rules: string | null;
  readonly tree: Readonly<Record<string, unknown>>;
  /** The hash of its rules. Missing in games saved long ago. */
  readonly hash?: string;
  /** The rules that the switches change, in sentences. */
  readonly changes: readonly string[];
  /** The aim of each side, in a sentence. */
  readonly goals: Readonly<Record<Side, string>>;
  readonly counts: Readonly<Record<Piece, number>>;
  readonly calls: CallFacts | null;
  /** The side that scored less wherever balance was measured. Missing in games saved long ago. */
  readonly harder?: Side | null;
  readonly match: { readonly legs: number; readonly tie_break: "none" | "captures" };
}

export type Variants = Readonly<Record<string, VariantFacts>>;

let onPage: Variants | undefined;

/** Returns the variants that the page contains, by id. */
export function pageVariants(): Variants {
  onPage ??= readJson<Variants>("games") ?? {};
  return onPage;
}

/** Rejects a game that is none of those that a page with all games contains. */
export class NoSuchGame extends Error {}

/** Checks that the page has a variant, if it has the variants. */
export function checkVariant(variant: string): void {
  const known = pageVariants();
  if (Object.keys(known).length > 0 && !(variant in known)) throw new NoSuchGame(t("web.no_such_game"));
}

/** Returns the aim of each side by the rules, in a sentence. */
export function goalsOf(tree: VariantFacts["tree"]): VariantFacts["goals"] {
  const ends = tree["ends"] as Readonly<Record<string, string>>;
  const taken = ["king", "guards"].filter((name) => ends[`${name}_captured`] === "attackers_win").join("_or_");
  return { attackers: t(`web.goal.${taken ? `take_${taken}` : "hold"}`), defenders: t(`web.goal.${ends["goal"]}`) };
}

/** Returns the facts of a saved game in the language of the page: it may have begun in another one. */
export function inPageLanguage(facts: VariantFacts): VariantFacts {
  const here = pageVariants()[facts.id];
  const language = facts.rules?.slice(1, 3) ?? LANGUAGE;
  if (!here || language === LANGUAGE) return facts;
  const { name, family, author, calls } = here;
  return {
    ...facts,
    name,
    family,
    author,
    rules: facts.rules && `/${LANGUAGE}${facts.rules.slice(3)}`,
    changes: [],
    goals: goalsOf(facts.tree),
    calls: facts.calls && calls && { ...facts.calls, words: calls.words },
  };
}

/** Returns the name of a game: if its rules are changed, the name that they were given, else it says so. */
export function gameTitle({ name, switches, title }: Pick<VariantFacts, "name" | "switches" | "title">): string {
  return title || (Object.keys(switches).length > 0 ? t("web.changed_game", { name }) : name);
}

/** Returns what the file of a game is called after: its variant, or the title of its changed rules. */
export function fileTitle(facts: VariantFacts): string {
  return Object.keys(facts.switches).length > 0 ? gameTitle(facts) : facts.id;
}

/** Returns the query that names a variant, its switches with their name and, if given, a position. */
export function variantQuery(variant: string, { switches, title }: Changes, position: string | null = null): URLSearchParams {
  const query = new URLSearchParams([["variant", variant]]);
  if (title) query.set("name", title);
  for (const [key, value] of Object.entries(switches)) query.set(`rule.${key}`, value);
  if (position !== null) query.set("position", position);
  return query;
}

/** Returns the number of plies without a capture that end the game, or null. */
export function quietLimit(facts: VariantFacts): number | null {
  const ends = facts.tree["ends"] as { quiet_limit?: number } | undefined;
  return ends?.quiet_limit || null;
}

/** Returns the name of a side as a label: "Attackers", "King’s side". */
export function sideName(side: Side): string {
  return t(`page.new.side.${side}`);
}

export function otherSide(side: Side): Side {
  return side === "attackers" ? "defenders" : "attackers";
}
