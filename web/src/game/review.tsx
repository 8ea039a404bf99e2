// The review after a game: the engine's evaluation of every position as a graph, and the moves that lost most.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { BrowserEngine, type EngineReport } from "../engine/engine.ts";
import type { Game, Outcome, Ply, Side } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";
import { BY_PLAYERS } from "../ui/outcome.ts";
import { moveText, withoutCaptures } from "../ui/written_move.ts";
import { sideName } from "../variants.ts";
import { analyse } from "./engine.ts";
import { ownSide } from "./ending.ts";
import { calledAt, plies } from "./played_game.ts";
import type { GameSetup, Snapshot } from "./source.ts";

/** What the engine has found out about a game so far. */
export interface GameReview {
  /** The chances of the attackers after each ply, from 0 to 1. */
  readonly chances: readonly number[];
  /** The moves that lost most, once all positions are analysed. */
  readonly points: readonly TurningPoint[] | null;
  readonly state: "none" | "running" | "failed" | "done";
  /** The engine's move after so many plies, `e5-e8`, as far as it is known. */
  readonly best: (at: number) => string | null;
  /** Whether games of these rules were measured: else chances are only estimates, which are not shown as numbers. */
  readonly isMeasured: boolean;
  /** Begins; does nothing once it has begun. A quiet one asks no server, and begins only where the browser is fast. */
  readonly begin: (isQuiet?: boolean) => void;
}

interface Props {
  readonly snapshot: Snapshot;
  readonly review: GameReview;
  readonly at: number;
  readonly go: (at: number) => void;
}

/** The analyses of the positions so far, by ply; null where the board ended the game. */
type Analyses = readonly (EngineReport | null)[];

/** A move that lost much of the winning chances of its side; chances are those of the attackers, from 0 to 1. */
interface TurningPoint {
  readonly at: number;
  readonly ply: Ply;
  readonly before: number;
  readonly after: number;
  readonly better: string | null;
}

/** Both players see the same curve and turning points: a search ends after so many positions on every usual device. */
const NODES = 100_000;
const ALL_NODES = 6_000_000;
const TIME_MS = 250;
/** Positions of long games get less time each, so that the curve is there while it is looked at. */
const ALL_MS = 12_000;
const RETRY_MS = 4_000;
const MOST_ATTEMPTS = 4;
const MOST_POINTS = 3;
const LEAST_LOSS = 0.15;

/** Keeps the review of a game; without its setup there is none. */
export function useReview(setup: GameSetup | undefined, snapshot: Snapshot): GameReview {
  const [analyses, setAnalyses] = useState<Analyses>([]);
  const [state, setState] = useState<GameReview["state"]>("none");
  const running = useRef<AbortController | null>(null);
  useEffect(
    () => () => {
      running.current?.abort();
      running.current = null;
      setAnalyses([]);
      setState("none");
    },
    [snapshot.line],
  );
  const begin = async (isQuiet = false) => {
    if (!setup || running.current) return;
    const { signal } = (running.current = new AbortController());
    if (isQuiet && !(await BrowserEngine.loadIfFast())) {
      running.current = null;
      return;
    }
    setState("running");
    try {
      await analyseAll(setup, snapshot, (soFar) => !signal.aborted && setAnalyses(soFar), signal);
      if (!signal.aborted) setState("done");
    } catch {
      if (signal.aborted) return;
      running.current = null;
      setState("failed");
    }
  };
  const chances = chancesOf(snapshot, analyses);
  const points = state === "done" ? turningPoints(snapshot, analyses, chances) : null;
  const isMeasured = analyses.every((one) => one?.lines[0]?.spread !== null);
  const best = (at: number) => bestAfter(analyses, at);
  return { chances, points, state, best, isMeasured, begin: (isQuiet) => void begin(isQuiet) };
}

export function Review({ snapshot, review, at, go }: Props) {
  const { chances, points, state, isMeasured, begin } = review;
  return (
    <section class="review" aria-label={t("web.review")}>
      {chances.length > 0 ? (
        <Graph snapshot={snapshot} review={review} at={at} go={go} />
      ) : (
        <button type="button" disabled={state === "running"} onClick={() => begin()}>
          {t(state === "running" ? "web.review.begins" : "web.review.analyse")}
        </button>
      )}
      {state === "failed" && <p class="fault">{t("web.hint.none")}</p>}
      {state === "running" && chances.length > 0 && <Progress snapshot={snapshot} review={review} />}
      {points && <TurningPoints snapshot={snapshot} points={points} isMeasured={isMeasured} go={go} />}
    </section>
  );
}

function Progress({ snapshot, review }: { readonly snapshot: Snapshot; readonly review: GameReview }) {
  return <p class="progress">{t("web.review.progress", { done: review.chances.length, all: snapshot.line.games.length })}</p>;
}

