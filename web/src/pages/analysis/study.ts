// A study: a variant, a start position, a tree of moves, and the ply that is shown.

import type { RecordView } from "../../messages.ts";
import { callHeaders, callMode, endBy, linkedMove, type Replay, replayQuery } from "../../game/replay_link.ts";
import { type Game, type Outcome, Refused, Rules } from "../../rules.ts";
import { newId } from "../../storage.ts";
import { type VariantFacts, variantQuery } from "../../variants.ts";
import { alternativesAfter, EMPTY, endOf, type CalledMove, type MoveTree, pathTo, type Ply, play, playUndone, plyOf, START, treeOf } from "./move_tree.ts";

export interface Study {
  /** The game or record that it is about; empty for moves that are tried from a position. */
  readonly id: string;
  readonly facts: VariantFacts;
  readonly rules: Rules;
  /** The position text it begins from; null for the start of the rules. */
  readonly start: string | null;
  readonly headers: RecordView["headers"];
  readonly tree: MoveTree;
  readonly at: number;
  /** The ply after which the players ended the game, and how. */
  readonly ended: { readonly after: number; readonly outcome: Outcome } | null;
  /** Whether the user has changed it: such a study is not forgotten when another one is opened. */
  readonly isOwn: boolean;
}

/** Begins a study. Rejects with `Refused` if no game can be played from the position. */
export async function beginStudy(facts: VariantFacts, start: string | null, id = ""): Promise<Study> {
  const rules = await Rules.load(facts.tree);
  const usual = rules.newGame().state.position;
  const { position } = rules.newGame({ setup: start }).state;
  // A game of one's own keeps its name in every format.
  const headers = facts.title ? [{ name: "Title", value: facts.title }] : [];
  const begun = { tree: EMPTY, at: START, ended: null, isOwn: false };
  return { id, facts, rules, start: position === usual ? null : position, headers, ...begun };
}

/** Begins a study of its own with a parsed record, at its end. */
export async function studyOf(facts: VariantFacts, record: RecordView): Promise<Study> {
  const study = await beginStudy(facts, record.start, newId());
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

/**
 * Adds a line of moves, as links have them, from the start of a study, up to the first illegal one; its end becomes the
 * current ply.
 */
export function withMoves(study: Study, moves: readonly string[]): Study {
  let [tree, at] = [study.tree, START];
  let game = study.rules.newGame({ setup: study.start });
  for (const move of moves) {
    const [made, refused] = move.split("~").map(readMove) as [CalledMove, CalledMove?];
    try {
      const after = game.play(made[0]);
      if (refused) {
        after.play(refused[0]);
        tree = playUndone(tree, at, made, refused);
        continue;
      }
      game = after;
    } catch (error) {
      if (error instanceof Refused) break;
      throw error;
    }
    [tree, at] = play(tree, at, ...made);
  }
  return { ...study, tree, at };
}

function readMove(text: string): CalledMove {
  const [move = "", call = "0"] = text.split("!");
  return [move, Number(call)];
}

/** Returns the query that names a study: variant, switches with their name, position, and its game or record. */
export function queryOf({ facts, start, id }: Study): string {
  const query = variantQuery(facts.id, facts, start);
  if (id) query.set("study", id);
  return query.toString();
}

/** Returns the address of a study: what names it and its game in the query, the moves in the fragment. */
export function addressOf(study: Study, path = location.pathname): string {
  return addressWith(study, study.id ? `${queryOf(study)}&${gameQueryOf(study)}` : queryOf(study), path);
}

/** Returns the address that replays a study up to the ply that is shown. */
export function replayAddressOf(study: Study): string {
  return addressWith(study, `${queryOf({ ...study, id: "" })}&${gameQueryOf(study)}`, location.pathname);
}

function addressWith({ tree, at }: Study, query: string, path: string): string {
  const moves = pathTo(tree, at).flatMap((ply) => {
    const taken = alternativesAfter(tree, ply.parent).find(({ counted }) => counted === ply.id)?.undone ?? [];
    return [...taken.map((id) => `${linked(tree, id)}~${linked(tree, plyOf(tree, id).children[0])}`), linked(tree, ply.id)];
  });
  return `${path}?${query}${moves.length > 0 ? `#${moves.join(".")}` : ""}`;
}

function linked(tree: MoveTree, id = START): string {
  const { move, call } = plyOf(tree, id);
  return linkedMove(move, call);
}

/** Returns the part of a query that says who played, when, and how the players ended the game at the ply that is shown. */
function gameQueryOf(study: Study): string {
  const { ended, at } = study;
  return replayQuery({
    players: [headerOf(study, "Attackers"), headerOf(study, "Defenders")],
    date: headerOf(study, "Date"),
    calls: callMode(headerOf(study, "Calls")),
    ended: ended?.after === at ? ended.outcome : null,
  });
}

/** Returns the study with the players, the date, the calls and the end that an address names; the end is after the ply shown. */
export function ofGame(study: Study, { players: [attackers, defenders], date, calls, ended }: Replay): Study {
  const protocol = calls === "off" ? {} : callHeaders(study.facts.calls, calls);
  const result = ended ? { Result: ended.winner ?? "draw", Reason: ended.reason } : {};
  const named = Object.entries({ Attackers: attackers, Defenders: defenders, Date: date, ...protocol, ...result });
  const headers = new Map(study.headers.map(({ name, value }) => [name, value]));
  for (const [name, value] of named) if (value) headers.set(name, value);
  const read = { ...study, headers: [...headers].map(([name, value]) => ({ name, value })) };
  return ended ? withEnd(read, ended) : read;
}

const MOVE = "[a-s]\\d{1,2}-[a-s]\\d{1,2}(![12])?";
const LINKED = new RegExp(`^${MOVE}(~${MOVE})?$`);

/** Returns the moves in the fragment of an address. */
export function movesIn(hash: string): readonly string[] {
  return hash
    .replace(/^#/, "")
    .split(".")
    .filter((move) => LINKED.test(move));
}
