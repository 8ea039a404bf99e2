// Analysis of positions of a game: by the engine in the browser, or by that of the server where the device is slow.

import { BrowserEngine, type EngineReport, placedGame } from "../engine/engine.ts";
import { postForLines } from "../http.ts";
import type { AnalysisView, QueueView } from "../messages.ts";
import type { Move } from "../rules.ts";
import { type PlayedGame, now, plies } from "./played_game.ts";
import type { GameSetup } from "./source.ts";

const HINT_MS = 1_500;
/** By how much a count of positions may exceed the time on a device that is not slow. */
const PATIENCE = 4;

/** How long a search takes on a server; and how many positions it visits here, where that shall not depend on the device. */
interface Effort {
  readonly time_ms: number;
  readonly nodes?: number;
}

/** Analyses the position after `at` plies and returns the final analysis, or null. Rejects if there is no engine. */
export async function analyse(
  setup: GameSetup,
  line: PlayedGame,
  at: number,
  { time_ms, nodes }: Effort,
  signal: AbortSignal | null = null,
): Promise<EngineReport | null> {
  const moves = plies(line).slice(0, at).map(({ text }) => text);
  const limits = nodes ? { nodes, time_ms: PATIENCE * time_ms, starts_empty: true } : { time_ms };
  const search = (engine: BrowserEngine) =>
    engine.search(placedGame(now(line).rules, setup.start, moves), { lines: 1, ...limits }, () => {}, signal);
  const engine = await BrowserEngine.loadIfFast();
  if (engine) return search(engine);
  try {
    const { variant, switches, start } = setup;
    return await analyseOnServer({ variant, switches, start, moves, lines: 1, time_ms }, signal);
  } catch (error) {
    // `fetch` rejects with a TypeError if the server cannot be reached: better slow than not at all.
    if (!(error instanceof TypeError)) throw error;
    return search(await BrowserEngine.load());
  }
}

async function analyseOnServer(request: object, signal: AbortSignal | null): Promise<AnalysisView | null> {
  let last: AnalysisView | null = null;
  for await (const view of postForLines<AnalysisView | QueueView>("/api/analysis", request, signal)) {
    if (view.type === "analysis") last = view;
  }
  return last;
}

/** Returns the best move, or null if there is none. */
export async function bestMove(setup: GameSetup, line: PlayedGame): Promise<Move | null> {
  const analysis = await analyse(setup, line, line.games.length - 1, { time_ms: HINT_MS });
  const move = analysis?.lines[0]?.moves[0];
  if (!move) return null;
  const { from, to } = now(line).describe(move);
  return { from, to };
}
