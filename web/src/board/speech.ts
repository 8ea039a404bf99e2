// Texts for screen readers: names of squares, and announcements of moves.

import type { Piece } from "../rules.ts";
import { specialKind } from "./background.ts";
import type { BoardEvents, BoardState, Shape, Words } from "./types.ts";

type Facts = Readonly<Record<string, string | number>>;

/** The words in which a screen reader is told of an event. */
export const EVENT_WORDS: Partial<Record<keyof BoardEvents, string>> = {
  "tafl-refused": "refused",
  "tafl-pending": "waits",
  "tafl-premove": "planned",
};

/** Returns a text with its placeholders replaced; empty until texts are loaded. */
export function boardText(words: Words, key: string, facts: Facts = {}): string {
  const text = words[`board.${key}`] ?? "";
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(facts[name] ?? ""));
}

/** Capitalises a noun of the catalogue. */
function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Joins parts as in a sentence: "a, b and c". */
export function joined(words: Words, parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? "";
  return boardText(words, "list", { first: parts.slice(0, -1).join(", "), last: parts.at(-1) ?? "" });
}

/** Returns the name of a square with the piece on it: "d4, attacker". */
export function squareText(words: Words, shape: Shape, square: string, piece: Piece | undefined): string {
  const special = specialKind(shape, square);
  const parts = [square, boardText(words, piece ?? "empty"), special ? boardText(words, special) : ""];
  return parts.filter(Boolean).join(", ");
}

export function targetText(words: Words, captures: readonly string[]): string {
  return captures.length > 0
    ? boardText(words, "target.captures", { squares: joined(words, captures) })
    : boardText(words, "target");
}

export function moveText(words: Words, piece: Piece, last: NonNullable<BoardState["last"]>): string {
  const captures = (last.captures ?? []).map((capture) => capture.square);
  const facts = { piece: capitalised(boardText(words, piece)), from: last.from, to: last.to, squares: joined(words, captures) };
  return boardText(words, captures.length > 0 ? "moved.captures" : "moved", facts);
}

/** Returns the announcement of a piece that was taken up, with the number of its moves. */
export function selectionText(words: Words, piece: Piece, square: string, count: number): string {
  return boardText(words, "taken_up", { piece: capitalised(boardText(words, piece)), square, count });
}
