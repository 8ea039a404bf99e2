// What the engine on the server finds: asked for, and read as it comes.

import type { AnalysisView, QueueView } from "../messages.ts";
import type { Step } from "../rules.ts";
import { type Line, now, plies } from "./line.ts";

/** Which rules a game is played by, and from where. */
export interface Ground {
  readonly variant: string;
  readonly switches: Readonly<Record<string, string>>;
  readonly start: string | null;
}

interface Wish {
  readonly time_ms: number;
  readonly lines: number;
  readonly signal?: AbortSignal;
}

const HINT_MS = 1_500;

/** Analyses a line as it stands after `at` plies, and gives the last word; null if there is none. */
export async function analyse(ground: Ground, line: Line, at: number, wish: Wish): Promise<AnalysisView | null> {
  const moves = plies(line).slice(0, at).map(({ text }) => text);
  const response = await fetch("/api/analysis", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...ground, moves, lines: wish.lines, time_ms: wish.time_ms }),
    ...(wish.signal ? { signal: wish.signal } : {}),
  });
  if (!response.ok) return null;
  const told = (await response.text()).trim().split("\n");
  const answers = told.map((text) => JSON.parse(text) as AnalysisView | QueueView);
  return answers.findLast((answer): answer is AnalysisView => answer.type === "analysis") ?? null;
}

/** The move that the engine would play; null if it finds none that is allowed. */
export async function bestMove(ground: Ground, line: Line): Promise<Step | null> {
  const found = await analyse(ground, line, line.games.length - 1, { time_ms: HINT_MS, lines: 1 });
  const move = found?.lines[0]?.moves[0];
  if (!move) return null;
  const { from, to } = now(line).describe(move);
  return { from, to };
}
