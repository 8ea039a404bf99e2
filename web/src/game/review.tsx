// The review after a game: the engine's evaluation of every position as a graph, and the moves that lost most.

import { useEffect, useRef, useState } from "preact/hooks";
import type { EngineReport } from "../engine/engine.ts";
import type { Ply, Side } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";
import { moveNumbers, numberText } from "../ui/move_numbers.ts";
import { withoutCaptures } from "../ui/written_move.ts";
import { otherSide, sideName } from "../variants.ts";
import { analyse } from "./engine.ts";
import { ownSide } from "./ending.ts";
import { calledAt, plies } from "./played_game.ts";
import type { GameSetup, Snapshot } from "./source.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly setup: GameSetup;
  readonly at: number;
  readonly go: (at: number) => void;
  /** Whether the user has already asked for the review. */
  readonly isWanted: boolean;
}

/** The analyses of the positions so far, by ply; null where the game is over. */
type Analyses = readonly (EngineReport | null)[];

/** A move that lost much of the winning chances of its side; chances are those of the attackers, from 0 to 1. */
interface TurningPoint {
  readonly at: number;
  readonly ply: Ply;
  readonly before: number;
  readonly after: number;
  readonly better: string | null;
}

const TIME_MS = 250;
const RETRY_MS = 4_000;
const MOST_ATTEMPTS = 4;
const MOST_POINTS = 3;
const LEAST_LOSS = 0.15;

export function Review({ snapshot, setup, at, go, isWanted }: Props) {
  const [analyses, setAnalyses] = useState<Analyses>([]);
  const [isRequested, setRequested] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const { line } = snapshot;
  const count = line.games.length;

  useEffect(() => {
    setAnalyses([]);
    setRequested(isWanted);
  }, [line, isWanted]);

  useEffect(() => {
    if (!isRequested) return;
    const stop = new AbortController();
    setFailed(false);
    const report = (soFar: Analyses) => !stop.signal.aborted && setAnalyses(soFar);
    analyseAll(setup, snapshot, report, stop.signal).catch(() => {
      if (stop.signal.aborted) return;
      setFailed(true);
      setRequested(false);
    });
    return () => stop.abort();
  }, [isRequested, line]);

  const chances = chancesOf(snapshot, analyses);
  const isDone = analyses.length === count;
  return (
    <section class="review" aria-label={t("web.review")}>
      {analyses.length > 0 ? (
        <Graph snapshot={snapshot} chances={chances} at={at} go={go} />
      ) : (
        <button type="button" disabled={isRequested} onClick={() => setRequested(true)}>
          {t(isRequested ? "web.review.begins" : "web.review.analyse")}
        </button>
      )}
      {hasFailed && <p class="fault">{t("web.hint.none")}</p>}
      {analyses.length > 0 && !isDone && (
        <p class="progress">{t("web.review.progress", { done: analyses.length, all: count })}</p>
      )}
      {isDone && <TurningPoints snapshot={snapshot} points={turningPoints(snapshot, analyses, chances)} go={go} />}
    </section>
  );
}

/** Analyses all positions, one at a time: the engine searches one, and the server accepts no more from one visitor. */
async function analyseAll(
  setup: GameSetup,
  { line }: Snapshot,
  report: (soFar: Analyses) => void,
  signal: AbortSignal,
): Promise<void> {
  const analyses: (EngineReport | null)[] = [];
  for (const [at, game] of line.games.entries()) {
    const isOver = game.state.turn === null;
    analyses.push(isOver ? null : await withRetries(() => analyse(setup, line, at, TIME_MS, signal), signal));
    report([...analyses]);
  }
}

/** Repeats a request while a server is busy. Rejects without a connection. */
async function withRetries(request: () => Promise<EngineReport | null>, signal: AbortSignal): Promise<EngineReport> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const analysis = await request();
      if (analysis) return analysis;
    } catch (error) {
      if (signal.aborted || error instanceof TypeError) throw error;
    }
    if (attempt === MOST_ATTEMPTS) throw new Error("no analysis");
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    signal.throwIfAborted();
  }
}

/** Returns the chances of the attackers after each ply, from 0 to 1. */
function chancesOf({ line }: Snapshot, analyses: Analyses): readonly number[] {
  return analyses.map((analysis, at) => {
    const outcome = line.games[at]?.state.outcome;
    if (outcome) return outcome.winner === null ? 0.5 : outcome.winner === "attackers" ? 1 : 0;
    return analysis?.lines[0]?.chances ?? 0.5;
  });
}

