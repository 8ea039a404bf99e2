// A study: a variant, a start position, a tree of moves, and the ply that is shown.

import type { RecordView, TreePlyView } from "../../messages.ts";
import { endBy, replayQuery } from "../../game/replay_link.ts";
import { type Game, type Outcome, Refused, Rules } from "../../rules.ts";
import { store, stored } from "../../storage.ts";
import { type VariantFacts, variantQuery } from "../../variants.ts";
import { EMPTY, endOf, flatten, type MoveTree, pathTo, type Ply, play, plyOf, START, treeOf } from "./move_tree.ts";

export interface Study {
  readonly facts: VariantFacts;
  readonly rules: Rules;
  /** The position text it begins from; null for the start of the rules. */
  readonly start: string | null;
  readonly headers: RecordView["headers"];
  readonly tree: MoveTree;
  readonly at: number;
  /** The ply after which the players ended the game, and how. */
  readonly ended: { readonly after: number; readonly outcome: Outcome } | null;
}

const KEY = "hnefi.analysis";

/** Begins a study. Rejects with `Refused` if no game can be played from the position. */
export async function beginStudy(facts: VariantFacts, start: string | null): Promise<Study> {
  const rules = await Rules.load(facts.tree);
  const usual = rules.newGame().state.position;
  const { position } = rules.newGame({ setup: start }).state;
  // A game of one's own keeps its name in every format.
  const headers = facts.title ? [{ name: "Title", value: facts.title }] : [];
  return { facts, rules, start: position === usual ? null : position, headers, tree: EMPTY, at: START, ended: null };
}

/** Begins a study with a parsed record, at its end. */
export async function studyOf(facts: VariantFacts, record: RecordView): Promise<Study> {
  const study = await beginStudy(facts, record.start);
  const tree = treeOf(record.plies, record.comments);
  const read = { ...study, headers: record.headers, tree, at: endOf(tree, START) };
  return withEnd(read, endBy(headerOf(read, "Reason"), headerOf(read, "Result")));
}

/** Returns the study with the end that players made after the ply that is shown. */
export function withEnd(study: Study, outcome: Outcome | null): Study {
  return { ...study, ended: outcome && { after: study.at, outcome } };
}

/** Returns how the game ended at the ply that is shown, by the rules or by the players. */
export function outcomeOf({ ended, at }: Study, game: Game): Outcome | null {
  return game.state.outcome ?? (ended?.after === at ? ended.outcome : null);
}

function headerOf({ headers }: Study, name: string): string {
  const value = headers.find((one) => one.name === name)?.value ?? "";
  return value === "?" ? "" : value;
}

/** The games after the plies of a tree, computed on demand. */
export class GameCache {
  readonly #games = new Map<number, Game>();
  readonly #study: Study;

  constructor(study: Study) {
    this.#study = study;
    this.#games.set(START, study.rules.newGame({ setup: study.start }));
  }

  /** Returns the game after a ply of a tree that has grown from the study's. */
  after(tree: MoveTree, id: number): Game {
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

  /** Checks whether a study has the same rules and start. */
  isOf(study: Study): boolean {
    return this.#study.rules === study.rules && this.#study.start === study.start;
  }
}

/** Adds a line of moves from the start of a study, up to the first illegal one; its end becomes the current ply. */
export function withMoves(study: Study, moves: readonly string[]): Study {
  let [tree, at] = [study.tree, START];
  let game = study.rules.newGame({ setup: study.start });
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

/** Returns the address of a study: variant, switches, their name and position in the query, the moves in the fragment. */
export function addressOf({ facts, start, tree, at }: Study, path = location.pathname): string {
  const query = variantQuery(facts.id, facts, start);
  const moves = pathTo(tree, at).map((ply) => ply.move);
  return `${path}?${query}${moves.length > 0 ? `#${moves.join(".")}` : ""}`;
}

/** Returns the address that replays a study up to the ply that is shown. */
export function replayAddressOf(study: Study): string {
  const { facts, start, ended, at } = study;
  const query = replayQuery({
    players: [headerOf(study, "Attackers"), headerOf(study, "Defenders")],
    ended: ended?.after === at ? ended.outcome : null,
  });
  return addressOf(study).replace(`${variantQuery(facts.id, facts, start)}`, (own) => `${own}&${query}`);
}

/** Returns the moves in the fragment of an address. */
export function movesIn(hash: string): readonly string[] {
  return hash
    .replace(/^#/, "")
    .split(".")
    .filter((move) => /^[a-s]\d{1,2}-[a-s]\d{1,2}$/.test(move));
}

interface SavedStudy {
  readonly address: string;
  readonly headers: RecordView["headers"];
  readonly comments: readonly string[];
  readonly plies: readonly TreePlyView[];
}

/** Saves a study in this browser, for the next visit. */
export function saveStudy(study: Study): void {
  const address = addressOf(study, "");
  const { comments } = plyOf(study.tree, START);
  const saved: SavedStudy = { address, headers: study.headers, comments, plies: flatten(study.tree) };
  store(KEY, saved);
}

/** Returns a study with the tree that was saved for it, if there is one. */
export function withSavedTree(study: Study): Study {
  try {
    const saved = stored<Partial<SavedStudy>>(KEY, {});
    if (saved.address?.split("#")[0] !== addressOf(study, "").split("#")[0]) return study;
    const tree = treeOf(saved.plies ?? [], saved.comments ?? []);
    const games = new GameCache(study);
    for (const id of tree.plies.keys()) games.after(tree, id);
    return { ...study, headers: saved.headers ?? [], tree };
  } catch {
    // The rules may have changed since: a saved move may be illegal now.
    return study;
  }
}

/** Returns the address of the study that was saved last, or null. */
export function savedAddress(): string | null {
  return stored<Partial<SavedStudy>>(KEY, {}).address ?? null;
}
