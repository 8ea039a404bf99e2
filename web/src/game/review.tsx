// After a game: how it stood move by move, where it turned, and going on from any place of it.

import { useEffect, useRef, useState } from "preact/hooks";
import type { AnalysisView } from "../messages.ts";
import type { Ply, Side } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";
import { analyse, type Ground } from "./analysis.ts";
import { sideName } from "./hotseat.ts";
import { called, plies } from "./line.ts";
import { numberOf } from "./moves.tsx";
import type { Table } from "./source.ts";

interface Props {
  readonly table: Table;
  readonly ground: Ground;
  readonly at: number;
  readonly go: (at: number) => void;
}

/** What the engine thinks of the positions of a line, by ply; those that it has not seen yet are missing. */
type Found = readonly (AnalysisView | null)[];

/** A move after which one side might expect much less than before it. */
interface Turn {
  readonly at: number;
  readonly ply: Ply;
  readonly before: number;
  readonly after: number;
  readonly better: string | null;
}

const TIME_MS = 250;
const PAUSE_MS = 4_000;
const ATTEMPTS = 4;
const TURNS = 3;
const LEAST_LOSS = 0.15;

export function Review({ table, ground, at, go }: Props) {
  const [found, setFound] = useState<Found>([]);
  const [isAsked, setAsked] = useState(false);
  const [isStuck, setStuck] = useState(false);
  const { line } = table;
  const count = line.games.length;

  useEffect(() => {
    setFound([]);
    setAsked(false);
  }, [line]);

  useEffect(() => {
    if (!isAsked) return;
    const stop = new AbortController();
    setStuck(false);
    const hear = (so_far: Found) => !stop.signal.aborted && setFound(so_far);
    analyseAll(ground, table, hear, stop.signal).catch(() => {
      if (stop.signal.aborted) return;
      setStuck(true);
      setAsked(false);
    });
    return () => stop.abort();
  }, [isAsked, line]);

  const chances = chancesOf(table, found);
  const isDone = found.length === count;
  return (
    <section class="review" aria-label={t("web.review")}>
      {found.length > 0 ? (
        <Graph table={table} chances={chances} at={at} go={go} />
      ) : (
        <button type="button" disabled={isAsked} onClick={() => setAsked(true)}>
          {t(isAsked ? "web.review.begins" : "web.review.analyse")}
        </button>
      )}
      {isStuck && <p class="why-not">{t("web.hint.none")}</p>}
      {found.length > 0 && !isDone && <p class="progress">{t("web.review.progress", { done: found.length, all: count })}</p>}
      {isDone && <Turns table={table} turns={turnsOf(table, found, chances)} go={go} />}
    </section>
  );
}

/** Goes through the positions one after the other, as the server takes one analysis at a time. */
async function analyseAll(ground: Ground, table: Table, hear: (found: Found) => void, signal: AbortSignal): Promise<void> {
  const { line } = table;
  const found: (AnalysisView | null)[] = [];
  for (let at = 0; at < line.games.length; at += 1) {
    const isOver = line.games[at]?.state.turn === null;
    found.push(isOver ? null : await insist(() => analyse(ground, line, at, { time_ms: TIME_MS, lines: 1, signal }), signal));
    hear([...found]);
  }
}

/** Asks again while the server has no time. */
async function insist(ask: () => Promise<AnalysisView | null>, signal: AbortSignal): Promise<AnalysisView> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((go_on) => setTimeout(go_on, PAUSE_MS));
    signal.throwIfAborted();
  }
  throw new Error("no analysis");
}

/** What the attackers might expect after each ply, from 0 to 1. */
function chancesOf({ line }: Table, found: Found): readonly number[] {
  return found.map((analysis, at) => {
    const outcome = line.games[at]?.state.outcome;
    if (outcome) return outcome.winner === null ? 0.5 : outcome.winner === "attackers" ? 1 : 0;
    return analysis?.lines[0]?.chances ?? 0.5;
  });
}

