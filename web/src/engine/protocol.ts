// The messages between a page and the worker of the engine.

import type { AnalysisLineView } from "../messages.ts";

/** A game, as the worker needs it: the whole of it, so that a worker that was started again answers alike. */
export interface PlacedGame {
  readonly tree: string;
  readonly setup?: string;
  readonly calls?: unknown;
  readonly moves: readonly (string | readonly [string, number])[];
  /** Weights and calibration as in a file of weights. Default: those fitted for the rules. */
  readonly weights?: string;
}

export type EngineRequest =
  | (PlacedGame & {
      readonly do: "analyse";
      readonly lines?: number;
      readonly nodes?: number;
      readonly time_ms?: number;
      readonly depth?: number;
      /** The moves to consider. Default: all. */
      readonly of?: readonly string[];
      readonly table_mib?: number;
      readonly starts_empty?: boolean;
    })
  | (PlacedGame & { readonly do: "move"; readonly level: number; readonly seed: string });

/** The state of an analysis after an iteration. */
export interface EngineReport {
  readonly lines: AnalysisLineView[];
  readonly depth: number;
  readonly deepest: number;
  readonly nodes: number;
  readonly time_ms: number;
}

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
