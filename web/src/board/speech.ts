// What the board says: names of squares, announcements, and what a special square is by the rules.

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
function listed(words: Words, parts: readonly string[]): string {
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

const KINDS = ["attackers", "defenders", "king"] as const;
type ByKind = Readonly<Partial<Record<(typeof KINDS)[number], string>>>;

/** The part of a rules tree that special squares are explained from. */
interface Tree {
  readonly movement?: Readonly<Record<string, unknown>>;
  readonly hostility?: Readonly<Record<string, unknown>>;
}

/** What a special square is by the rules: a title and sentences; null for a plain one. */
export function explain(
  words: Words,
  shape: Shape,
  square: string,
  state: BoardState | null,
): { title: string; text: string } | null {
  const kind = specialKind(shape, square);
  if (!kind) return null;
  const tree = (shape.tree ?? {}) as Tree;
  const sentences = [
    shape.goals?.includes(square) ? say(words, "goal") : "",
    kind === "camp" ? say(words, "stop.camp") : whoStops(words, tree.movement?.[`${kind}_stop`]),
    ...whoFears(words, tree.hostility?.[`${kind}_hostile`]),
  ];
  const isHostile = state?.hostile?.some((one) => one.square === square) ?? false;
  if (isHostile && sentences.at(-1)) sentences.push(say(words, "hostile.now"));
  return { title: say(words, `special.${kind}`), text: sentences.filter(Boolean).join(" ") };
}

function whoStops(words: Words, kinds: unknown): string {
  if (!Array.isArray(kinds) || kinds.length === KINDS.length) return "";
  if (kinds.length === 0) return say(words, "stop.none");
  if (kinds.length === 1 && kinds[0] === "king") return say(words, "stop.king");
  return say(words, "stop.some", { kinds: listed(words, kinds.map((kind) => say(words, `the.${kind}`))) });
}

/** One sentence for those to whom a square is hostile when empty, one for those to whom it always is. */
function whoFears(words: Words, hostility: unknown): string[] {
  // Camps have a list of kinds; throne and corners say for each when.
  const when: ByKind = Array.isArray(hostility)
    ? Object.fromEntries(hostility.map((kind: string) => [kind, "empty"]))
    : ((hostility ?? {}) as ByKind);
  return ["empty", "always"].map((time) => {
    const kinds = KINDS.filter((kind) => when[kind] === time).map((kind) => say(words, `to.${kind}`));
    return kinds.length > 0 ? say(words, `hostile.${time}`, { kinds: listed(words, kinds) }) : "";
  });
}
