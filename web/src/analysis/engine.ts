// What the engine of the server finds about a position, line by line as it comes; leaving a position ends the search.

import { useEffect, useState } from "preact/hooks";
import type { AnalysisLineView, AnalysisRequest, AnalysisView, Failure, QueueView } from "../messages.ts";
import { Refused, type Rules, type Side } from "../rules.ts";
import { t } from "../texts.ts";
import { asked, troubleOf } from "./records.tsx";

/** How long a position is looked at by itself, and how long if it is asked for: no server wants to do so for ever. */
const USUAL_MS = 20_000;
const LONGEST_MS = 60_000;
/** What a search may end before its time, and still have been ended by it. */
const SLACK_MS = 1_000;
const THREAT_MS = 700;
/** Whoever steps through a game does not want every position on the way looked at. */
const PAUSE_MS = 200;

export interface Asked {
  readonly variant: string;
  readonly switches: Readonly<Record<string, string>>;
  readonly start: string | null;
  readonly moves: readonly string[];
  /** The position, whose other side is asked for its threats. */
  readonly position: string;
  readonly rules: Rules;
}

export interface Found {
  readonly view: AnalysisView | null;
  /** What the other side would play if it were its turn. */
  readonly threat: AnalysisLineView | null;
  /** How many analyses are before this one. */
  readonly queue: number;
  readonly trouble: string | null;
  /** Whether it was the time that ended it, and how it goes on if it can. */
  readonly isOutOfTime: boolean;
  readonly goOn: (() => void) | null;
}

type Heard = Omit<Found, "isOutOfTime" | "goOn">;

const NOTHING: Heard = { view: null, threat: null, queue: 0, trouble: null };

/** Asks about a position as long as `isOn`; `key` tells positions apart. */
export function useEngine(what: Asked | null, key: string, lines: number, isOn: boolean, threats: boolean): Found {
  const [found, setFound] = useState(NOTHING);
  const [extended, setExtended] = useState<string | null>(null);
  const time_ms = extended === key ? LONGEST_MS : USUAL_MS;
  useEffect(() => {
    // What was found so far stays in sight until more is known.
    setFound((was) => (extended === key && was.view ? { ...NOTHING, view: { ...was.view, final: false } } : NOTHING));
    if (!isOn || !what) return;
    const ending = new AbortController();
    const tell = (changed: Partial<Heard>) => {
      if (!ending.signal.aborted) setFound((was) => (isNews(was, changed) ? { ...was, ...changed } : was));
    };
    const timer = setTimeout(() => void search(what, { lines, threats, time_ms }, tell, ending.signal), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [key, lines, isOn, threats, time_ms]);
  const isOutOfTime = (found.view?.final ?? false) && (found.view?.time_ms ?? 0) > time_ms - SLACK_MS;
  return { ...found, isOutOfTime, goOn: time_ms < LONGEST_MS ? () => setExtended(key) : null };
}

/** Whether something is more than is known: a search that begins again has to come as far first. */
function isNews({ view }: Heard, changed: Partial<Heard>): boolean {
  return !view || !changed.view || changed.view.final || changed.view.depth >= view.depth;
}

interface Extent {
  readonly lines: number;
  readonly threats: boolean;
  readonly time_ms: number;
}

async function search(
  what: Asked,
  { lines, threats, time_ms }: Extent,
  tell: (changed: Partial<Heard>) => void,
  signal: AbortSignal,
): Promise<void> {
  const { variant, start, moves } = what;
  const switches = { ...what.switches };
  try {
    const turned = threats ? turnedRound(what) : null;
    if (turned) {
      const request = { variant, switches, start: turned, lines: 1, time_ms: THREAT_MS };
      await stream(request, signal, (view) => tell({ threat: view.lines[0] ?? null }), tell);
    }
    const request = { variant, switches, start, moves: [...moves], lines, time_ms };
    await stream(request, signal, (view) => tell({ view, queue: 0 }), tell);
  } catch (error) {
    if (!signal.aborted) tell({ trouble: troubleOf(error) });
  }
}

/** The position with the other side to move; null if it could not move. */
function turnedRound({ position, rules }: Asked): string | null {
  const [rows, turn] = position.split(" ");
  const other: Side = turn === "a" ? "defenders" : "attackers";
  const text = `${rows} ${other === "attackers" ? "a" : "d"} 0`;
  try {
    return rules.newGame({ setup: text }).state.turn === other ? text : null;
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** Reads an answer as it comes, one JSON object a line. */
async function stream(
  request: AnalysisRequest,
  signal: AbortSignal,
  take: (view: AnalysisView) => void,
  tell: (changed: Partial<Heard>) => void,
): Promise<void> {
  const response = await asked("/api/analysis", request, signal);
  const reader = (response.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const texts = (rest + part.value).split("\n");
    rest = texts.pop() ?? "";
    for (const text of texts.filter(Boolean)) {
      const answer = JSON.parse(text) as AnalysisView | QueueView | Failure;
      if ("code" in answer) throw new Error(answer.message || t("web.rejected"));
      if (answer.type === "queue") tell({ queue: answer.position });
      else take(answer);
    }
  }
}
