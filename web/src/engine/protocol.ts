// The messages between a page and the worker of the engine.

import type { AnalysisView } from "../messages.ts";

/** A game, as the worker needs it: the whole of it, so that a worker that was started again answers alike. */
export interface PlacedGame {
  readonly tree: string;
  /** A position text; null for the start of the rules. */
  readonly setup: string | null;
  readonly calls?: unknown;
  /** Moves, or pairs of a move and the number of open roads that were called. */
  readonly moves: readonly (string | readonly [string, number])[];
  /** Weights and calibration as in a file of weights. Default: those fitted for the rules. */
  readonly weights?: string;
}

/** When a search ends, and how many lines it reports. Without a limit it runs until it is cancelled. */
export interface SearchOptions {
  readonly lines?: number;
  readonly nodes?: number;
  readonly time_ms?: number;
  readonly depth?: number;
  /** The moves to consider. Default: all. */
  readonly of?: readonly string[];
  /** Whether it knows nothing of earlier searches, so that the same positions give the same answer. */
  readonly starts_empty?: boolean;
}

export type EngineRequest =
  | (PlacedGame & SearchOptions & { readonly do: "analyse"; readonly table_mib?: number })
  | (PlacedGame & { readonly do: "move"; readonly level: number; readonly seed: string });

/** The state of an analysis after an iteration. */
export type EngineReport = Omit<AnalysisView, "type" | "final">;

export interface ChosenMove {
  readonly move: string;
  readonly analysis: EngineReport;
}

/** To the worker: the compiled module, once, then requests, one at a time. */
export type ToWorker = { readonly module: WebAssembly.Module } | { readonly request: EngineRequest };

/** From the worker: reports, then the answer or the failure. */
export type FromWorker =
  | { readonly report: EngineReport }
  | { readonly answer: unknown }
  | { readonly failure: string };
