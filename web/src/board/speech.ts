// What the board says: names of squares and announcements.

import type { Piece } from "../rules.ts";
import { specialKind } from "./ground.ts";
import type { BoardState, Shape, Words } from "./types.ts";

type Facts = Readonly<Record<string, string | number>>;

/** One text with its facts filled in; empty until texts are there. */
export function say(words: Words, key: string, facts: Facts = {}): string {
  const text = words[`board.${key}`] ?? "";
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ""));
}

/** Begins with a capital: pieces are written small in the catalogue. */
function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Writes a list as one does in a sentence: "a, b and c". */
export function listed(words: Words, parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return say(words, "list", { first: parts.slice(0, -1).join(", "), last: parts.at(-1) ?? "" });
}

/** The name of a square with what stands there: "d4, attacker". */
export function nameSquare(words: Words, shape: Shape, square: string, piece: Piece | undefined): string {
  const special = specialKind(shape, square);
  const parts = [square, say(words, piece ?? "empty"), special ? say(words, special) : ""];
  return parts.filter(Boolean).join(", ");
}

export function nameTarget(words: Words, captures: readonly string[]): string {
  return captures.length > 0
    ? say(words, "target.captures", { squares: listed(words, captures) })
    : say(words, "target");
}

/** The last move, for those who do not see it. */
export function announceMove(words: Words, piece: Piece, last: NonNullable<BoardState["last"]>): string {
  const captures = (last.captures ?? []).map((capture) => capture.square);
  const facts = { piece: capital(say(words, piece)), from: last.from, to: last.to, squares: listed(words, captures) };
  return say(words, captures.length > 0 ? "moved.captures" : "moved", facts);
}

export function announceTaken(words: Words, piece: Piece, square: string, count: number): string {
  return say(words, "taken_up", { piece: capital(say(words, piece)), square, count });
}
