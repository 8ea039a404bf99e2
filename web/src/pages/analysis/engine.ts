// Analysis of the position that is shown, by the engine in the browser or that of the server. Leaving a position ends its
// search; stopping the engine leaves what it has found.

import { useEffect, useRef, useState } from "preact/hooks";
import { BrowserEngine, type EngineReport, placedGame } from "../../engine/engine.ts";
import { failureText, postForLines } from "../../http.ts";
import type { AnalysisLineView, AnalysisRequest, AnalysisView, QueueView } from "../../messages.ts";
import { Refused, type Rules, type Side } from "../../rules.ts";
import { otherSide } from "../../variants.ts";

/** The time for a search by default, and if the user extends it. */
const DEFAULT_MS = 20_000;
const EXTENDED_MS = 60_000;
/** A search that ends at most this much before its time was ended by its time. */
const SLACK_MS = 1_000;
const THREAT_MS = 700;
/** The delay before a search, for users who step through a game. */
const DELAY_MS = 200;

export interface EngineQuery {
  readonly variant: string;
  readonly switches: Readonly<Record<string, string>>;
  readonly start: string | null;
  readonly moves: readonly string[];
  /** The position after the moves. */
  readonly position: string;
  readonly rules: Rules;
}

interface Result {
  readonly view: AnalysisView | null;
  /** The best line of the other side if it were its turn. */
  readonly threat: AnalysisLineView | null;
  /** The number of analyses that come first. */
  readonly queue: number;
  readonly failure: string | null;
}

export interface Analysis extends Result {
  readonly isOutOfTime: boolean;
  /** Searches longer; null if it cannot. */
  readonly extend: (() => void) | null;
}

const NOTHING: Result = { view: null, threat: null, queue: 0, failure: null };

/** What the user chose: the lines to show, the threats of the other side, and who searches. */
export interface EngineChoice {
  readonly isOn: boolean;
  readonly lines: number;
  readonly threats: boolean;
  /** Whether the engine of the server searches. */
  readonly isOnServer: boolean;
}

/** Analyses a position while `choice.isOn` and `isOpen`. The key identifies the position. */
export function useEngine(query: EngineQuery, key: string, choice: EngineChoice, isOpen: boolean): Analysis {
  const { lines, threats, isOnServer } = choice;
  const isOn = choice.isOn && isOpen;
  const [result, setResult] = useState(NOTHING);
  const [extended, setExtended] = useState<string | null>(null);
  const searched = useRef(key);
  const time_ms = extended === key ? EXTENDED_MS : DEFAULT_MS;
  useEffect(() => {
    // An extended search begins again: the result so far is shown until the search is deeper.
    const isKept = isOpen && searched.current === key && (!isOn || extended === key);
    setResult((was) =>
      isKept && was.view ? { ...was, queue: 0, failure: null, view: { ...was.view, final: false } } : NOTHING,
    );
    searched.current = key;
    if (!isOn) return;
    const stop = new AbortController();
    const report = (changed: Partial<Result>) => {
      if (!stop.signal.aborted) setResult((was) => (isProgress(was, changed) ? { ...was, ...changed } : was));
    };
    const timer = setTimeout(() => void search(query, { lines, threats, isOnServer, time_ms }, report, stop.signal), DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, lines, isOn, isOpen, threats, isOnServer, time_ms]);
  // What was found in another position is never shown, not even until the effect.
  const found = searched.current === key ? result : NOTHING;
  const isOutOfTime = (found.view?.final ?? false) && (found.view?.time_ms ?? 0) > time_ms - SLACK_MS;
  return { ...found, isOutOfTime, extend: time_ms < EXTENDED_MS ? () => setExtended(key) : null };
}

function isProgress({ view }: Result, changed: Partial<Result>): boolean {
  return !view || !changed.view || changed.view.final || changed.view.depth >= view.depth;
}

async function search(
  query: EngineQuery,
  { lines, threats, isOnServer, time_ms }: Omit<EngineChoice, "isOn"> & { readonly time_ms: number },
  report: (changed: Partial<Result>) => void,
  signal: AbortSignal,
): Promise<void> {
  const { start, moves } = query;
  try {
    const engine = isOnServer ? null : await BrowserEngine.loadIfFast();
    const searched = engine ? inBrowser(engine, query, signal) : onServer(query, signal, report);
    const turned = threats ? withOtherSideToMove(query) : null;
    if (turned) await searched(turned, [], 1, THREAT_MS, (view) => report({ threat: view.lines[0] ?? null }));
    await searched(start, moves, lines, time_ms, (view) => report({ view, queue: 0 }));
  } catch (error) {
    if (!signal.aborted) report({ failure: failureText(error) });
  }
}

/** Returns the position with the other side to move, or null if that side could not move. */
function withOtherSideToMove({ position, rules }: EngineQuery): string | null {
  const [rows, turn] = position.split(" ");
  const other: Side = otherSide(turn === "a" ? "attackers" : "defenders");
  const setup = `${rows} ${other === "attackers" ? "a" : "d"} 0`;
  try {
    return rules.newGame({ setup }).state.turn === other ? setup : null;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** Searches a position after moves from a start, and passes every report on. */
type Search = (
  start: string | null,
  moves: readonly string[],
  lines: number,
  time_ms: number,
  take: (view: AnalysisView) => void,
) => Promise<void>;

function inBrowser(engine: BrowserEngine, { rules }: EngineQuery, signal: AbortSignal): Search {
  return async (start, moves, lines, time_ms, take) => {
    const view = (found: EngineReport, final: boolean): AnalysisView => ({ type: "analysis", ...found, final });
    const placed = placedGame(rules, start, moves);
    take(view(await engine.search(placed, { lines, time_ms }, (found) => take(view(found, false)), signal), true));
  };
}

function onServer(query: EngineQuery, signal: AbortSignal, report: (changed: Partial<Result>) => void): Search {
  const { variant, switches } = query;
  return async (start, moves, lines, time_ms, take) => {
    const request: AnalysisRequest = { variant, switches: { ...switches }, start, moves: [...moves], lines, time_ms };
    for await (const view of postForLines<AnalysisView | QueueView>("/api/analysis", request, signal)) {
      if (view.type === "queue") report({ queue: view.position });
      else take(view);
    }
  };
}
