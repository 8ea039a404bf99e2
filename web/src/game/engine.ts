// Analysis of positions of a game by the engine of the server.

import { postForLines } from "../http.ts";
import type { AnalysisView, QueueView } from "../messages.ts";
import type { Move } from "../rules.ts";
import { type PlayedGame, now, plies } from "./played_game.ts";
import type { GameSetup } from "./source.ts";

const HINT_MS = 1_500;

/** Analyses the position after `at` plies and returns the final analysis, or null. Rejects if the server refuses. */
export async function analyse(
  setup: GameSetup,
  line: PlayedGame,
  at: number,
  time_ms: number,
  signal: AbortSignal | null = null,
): Promise<AnalysisView | null> {
  const moves = plies(line).slice(0, at).map(({ text }) => text);
  const request = { ...setup, moves, lines: 1, time_ms };
  let last: AnalysisView | null = null;
  for await (const view of postForLines<AnalysisView | QueueView>("/api/analysis", request, signal)) {
    if (view.type === "analysis") last = view;
  }
  return last;
}

/** Returns the best move, or null if there is none. */
export async function bestMove(setup: GameSetup, line: PlayedGame): Promise<Move | null> {
  const analysis = await analyse(setup, line, line.games.length - 1, HINT_MS);
  const move = analysis?.lines[0]?.moves[0];
  if (!move) return null;
  const { from, to } = now(line).describe(move);
  return { from, to };
}
