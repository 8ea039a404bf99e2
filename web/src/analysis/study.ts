// What is being looked at: a variant, the position it begins from, a tree of moves, and where in it one is.

import type { GameFacts } from "../game/facts.ts";
import type { RecordView, TreePlyView } from "../messages.ts";
import { type Game, Refused, Rules } from "../rules.ts";
import { LANGUAGE } from "../texts.ts";
import { EMPTY, flatten, grow, pathTo, type Ply, play, plyOf, START, type Tree } from "./tree.ts";

export interface Study {
  readonly facts: GameFacts;
  readonly rules: Rules;
  /** The position text it begins from; null for that of the rules. */
  readonly start: string | null;
  readonly headers: RecordView["headers"];
  readonly tree: Tree;
  readonly at: number;
}

const KEY = "hnefi.analysis";

/** The variant with its rules changed, as the server tells of it. */
export async function factsOf(
  known: Readonly<Record<string, GameFacts>>,
  variant: string,
  switches: Readonly<Record<string, string>>,
): Promise<GameFacts> {
  const plain = known[variant];
  const changes = Object.entries(switches);
  if (plain && changes.length === 0) return plain;
  const query = new URLSearchParams([["variant", variant], ...changes.map(([key, value]) => [`rule.${key}`, value])]);
  const response = await fetch(`/${LANGUAGE}/facts?${query}`);
  if (!response.ok) throw new Error(variant);
  return (await response.json()) as GameFacts;
}

/** Begins with a position. The rules throw `Refused` if no game can be played from it. */
export async function begin(facts: GameFacts, start: string | null): Promise<Study> {
  const rules = await Rules.load(facts.tree);
  const usual = rules.newGame().state.position;
  const position = start === null ? usual : rules.newGame({ setup: start }).state.position;
  return { facts, rules, start: position === usual ? null : position, headers: [], tree: EMPTY, at: START };
}

/** Begins with a record that the server has read. */
export async function opened(facts: GameFacts, record: RecordView): Promise<Study> {
  const study = await begin(facts, record.start);
  return { ...study, headers: record.headers, tree: grow(record.plies, record.comments) };
}

/** The games of a tree, each made when it is first asked for. */
export class Games {
  readonly #games = new Map<number, Game>();
  readonly #study: Study;

  constructor(study: Study) {
    this.#study = study;
    this.#games.set(START, study.rules.newGame(study.start === null ? {} : { setup: study.start }));
  }

  /** The game after a ply of a tree that has grown from the study. */
  after(tree: Tree, id: number): Game {
    const missing: Ply[] = [];
    let at = plyOf(tree, id);
    for (; !this.#games.has(at.id); at = plyOf(tree, at.parent)) missing.push(at);
    let game = this.#games.get(at.id) as Game;
    for (const ply of missing.reverse()) {
      game = game.play(ply.move);
      this.#games.set(ply.id, game);
    }
    return game;
  }

  /** Whether these are the games of a study that may have grown. */
  isOf(study: Study): boolean {
    return this.#study.rules === study.rules && this.#study.start === study.start;
  }
}

/** Plays the moves of an address as far as the rules allow them. */
export function follow(study: Study, moves: readonly string[]): Study {
  let [tree, at] = [study.tree, START];
  let game = study.rules.newGame(study.start === null ? {} : { setup: study.start });
  for (const move of moves) {
    try {
      game = game.play(move);
    } catch (error) {
      if (error instanceof Refused) break;
      throw error;
    }
    [tree, at] = play(tree, at, move);
  }
  return { ...study, tree, at };
}

/** The address of a study: variant, rules and position before the hash, the moves up to here behind it. */
export function addressOf({ facts, start, tree, at }: Study, path = location.pathname): string {
  const query = new URLSearchParams([["variant", facts.id]]);
  for (const [key, value] of Object.entries(facts.switches)) query.set(`rule.${key}`, value);
  if (start !== null) query.set("position", start);
  const moves = pathTo(tree, at).map((ply) => ply.move);
  return `${path}?${query}${moves.length > 0 ? `#${moves.join(".")}` : ""}`;
}

/** The moves that an address names. */
export function movesIn(hash: string): readonly string[] {
  return hash
    .replace(/^#/, "")
    .split(".")
    .filter((move) => /^[a-s]\d{1,2}-[a-s]\d{1,2}$/.test(move));
}

interface Kept {
  readonly address: string;
  readonly headers: RecordView["headers"];
  readonly comments: readonly string[];
  readonly plies: readonly TreePlyView[];
}

/** Keeps the tree in this browser, for when the page is opened again. */
export function keep(study: Study): void {
  const address = addressOf(study, "");
  const { comments } = plyOf(study.tree, START);
  const kept: Kept = { address, headers: study.headers, comments, plies: flatten(study.tree) };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing has it until the page is left.
  }
}

/** Gives a study the tree that was kept for it, if there is one. */
export function restored(study: Study): Study {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
    if (!kept || kept.address.split("#")[0] !== addressOf(study, "").split("#")[0]) return study;
    const tree = grow(kept.plies, kept.comments);
    const games = new Games(study);
    for (const id of tree.plies.keys()) games.after(tree, id);
    return { ...study, headers: kept.headers, tree };
  } catch {
    return study;
  }
}

/** The address of the study that was kept last. */
export function keptAddress(): string | null {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null)?.address ?? null;
  } catch {
    return null;
  }
}
