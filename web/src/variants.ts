// Variants as the server describes them to pages (`game_facts.py`).

import { getJson } from "./http.ts";
import { piecesOf } from "./positions.ts";
import type { Piece, Protocol, Side } from "./rules.ts";
import { LANGUAGE, readJson, t } from "./texts.ts";

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
  /** The aim of each side, in a sentence. */
  readonly goals: Readonly<Record<Side, string>>;
  readonly counts: Readonly<Record<Piece, number>>;
  readonly calls: CallFacts | null;
  /** The side that scored less wherever balance was measured. Missing in games saved long ago. */
  readonly harder?: Side | null;
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

/**
 * Returns a variant as it is played with switches. The server describes it if the page does not contain it; without a
 * connection the rules are changed here, and told as switches.
 */
export async function variantFacts(variant: string, switches: Switches): Promise<VariantFacts> {
  const known = pageVariants()[variant];
  if (known && Object.keys(switches).length === 0) return known;
  try {
    return await getJson(`/${LANGUAGE}/facts?${variantQuery(variant, switches)}`);
  } catch (error) {
    // `fetch` rejects with a TypeError if the server cannot be reached.
    const base = error instanceof TypeError ? await keptFacts(variant) : undefined;
    if (!base) throw error;
    return changedFacts(base, switches);
  }
}

/** Returns a variant without switches from the page, or as it is kept for use offline. */
export async function keptFacts(variant: string): Promise<VariantFacts | undefined> {
  return pageVariants()[variant] ?? (await getJson<Variants>(`/${LANGUAGE}/facts`))[variant];
}

/** Returns a variant with changed rules, which are told as switches. Rejects with `FaultyRules`. */
async function changedFacts(base: VariantFacts, asked: Switches): Promise<VariantFacts> {
  const [{ changedRules, CALL_SWITCHES }, { Rules }] = await Promise.all([import("./switches.ts"), import("./rules.ts")]);
  const { tree, switches } = await changedRules(base.tree, asked);
  const { hash, start } = (await Rules.load(tree)).facts;
  const calls = base.calls ? Object.entries(asked).filter(([key]) => CALL_SWITCHES.includes(key)) : [];
  const all = { ...switches, ...Object.fromEntries(calls) };
  const pieces = [...piecesOf(start).values()];
  const count = (piece: Piece) => pieces.filter((one) => one.split("_")[0] === piece).length;
  return {
    ...base,
    rules: `/${LANGUAGE}/rules/new?${variantQuery(base.id, all)}`,
    tree,
    hash,
    switches: all,
    changes: Object.entries(all).map(([key, value]) => `${key} = ${value}`),
    goals: { ...base.goals, defenders: await kingsGoal(base, goalOf({ tree })) },
    counts: { ...base.counts, attacker: count("attacker"), defender: count("defender"), king: count("king") },
    calls: base.calls && { ...base.calls, ...Object.fromEntries(calls) },
    harder: null,
  };
}

/** Returns the aim of the king's side in words: those of a variant with this aim; empty if none is known. */
async function kingsGoal(base: VariantFacts, goal: string): Promise<string> {
  if (goalOf(base) === goal) return base.goals.defenders;
  const onThisPage = Object.values(pageVariants());
  const known = onThisPage.length > 0 ? onThisPage : Object.values(await getJson<Variants>(`/${LANGUAGE}/facts`));
  return known.find((one) => goalOf(one) === goal)?.goals.defenders ?? "";
}

function goalOf({ tree }: Pick<VariantFacts, "tree">): string {
  return (tree["ends"] as { readonly goal: string }).goal;
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

/** Returns the name of a side as a label: "Attackers", "King’s side". */
export function sideName(side: Side): string {
  return t(`page.new.side.${side}`);
}

export function otherSide(side: Side): Side {
  return side === "attackers" ? "defenders" : "attackers";
}
