// Analysis of the position that is shown, by the engine of the server. Leaving a position ends its search.

import { useEffect, useState } from "preact/hooks";
import { failureText, postForLines } from "../http.ts";
import type { AnalysisLineView, AnalysisRequest, AnalysisView, QueueView } from "../messages.ts";
import { Refused, type Rules, type Side } from "../rules.ts";
import { otherSide } from "../variants.ts";

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

/** Analyses a position while `isOn`. The key identifies the position. */
export function useEngine(query: EngineQuery, key: string, lines: number, isOn: boolean, threats: boolean): Analysis {
  const [result, setResult] = useState(NOTHING);
  const [extended, setExtended] = useState<string | null>(null);
  const time_ms = extended === key ? EXTENDED_MS : DEFAULT_MS;
  useEffect(() => {
    // An extended search begins again: the result so far is shown until the search is deeper.
    setResult((was) => (extended === key && was.view ? { ...NOTHING, view: { ...was.view, final: false } } : NOTHING));
    if (!isOn) return;
    const stop = new AbortController();
    const report = (changed: Partial<Result>) => {
      if (!stop.signal.aborted) setResult((was) => (isProgress(was, changed) ? { ...was, ...changed } : was));
    };
    const timer = setTimeout(() => void search(query, { lines, threats, time_ms }, report, stop.signal), DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, lines, isOn, threats, time_ms]);
  const isOutOfTime = (result.view?.final ?? false) && (result.view?.time_ms ?? 0) > time_ms - SLACK_MS;
  return { ...result, isOutOfTime, extend: time_ms < EXTENDED_MS ? () => setExtended(key) : null };
}

function isProgress({ view }: Result, changed: Partial<Result>): boolean {
  return !view || !changed.view || changed.view.final || changed.view.depth >= view.depth;
}

interface Limits {
  readonly lines: number;
  readonly threats: boolean;
  readonly time_ms: number;
}

async function search(
  query: EngineQuery,
  { lines, threats, time_ms }: Limits,
  report: (changed: Partial<Result>) => void,
  signal: AbortSignal,
): Promise<void> {
  const { variant, start, moves } = query;
  const switches = { ...query.switches };
  try {
    const turned = threats ? withOtherSideToMove(query) : null;
    if (turned) {
      const request = { variant, switches, start: turned, lines: 1, time_ms: THREAT_MS };
      await stream(request, signal, (view) => report({ threat: view.lines[0] ?? null }), report);
    }
    const request = { variant, switches, start, moves: [...moves], lines, time_ms };
    await stream(request, signal, (view) => report({ view, queue: 0 }), report);
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

async function stream(
  request: AnalysisRequest,
  signal: AbortSignal,
  take: (view: AnalysisView) => void,
  report: (changed: Partial<Result>) => void,
): Promise<void> {
  for await (const view of postForLines<AnalysisView | QueueView>("/api/analysis", request, signal)) {
    if (view.type === "queue") report({ queue: view.position });
    else take(view);
  }
}
