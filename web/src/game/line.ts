// A game as it was played: a value of the rules for every ply, and the escapes that were refused on the way.

import { type Game, type NewGame, type GameState, type Piece, type Rank, type Ply, Rules, type Side } from "../rules.ts";
import type { GameFacts } from "./facts.ts";

/** One move of a record: as it is written, what was called with it, and whether it was refused. */
export interface Played {
  readonly move: string;
  readonly call: 0 | 1 | 2;
}

/** An escape that was not announced, and was taken back with the move before it. */
export interface Refusal {
  /** How many plies stand before it. */
  readonly after: number;
  readonly escape: string;
}

export interface Line {
  /** `games[k]` is the game after `k` plies. */
  readonly games: readonly Game[];
  /** Everything that was played, refused escapes too: from it the line is played again. */
  readonly played: readonly Played[];
  readonly refusals: readonly Refusal[];
  /** What the player called with each ply. */
  readonly said: readonly (0 | 1 | 2)[];
}

export type CallMode = "off" | "auto" | "manual";

/** Begins a game of a variant. */
export async function beginLine(facts: GameFacts, mode: CallMode, start?: string): Promise<Line> {
  const rules = await Rules.load(facts.tree);
  const calls: NewGame["calls"] = facts.calls
    ? { mode, sanction: facts.calls.sanction, replay: facts.calls.replay }
    : { mode: "off" };
  const game = rules.newGame(start ? { setup: start, calls } : { calls });
  return { games: [game], played: [], refusals: [], said: [] };
}

/** Plays a move; the rules throw `Refused` if it is not legal. */
export function playOn(line: Line, move: string, call: 0 | 1 | 2 = 0): Line {
  const game = now(line).play(move, call);
  const played = [...line.played, { move, call }];
  if (!game.state.calls.refused) {
    return { ...line, games: [...line.games, game], played, said: [...line.said, call] };
  }
  const kept = line.games.slice(0, game.state.ply);
  const refusal = { after: game.state.ply, escape: move };
  const said = line.said.slice(0, game.state.ply);
  return { games: [...kept, game], played, refusals: [...line.refusals, refusal], said };
}

/** Plays a record again; what the rules do not allow any more ends it. */
export function replay(line: Line, played: readonly Played[]): Line {
  return played.reduce((so_far, { move, call }) => playOn(so_far, move, call), line);
}

/** The game as it stands. */
export function now(line: Line): Game {
  return line.games[line.games.length - 1] as Game;
}

/** The plies of the game, from the first. */
export function plies(line: Line): readonly Ply[] {
  return line.games.slice(1).map((game) => game.state.last as Ply);
}

/** What counts as called with a ply of the king's side: by the program where it calls, else by the player. */
export function called(line: Line, at: number): 0 | 1 | 2 {
  const calls = line.games[at]?.state.calls;
  if (!calls || calls.mode === "off" || line.games[at - 1]?.state.turn !== "defenders") return 0;
  if (calls.mode === "manual") return line.said[at - 1] ?? 0;
  return Math.min(calls.required, 2) as 0 | 1 | 2;
}

/**
 * The state after a ply as players see it. Who calls by hand has to find the roads: until they were called, or the game
 * is over, none is shown.
 */
export function seenAt(line: Line, at: number): GameState {
  const { state } = line.games[at] ?? now(line);
  const { mode, owed, called: isCalled } = state.calls;
  const isTold = mode !== "manual" || (owed.length > 0 && isCalled) || now(line).state.outcome !== null;
  return isTold ? state : { ...state, roads: [] };
}

/** The kinds of pieces, those with a rank among the soldiers. */
type Kind = Exclude<Piece, Rank>;

const LETTERS: Readonly<Record<Kind, RegExp>> = { attacker: /[tcnr]/, defender: /[TCNR]/, king: /K/ };

/** How many pieces of a kind the game began with. */
export function standingAt(line: Line, piece: Kind): number {
  const [rows = ""] = (line.games[0] as Game).state.position.split(" ");
  return rows.split(LETTERS[piece]).length - 1;
}

/** How many pieces of each kind have been captured up to a ply. */
export function lost(line: Line, at: number): Readonly<Record<Kind, number>> {
  const counts = { attacker: 0, defender: 0, king: 0 };
  for (const ply of plies(line).slice(0, at)) {
    for (const capture of ply.captures) counts[capture.piece.split("_")[0] as Kind] += 1;
  }
  return counts;
}

/** How many soldiers a side has captured. */
export function captured(line: Line, by: Side): number {
  const counts = lost(line, line.games.length - 1);
  return by === "attackers" ? counts.defender : counts.attacker;
}
