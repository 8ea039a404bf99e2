// The moves of the computer in a game that this browser keeps: by the engine here, or by the server's.

import { HAS_SERVER } from "../addresses.ts";
import { BrowserEngine, type Placed } from "../engine/engine.ts";
import { postJson } from "../http.ts";
import type { ChosenMove } from "../messages.ts";
import { protocolOf } from "../variants.ts";
import { now, type PlayedGame, plies } from "./played_game.ts";
import type { SavedGame } from "./saved_games.ts";

const HINT_MS = 1_200;
/** The level whose move the server gives as a hint. */
const HINT_LEVEL = 8;

/** Returns the move of the computer in a game. Rejects if it cannot be found. */
export async function computerMove(game: SavedGame, line: PlayedGame, signal: AbortSignal): Promise<string> {
  const { level } = game.computer ?? { level: 1 };
  const found = await moveOfServer(game, line, level, signal);
  if (found !== null) return found;
  const engine = await BrowserEngine.load();
  const { move } = await engine.move(placed(game, line), level, undefined, signal);
  return playable(line, move);
}

/** Returns the move of the server's engine if the user chose it, or this device was measured to be slow; else null. */
async function moveOfServer(game: SavedGame, line: PlayedGame, level: number, signal: AbortSignal): Promise<string | null> {
  const isChosen = game.computer?.isRemote ?? false;
  if (!isChosen && (!HAS_SERVER || (await BrowserEngine.loadIfFast()))) return null;
  try {
    return playable(line, await remoteMove(game, line, level, signal));
  } catch (error) {
    signal.throwIfAborted();
    // Without a connection, when `fetch` rejects with a TypeError, the engine here plays, however slow it is.
    if (isChosen && !(error instanceof TypeError)) throw error;
    return null;
  }
}

/** Returns a good move for the side to move, or null. */
export async function hintMove(game: SavedGame, line: PlayedGame, signal: AbortSignal): Promise<string | null> {
  const found = await moveOfServer(game, line, HINT_LEVEL, signal);
  if (found !== null) return found;
  const engine = await BrowserEngine.load();
  const lines = await engine.analyse(placed(game, line), { lines: 1, time_ms: HINT_MS }, () => {}, signal);
  const move = lines[0]?.moves[0];
  return move === undefined ? null : playable(line, move);
}

/** Returns a game as the engine takes it, with the calls: after a refused escape only one piece may move. */
function placed({ facts, mode, start }: SavedGame, line: PlayedGame): Placed {
  return {
    tree: JSON.stringify(facts.tree),
    calls: JSON.stringify(protocolOf(facts.calls, mode)),
    moves: line.played.map(({ move, call }) => [move, call] as const),
    ...(start === null ? {} : { setup: start }),
  };
}

async function remoteMove(
  { facts, start }: SavedGame,
  line: PlayedGame,
  level: number,
  signal: AbortSignal,
): Promise<string> {
  const moves = plies(line).map(({ text }) => text);
  const request = { variant: facts.id, switches: facts.switches, start, moves, level };
  return (await postJson<ChosenMove>("/api/moves", request, signal)).move;
}

/** Returns the move if it may be played, else another: the server does not know which piece must be replayed. */
function playable(line: PlayedGame, move: string): string {
  const [from = "", to = ""] = (move.split("x")[0] ?? move).split("-");
  const { legal } = now(line);
  if ((legal[from] ?? []).some((one) => one.to === to)) return move;
  const all = Object.entries(legal).flatMap(([origin, moves]) => moves.map((one) => `${origin}-${one.to}`));
  return all[Math.floor(Math.random() * all.length)] ?? "";
}
