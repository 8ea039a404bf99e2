// What a variant is, as `game_facts.py` puts it into the page.

import type { Piece, Side } from "../rules.ts";
import { readJson } from "../texts.ts";

export interface CallFacts {
  readonly sanction: "none" | "replay";
  readonly replay: "same_piece" | "any_piece";
  /** Whether the attackers warn the king. */
  readonly in_danger: boolean;
  readonly words: Readonly<Record<"one_exit" | "two_exits" | "king_in_danger", string>>;
}

export interface GameFacts {
  readonly id: string;
  readonly name: string;
  readonly family: string;
  readonly author: string;
  /** The address of its rules in words. */
  readonly rules: string | null;
  readonly tree: Readonly<Record<string, unknown>>;
  readonly switches: Readonly<Record<string, string>>;
  /** The rules that the switches change, in sentences. */
  readonly changes: readonly string[];
  readonly nouns: Readonly<Record<"attackers" | "defenders" | "king" | "the_king" | "The_king", string>>;
  /** The usual word for a side where the text has its own: "princes" are defenders. Games kept long ago have none. */
  readonly usual?: Readonly<Record<Side, string | null>>;
  /** What each side wants, in a sentence. */
  readonly goals: Readonly<Record<Side, string>>;
  readonly counts: Readonly<Record<Piece, number>>;
  readonly calls: CallFacts | null;
  readonly match: { readonly legs: number; readonly tie_break: string };
}

/** The variants that the page knows, by id. */
export function knownGames(): Readonly<Record<string, GameFacts>> {
  return readJson<Readonly<Record<string, GameFacts>>>("games") ?? {};
}

/** How many plies without a capture end the game; null if the rules have no such end. */
export function quietLimit(facts: GameFacts): number | null {
  const ends = facts.tree["ends"] as { quiet_limit?: number } | undefined;
  return ends?.quiet_limit || null;
}

export function other(side: Side): Side {
  return side === "attackers" ? "defenders" : "attackers";
}