function turnsOf({ line }: Table, found: Found, chances: readonly number[]): readonly Turn[] {
  const turns = plies(line).map((ply, index): Turn => {
    const best = found[index]?.lines[0]?.moves[0] ?? null;
    const better = best !== null && best !== ply.text ? best : null;
    return { at: index + 1, ply, before: chances[index] ?? 0.5, after: chances[index + 1] ?? 0.5, better };
  });
  const worst = turns.filter((turn) => loss(turn) >= LEAST_LOSS).sort((one, two) => loss(two) - loss(one));
  return worst.slice(0, TURNS).sort((one, two) => one.at - two.at);
}

function loss({ ply, before, after }: Turn): number {
  return ply.side === "attackers" ? before - after : after - before;
}

function percent(chance: number): string {
  return new Intl.NumberFormat(LANGUAGE, { style: "percent" }).format(chance);
}

function expected(side: Side, chance: number): string {
  return percent(side === "attackers" ? chance : 1 - chance);
}

interface TurnsProps {
  readonly table: Table;
  readonly turns: readonly Turn[];
  readonly go: (at: number) => void;
}

function Turns({ table, turns, go }: TurnsProps) {
  if (turns.length === 0) return <p class="progress">{t("web.review.even")}</p>;
  return (
    <>
      <h2>{plural("web.review.turns", turns.length)}</h2>
      <ol class="turns">
        {turns.map((turn) => (
          <li key={turn.at}>
            <button type="button" onClick={() => go(turn.at)}>
              <b>
                {numberOf(plies(table.line), turn.at)} {plain(turn.ply.text)}
              </b>{" "}
              <span>
                {t("web.review.turn", {
                  side: sideName(table.facts, turn.ply.side),
                  before: expected(turn.ply.side, turn.before),
                  after: expected(turn.ply.side, turn.after),
                })}
                {turn.better && ` ${t("web.review.better", { move: plain(turn.better) })}`}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** A move without its captures, with a dash as it is set in type. */
function plain(move: string): string {
  return (move.split("x")[0] ?? move).replace("-", "–");
}

const WIDTH = 320;
const HEIGHT = 72;
const BASE = HEIGHT - 8;

interface GraphProps {
  readonly table: Table;
  readonly chances: readonly number[];
  readonly at: number;
  readonly go: (at: number) => void;
}

/** A cut profile: high where the attackers stood well; notches below it at captures and calls. */
function Graph({ table, chances, at, go }: GraphProps) {
  const drawing = useRef<SVGSVGElement>(null);
  const last = Math.max(1, table.line.games.length - 1);
  const x = (ply: number) => (ply / last) * WIDTH;
  const y = (chance: number) => 4 + (1 - chance) * (BASE - 8);
  const points = chances.map((chance, ply) => `${x(ply).toFixed(1)} ${y(chance).toFixed(1)}`);
  const end = x(chances.length - 1).toFixed(1);
  const events = plies(table.line)
    .map((ply, index) => ({ ply, at: index + 1 }))
    .filter((one) => one.ply.captures.length > 0 || called(table.line, one.at) > 0);
  const choose = (event: MouseEvent) => {
    const box = drawing.current?.getBoundingClientRect();
    if (box) go(Math.round(((event.clientX - box.left) / box.width) * last));
  };
  const here = chances[Math.min(at, chances.length - 1)] ?? 0.5;
  return (
    <figure class="graph">
      <figcaption>
        <span>
          {sideName(table.facts, "attackers")} {percent(here)}
        </span>
        <span>
          {sideName(table.facts, "defenders")} {percent(1 - here)}
        </span>
      </figcaption>
      <svg ref={drawing} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" onClick={choose}>
        <path class="profile" d={`M0 ${BASE}L${points.join("L")}L${end} ${BASE}Z`} />
        <path class="ridge" d={`M${points.join("L")}`} />
        <path class="middle" d={`M0 ${y(0.5)}H${WIDTH}`} />
        <path class="cut-notches" d={events.map((one) => `M${x(one.at) - 2} ${HEIGHT}l2-6 2 6z`).join("")} />
        <path class="here" d={`M${x(at)} 0V${HEIGHT}`} />
      </svg>
      <input
        type="range"
        min={0}
        max={table.line.games.length - 1}
        value={at}
        aria-label={t("web.review.slider")}
        aria-valuetext={t("web.review.at", { ply: at, side: sideName(table.facts, "attackers"), chance: percent(here) })}
        onInput={(event) => go(Number(event.currentTarget.value))}
      />
    </figure>
  );
}