function turningPoints({ line }: Snapshot, analyses: Analyses, chances: readonly number[]): readonly TurningPoint[] {
  const points = plies(line).map((ply, index): TurningPoint => {
    const best = analyses[index]?.lines[0]?.moves[0] ?? null;
    const better = best !== null && best !== `${ply.from}-${ply.to}` ? best : null;
    return { at: index + 1, ply, before: chances[index] ?? 0.5, after: chances[index + 1] ?? 0.5, better };
  });
  const worst = points.filter((point) => loss(point) >= LEAST_LOSS).sort((one, two) => loss(two) - loss(one));
  return worst.slice(0, MOST_POINTS).sort((one, two) => one.at - two.at);
}

/** Returns how much of its chances the side that moved lost. */
function loss({ ply, before, after }: TurningPoint): number {
  return ply.side === "attackers" ? before - after : after - before;
}

/** Returns a ply with its number, as the list of moves writes it: "4. … K e5–e8"; "Start" before the first. */
function namedPly(all: readonly Ply[], at: number): string {
  const [ply, number] = [all[at - 1], moveNumbers(all.map(({ side }) => side))[at - 1]];
  if (!ply || !number) return t("web.analysis.start");
  const letter = ply.piece === "king" ? `${t("web.king.letter")} ` : "";
  return `${numberText(number)} ${letter}${withoutCaptures(ply.text)}`;
}

function percent(chance: number): string {
  return new Intl.NumberFormat(LANGUAGE, { style: "percent" }).format(chance);
}

function expected(side: Side, chance: number): string {
  return percent(side === "attackers" ? chance : 1 - chance);
}

interface TurningPointsProps {
  readonly snapshot: Snapshot;
  readonly points: readonly TurningPoint[];
  readonly go: (at: number) => void;
}

function TurningPoints({ snapshot, points, go }: TurningPointsProps) {
  if (points.length === 0) return <p class="progress">{t("web.review.even")}</p>;
  return (
    <>
      <h2>{plural("web.review.turns", points.length)}</h2>
      <ol class="turning-points">
        {points.map((point) => (
          <li key={point.at}>
            <button type="button" onClick={() => go(point.at)}>
              <b>{namedPly(plies(snapshot.line), point.at)}</b>{" "}
              <span>
                {t("web.review.turn", {
                  side: sideName(point.ply.side),
                  before: expected(point.ply.side, point.before),
                  after: expected(point.ply.side, point.after),
                })}
                {point.better && ` ${t("web.review.better", { move: withoutCaptures(point.better) })}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

const WIDTH = 320;
const HEIGHT = 72;
const BASE = HEIGHT - 8;

interface GraphProps {
  readonly snapshot: Snapshot;
  readonly chances: readonly number[];
  readonly at: number;
  readonly go: (at: number) => void;
}

/** A profile of the chances of the user, or of the attackers, with a notch below every capture and call. */
function Graph({ snapshot, chances, at, go }: GraphProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const last = Math.max(1, snapshot.line.games.length - 1);
  const x = (ply: number) => (ply / last) * WIDTH;
  const side = ownSide(snapshot) ?? "attackers";
  const of = (chance: number) => (side === "attackers" ? chance : 1 - chance);
  const y = (chance: number) => 4 + (1 - of(chance)) * (BASE - 8);
  const points = chances.map((chance, ply) => `${x(ply).toFixed(1)} ${y(chance).toFixed(1)}`);
  const end = x(chances.length - 1).toFixed(1);
  const events = plies(snapshot.line)
    .map((ply, index) => ({ ply, at: index + 1 }))
    .filter((one) => one.ply.captures.length > 0 || calledAt(snapshot.line, one.at) > 0);
  const choose = (event: MouseEvent) => {
    const box = drawing.current?.getBoundingClientRect();
    if (box) go(Math.round(((event.clientX - box.left) / box.width) * last));
  };
  const here = chances[Math.min(at, chances.length - 1)] ?? 0.5;
  return (
    <figure class="graph">
      <figcaption>
        <span>
          {sideName(side)} {percent(of(here))}
        </span>
        <span>
          {sideName(otherSide(side))} {percent(1 - of(here))}
        </span>
      </figcaption>
      <svg ref={drawing} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" onClick={choose}>
        <path class="profile" d={`M0 ${BASE}L${points.join("L")}L${end} ${BASE}Z`} />
        <path class="ridge" d={`M${points.join("L")}`} />
        <path class="middle" d={`M0 ${y(0.5)}H${WIDTH}`} />
        <path class="cut-notches" d={events.map((one) => `M${x(one.at) - 2} ${HEIGHT}l2-6 2 6z`).join("")} />
        <path class="here" d={`M${x(at)} 0V${HEIGHT}`} />
      </svg>
      <p class="note">{t(events.length > 0 ? `web.review.marks.${side}` : `web.review.line.${side}`)}</p>
      <input
        type="range"
        min={0}
        max={snapshot.line.games.length - 1}
        value={at}
        aria-label={t("web.review.slider")}
        aria-valuetext={t("web.review.at", { move: namedPly(plies(snapshot.line), at), side: sideName(side), chance: percent(of(here)) })}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
    </figure>
  );
}
