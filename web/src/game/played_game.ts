// A game as it was played: a value of the rules for every ply, and the escapes that were refused on the way.

import { type Game, type GameState, type Move, type Outcome, type Piece, type Ply, type Protocol, type Rank, Rules } from "../rules.ts";
import type { Call } from "../ui/call_choice.tsx";
import { withRoadTaken } from "../ui/game_end.ts";
import { protocolOf, type VariantFacts } from "../variants.ts";

/** One move of a record, and its call. Refused escapes are among them. */
export interface Played {
  readonly move: string;
  readonly call: Call;
}

/** An escape that was not announced, and was taken back with the move before it. */
interface RefusedEscape {
  /** The number of plies before it. */
  readonly after: number;
  readonly escape: string;
}

export interface PlayedGame {
  /** `games[k]` is the game after `k` plies. */
  readonly games: readonly Game[];
  /** Everything that was played, refused escapes included; replaying it gives this game. */
  readonly played: readonly Played[];
  readonly refusals: readonly RefusedEscape[];
  /** The call made with each ply: by the program in automatic mode, by the player in manual mode. */
  readonly calls: readonly Call[];
}

/** A move as a record has it; a refused escape follows the move that was taken back for it. */
export interface Entry extends Move {
  readonly number: number;
  /** The move with its captures; a refused escape has none. */
  readonly text: string;
  readonly call: Call;
  readonly status: "played" | "taken_back" | "refused";
  /** Whether the other side could not move and passed. */
  readonly passed: boolean;
}

export type CallMode = Protocol["mode"];

/** Begins a game of a variant, from the start or from a position text. */
export async function beginPlayedGame(facts: VariantFacts, mode: CallMode, start: string | null): Promise<PlayedGame> {
  const rules = await Rules.load(facts.tree);
  const calls = protocolOf(facts.calls, mode);
  const game = rules.newGame({ setup: start || null, calls });
  return { games: [game], played: [], refusals: [], calls: [] };
}

/** Plays a move. Throws `Refused` if it is not legal. */
export function playOn(line: PlayedGame, move: string, call: Call = 0): PlayedGame {
  const before = now(line);
  const game = before.play(move, call);
  const played = [...line.played, { move, call }];
  if (!game.state.calls.refused) {
    return { ...line, games: [...line.games, game], played, calls: [...line.calls, callWith(before, game, call)] };
  }
  const { ply } = game.state;
  const refusals = [...line.refusals, { after: ply, escape: move }];
  return { games: [...line.games.slice(0, ply), game], played, refusals, calls: line.calls.slice(0, ply) };
}

/** Replays a record. Throws `Refused` at a move that is not legal. */
export function replay(line: PlayedGame, played: readonly Played[]): PlayedGame {
  return played.reduce((soFar, { move, call }) => playOn(soFar, move, call), line);
}

/** Ends the game from outside the rules, unless it is over. */
export function ended(line: PlayedGame, outcome: Outcome | null): PlayedGame {
  if (!outcome || now(line).state.outcome) return line;
  return { ...line, games: [...line.games.slice(0, -1), now(line).end(outcome.winner, outcome.reason)] };
}

/** Returns the current game. */
export function now(line: PlayedGame): Game {
  return line.games[line.games.length - 1] as Game;
}

/** Returns the plies from the first. */
export function plies(line: PlayedGame): readonly Ply[] {
  return line.games.slice(1).map((game) => game.state.last as Ply);
}

/** Returns the call made with a move: that of the player, or the required one where the program calls. */
function callWith(before: Game, { state: { calls } }: Game, call: Call): Call {
  if (calls.mode === "off" || before.state.turn !== "defenders") return 0;
  return calls.mode === "manual" ? call : (Math.min(calls.required, 2) as Call);
}

/** Returns the call made with a ply. */
export function calledAt(line: PlayedGame, at: number): Call {
  return line.calls[at - 1] ?? 0;
}

/** Returns everything that was played, in the order of a record. */
export function entriesOf(line: PlayedGame): readonly Entry[] {
  const entries: Entry[] = [];
  let game = line.games[0] as Game;
  for (const { move, call } of line.played) {
    const before = game;
    game = before.play(move, call);
    const number = before.state.ply + 1;
    if (game.state.calls.refused) {
      const { from, to } = before.describe(move);
      entries.push({ ...(entries.pop() as Entry), status: "taken_back" });
      entries.push({ number, from, to, text: `${from}-${to}`, call, status: "refused", passed: false });
    } else {
      const { from, to, text, passed } = game.state.last as Ply;
      entries.push({ number, from, to, text, call: callWith(before, game, call), status: "played", passed });
    }
  }
  return entries;
}

/**
 * Returns the state after a ply as players see it. Players who call manually have to find the open roads: these are
 * hidden until they were called, or the game is over.
 */
export function visibleState(line: PlayedGame, at: number): GameState {
  const shown = line.games[at] ?? now(line);
  const state = withRoadTaken(shown.state);
  const { mode, owed, called: isCalled } = state.calls;
  const isVisible = mode !== "manual" || (owed.length > 0 && isCalled) || now(line).state.outcome !== null;
  return isVisible ? state : { ...state, roads: [] };
}

/** The kinds of pieces; soldiers with a rank are counted as soldiers. */
type Kind = Exclude<Piece, Rank>;

const LETTERS: Readonly<Record<Kind, RegExp>> = { attacker: /[tcnr]/, defender: /[TCNR]/, king: /K/ };

/** Returns how many pieces of a kind the game began with. */
export function startCount(line: PlayedGame, piece: Kind): number {
  const [rows = ""] = (line.games[0] as Game).state.position.split(" ");
  return rows.split(LETTERS[piece]).length - 1;
}

/** Returns how many pieces of each kind have been captured up to a ply. */
export function capturedUpTo(line: PlayedGame, at: number): Readonly<Record<Kind, number>> {
  const counts = { attacker: 0, defender: 0, king: 0 };
  for (const ply of plies(line).slice(0, at)) {
    for (const capture of ply.captures) counts[capture.piece.split("_")[0] as Kind] += 1;
  }
  return counts;
}