/** Analyses all positions, one at a time: the engine searches one, and the server accepts no more from one visitor. */
async function analyseAll(
  setup: GameSetup,
  { line }: Snapshot,
  report: (soFar: Analyses) => void,
  signal: AbortSignal,
): Promise<void> {
  const analyses: (EngineReport | null)[] = [];
  const count = line.games.length;
  const time_ms = Math.min(TIME_MS, Math.ceil(ALL_MS / count));
  const nodes = Math.min(NODES, Math.ceil(ALL_NODES / count));
  for (const [at, game] of line.games.entries()) {
    analyses.push(endOnBoard(game) ? null : await withRetries(() => analyse(setup, line, at, { time_ms, nodes }, signal), signal));
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

/** Returns how the board ended a game. Resignations and results that a host sets are no fault of the last move. */
function endOnBoard(game: Game | undefined): Outcome | null {
  const outcome = game?.state.outcome;
  return outcome && !BY_PLAYERS.includes(outcome.reason) ? outcome : null;
}

/** Returns the chances of the attackers after each ply, from 0 to 1. */
function chancesOf({ line }: Snapshot, analyses: Analyses): readonly number[] {
  return analyses.map((analysis, at) => {
    const outcome = endOnBoard(line.games[at]);
    if (outcome) return outcome.winner === null ? 0.5 : outcome.winner === "attackers" ? 1 : 0;
    return analysis?.lines[0]?.chances ?? 0.5;
  });
}

/** Returns the moves that lost most, the first one first. */
function turningPoints({ line }: Snapshot, analyses: Analyses, chances: readonly number[]): readonly TurningPoint[] {
  const points = plies(line).map((ply, index): TurningPoint => {
    const best = bestAfter(analyses, index);
    const better = best && best !== `${ply.from}-${ply.to}` ? moveText(line.games[index] as Game, best) : null;
    return { at: index + 1, ply, before: chances[index] ?? 0.5, after: chances[index + 1] ?? 0.5, better };
  });
  const worst = points.filter((point) => loss(point) >= LEAST_LOSS).sort((one, two) => loss(two) - loss(one));
  return worst.slice(0, MOST_POINTS).sort((one, two) => one.at - two.at);
}

/** Returns the engine's move after so many plies, without its captures. */
function bestAfter(analyses: Analyses, at: number): string | null {
  return analyses[at]?.lines[0]?.moves[0]?.split("x", 1)[0] ?? null;
}

/** Returns how much of its chances the side that moved lost. */
function loss({ ply, before, after }: TurningPoint): number {
  return ply.side === "attackers" ? before - after : after - before;
}

/** Returns a ply with its number, as the list of moves writes it: "8. K e5–e8"; "Start" before the first. */
function namedPly(all: readonly Ply[], at: number): string {
  const ply = all[at - 1];
  if (!ply) return t("web.analysis.start");
  const letter = ply.piece === "king" ? `${t("web.king.letter")} ` : "";
  return `${at}. ${letter}${withoutCaptures(ply.text)}`;
}

function percent(chance: number): string {
  return new Intl.NumberFormat(LANGUAGE, { style: "percent" }).format(chance);
}

function expected(side: Side, chance: number): string {
  return percent(side === "attackers" ? chance : 1 - chance);
}

/** Returns what a move cost its side, and a better one. */
function turnText({ ply: { side }, before, after, better }: TurningPoint, isMeasured: boolean): string {
  const cost = t("web.review.turn", { side: sideName(side), before: expected(side, before), after: expected(side, after) });
  return [isMeasured && cost, better && t("web.review.better", { move: better })].filter(Boolean).join(" ");
}

interface TurningPointsProps {
  readonly snapshot: Snapshot;
  readonly points: readonly TurningPoint[];
  readonly isMeasured: boolean;
  readonly go: (at: number) => void;
}

function TurningPoints({ snapshot, points, isMeasured, go }: TurningPointsProps) {
  if (points.length === 0) return <p class="progress">{t("web.review.even")}</p>;
  return (
    <>
      <h2>{plural("web.review.turns", points.length)}</h2>
      <ol class="turning-points bare">
        {points.map((point) => (
          <li key={point.at}>
            <button type="button" onClick={() => go(point.at)}>
              <b>{namedPly(plies(snapshot.line), point.at)}</b>{" "}
              <span>{turnText(point, isMeasured)}</span>
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

/** A profile of the chances of the user, or of the attackers. */
function Profile({ snapshot, chances, children }: Pick<Props, "snapshot"> & Pick<GameReview, "chances"> & { readonly children?: ComponentChildren }) {
  const y = (chance: number) => 4 + (1 - chance) * (BASE - 8);
  const x = across(snapshot);
  const points = chances.map((chance, ply) => `${x(ply).toFixed(1)} ${y(own(snapshot, chance)).toFixed(1)}`);
  const end = x(chances.length - 1).toFixed(1);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path class="profile" d={`M0 ${BASE}L${points.join("L")}L${end} ${BASE}Z`} />
      <path class="ridge" d={`M${points.join("L")}`} />
      <path class="middle" d={`M0 ${y(0.5)}H${WIDTH}`} />
      {children}
    </svg>
  );
}

/** Returns the chance of the user from that of the attackers. */
function own(snapshot: Snapshot, chance: number): number {
  return ownSide(snapshot) === "defenders" ? 1 - chance : chance;
}

/** Returns where plies stand in a profile. */
function across({ line }: Snapshot): (ply: number) => number {
  return (ply) => (ply / Math.max(1, line.games.length - 1)) * WIDTH;
}

/** The profile with a notch below every capture and call, and a slider to step through the game. */
function Graph({ snapshot, review: { chances, isMeasured }, at, go }: Props) {
  const drawing = useRef<HTMLDivElement>(null);
  const last = snapshot.line.games.length - 1;
  const x = across(snapshot);
  const side = ownSide(snapshot) ?? "attackers";
  const events = plies(snapshot.line)
    .map((ply, index) => ({ ply, at: index + 1 }))
    .filter((one) => one.ply.captures.length > 0 || calledAt(snapshot.line, one.at) > 0);
  const choose = (event: MouseEvent) => {
    const box = drawing.current?.getBoundingClientRect();
    if (box) go(Math.round(((event.clientX - box.left) / box.width) * last));
  };
  const here = own(snapshot, chances[Math.min(at, chances.length - 1)] ?? 0.5);
  return (
    <figure class="graph">
      {isMeasured && (
        <figcaption>
          {sideName(side)} {percent(here)}
        </figcaption>
      )}
      <div ref={drawing} onClick={choose}>
        <Profile snapshot={snapshot} chances={chances}>
          <path class="cut-notches" d={events.map((one) => `M${x(one.at) - 2} ${HEIGHT}l2-6 2 6z`).join("")} />
          <path class="here" d={`M${x(at)} 0V${HEIGHT}`} />
        </Profile>
      </div>
      <p class="note">
        {t(`web.review.line.${side}`)} {events.length > 0 && t(snapshot.facts.calls ? "web.review.marks.calls" : "web.review.marks")}
      </p>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={t("web.review.slider")}
        aria-valuetext={
          isMeasured
            ? t("web.review.at", { move: namedPly(plies(snapshot.line), at), side: sideName(side), chance: percent(here) })
            : namedPly(plies(snapshot.line), at)
        }
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
    </figure>
  );
}

interface CurveProps {
  readonly snapshot: Snapshot;
  readonly review: GameReview;
  /** The ply that decided the game, if the rules alone can tell. */
  readonly decided: number | null;
  /** Shows the position after a ply. */
  readonly show: (at: number) => void;
}

/** The profile of a game that is over, with its turning point. */
export function Curve({ snapshot, review, decided, show }: CurveProps) {
  const { chances, points } = review;
  const { winner, reason } = snapshot.line.games.at(-1)?.state.outcome ?? {};
  // A result that the host of a class has set says nothing about the moves.
  if (chances.length === 0 || reason === "adjudication") return null;
  // What the winner did wrong turned nothing.
  const worst = points?.filter(({ ply }) => ply.side !== winner).toSorted((one, two) => loss(two) - loss(one))[0];
  // The last chance by the rules is no turning point where the game was lost before.
  const turn = points && (worst?.at ?? decided);
  const none = points?.length ? "web.end.turn.none" : "web.review.even";
  const x = across(snapshot)(turn ?? 0);
  return (
    <figure class="graph curve">
      <Profile snapshot={snapshot} chances={chances}>
        {turn !== null && <path class="turn" d={`M${x} ${HEIGHT}V0M${x - 5} 0h10l-5 8z`} />}
      </Profile>
      <p class="note">{t(`web.review.line.${ownSide(snapshot) ?? "attackers"}`)}</p>
      <figcaption>
        {points ? (
          <span>{turn ? t("web.end.turn", { move: namedPly(plies(snapshot.line), turn) }) : t(none)}</span>
        ) : (
          <Progress snapshot={snapshot} review={review} />
        )}
        {turn !== null && (
          <button type="button" class="link" onClick={() => show(turn)}>
            {t("web.end.show")}
          </button>
        )}
      </figcaption>
      {turn !== decided && worst && <p class="why">{turnText(worst, review.isMeasured)}</p>}
    </figure>
  );
}
