// Variants as the server describes them to pages (`game_facts.py`).

import { getJson } from "./http.ts";
import type { Piece, Protocol, Side } from "./rules.ts";
import { LANGUAGE, readJson } from "./texts.ts";

export interface CallFacts {
  readonly sanction: "none" | "replay";
  readonly replay: "same_piece" | "any_piece";
  /** What a call of the wrong number is worth. Missing in games saved long ago: then it is a call. */
  readonly wrong_number?: "call" | "forgotten";
  /** Whether the attackers warn the king. */
  readonly in_danger: boolean;
  readonly words: Readonly<Record<"one_exit" | "two_exits" | "king_in_danger", string>>;
}

/** Returns the rules of the calls of a game. */
export function protocolOf(calls: CallFacts | null, mode: Protocol["mode"]): Protocol {
  if (!calls) return { mode: "off" };
  const { sanction, replay, wrong_number = "call" } = calls;
  return { mode, sanction, replay, wrong_number };
}

export interface VariantFacts {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly author: string;
  /** The address of its rules in words. */
  readonly rules: string | null;
  readonly tree: Readonly<Record<string, unknown>>;
  /** The hash of its rules. Missing in games saved long ago. */
  readonly hash?: string;
  readonly switches: Readonly<Record<string, string>>;
  /** The rules that the switches change, in sentences. */
  readonly changes: readonly string[];
  readonly nouns: Readonly<Record<"attackers" | "defenders" | "king" | "the_king" | "The_king", string>>;
  /** The usual word for a side that the variant calls otherwise, such as "princes". Missing in games saved long ago. */
  readonly usual?: Readonly<Record<Side, string | null>>;
  /** The aim of each side, in a sentence. */
  readonly goals: Readonly<Record<Side, string>>;
  readonly counts: Readonly<Record<Piece, number>>;
  readonly calls: CallFacts | null;
  readonly match: { readonly legs: number; readonly tie_break: "none" | "captures" };
}

type Switches = Readonly<Record<string, string>>;

type Variants = Readonly<Record<string, VariantFacts>>;

let onPage: Variants | undefined;

/** Returns the variants that the page contains, by id. */
export function pageVariants(): Variants {
  onPage ??= readJson<Variants>("games") ?? {};
  return onPage;
}

/** Returns a variant as it is played with switches; the server describes it if the page does not contain it. */
export async function variantFacts(variant: string, switches: Switches): Promise<VariantFacts> {
  const known = pageVariants()[variant];
  if (known && Object.keys(switches).length === 0) return known;
  return getJson(`/${LANGUAGE}/facts?${variantQuery(variant, switches)}`);
}

/** Returns the query that names a variant, its switches and, if given, a position. */
export function variantQuery(variant: string, switches: Switches, position: string | null = null): URLSearchParams {
  const query = new URLSearchParams([["variant", variant]]);
  for (const [key, value] of Object.entries(switches)) query.set(`rule.${key}`, value);
  if (position !== null) query.set("position", position);
  return query;
}

/** Returns the number of plies without a capture that end the game, or null. */
export function quietLimit(facts: VariantFacts): number | null {
  const ends = facts.tree["ends"] as { quiet_limit?: number } | undefined;
  return ends?.quiet_limit || null;
}

/** Returns the variant's word for a side, with a capital. */
export function sideName(facts: VariantFacts, side: Side): string {
  const noun = facts.nouns[side];
  return noun.charAt(0).toLocaleUpperCase() + noun.slice(1);
}

export function otherSide(side: Side): Side {
  return side === "attackers" ? "defenders" : "attackers";
}
