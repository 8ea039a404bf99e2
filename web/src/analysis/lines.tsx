// What the engine says: on, off, how many lines; the lines with their scores; the balance beside the board.

import type { Arrow } from "../board/types.ts";
import type { AnalysisLineView } from "../messages.ts";
import type { Game } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";
import type { Found } from "./engine.ts";
import { betterPercent, percentOf, scoreWords } from "./scores.ts";

const MOST_LINES = 5;
const LONGEST = 8;

export interface EngineChoice {
  readonly isOn: boolean;
  readonly lines: number;
  readonly threats: boolean;
}

interface Props {
  readonly found: Found;
  readonly game: Game;
  readonly choice: EngineChoice;
  readonly choose: (changed: Partial<EngineChoice>) => void;
  /** Plays the moves of a line up to one of them. */
  readonly play: (moves: readonly string[]) => void;
}

export function EnginePanel({ found, game, choice, choose, play }: Props) {
  return (
    <section class="engine" aria-label={t("web.analysis.engine")}>
      <div class="engine-head">
        <button type="button" class={choice.isOn ? "" : "main"} onClick={() => choose({ isOn: !choice.isOn })}>
          {t(choice.isOn ? "web.analysis.stop" : "web.analysis.go")}
        </button>
        <label class="line-count">
          {t("web.analysis.lines")}
          <select value={choice.lines} onChange={(event) => choose({ lines: Number(event.currentTarget.value) })}>
            {Array.from({ length: MOST_LINES }, (_, k) => (
              <option key={k} value={k + 1} selected={choice.lines === k + 1}>
                {k + 1}
              </option>
            ))}
          </select>
        </label>
        <label class="tick">
          <input
            type="checkbox"
            checked={choice.threats}
            onChange={(event) => choose({ threats: event.currentTarget.checked })}
          />
          {t("web.analysis.threats")}
        </label>
      </div>
      {choice.isOn && <Lines found={found} game={game} play={play} />}
    </section>
  );
}

function Lines({ found, game, play }: Pick<Props, "found" | "game" | "play">) {
  const { view, threat, queue, trouble, isOutOfTime, goOn } = found;
  if (game.state.turn === null) return <p class="engine-state">{t("web.analysis.over")}</p>;
  if (trouble) return <p class="engine-state trouble">{trouble}</p>;
  const number = new Intl.NumberFormat(LANGUAGE);
  return (
    <>
      <ol class="lines">
        {view?.lines.map((line, place) => (
          <li key={place} class={place === 0 ? "best" : ""}>
            <span class="line-score">
              <b>{t("web.analysis.percent", { percent: betterPercent(line) })}</b> {scoreWords(line)}
            </span>
            <LineMoves game={game} line={line} play={play} />
          </li>
        ))}
      </ol>
      {threat && <p class="threat">{threatWords(threat)}</p>}
      <p class="engine-state">
        {view
          ? t(isOutOfTime ? "web.analysis.out_of_time" : view.final ? "web.analysis.done" : "web.analysis.depth", {
              depth: view.depth,
              nodes: number.format(view.nodes),
              seconds: number.format(Math.round(view.time_ms / 100) / 10),
            })
          : queue > 0
            ? plural("web.analysis.queue", queue)
            : t("web.analysis.thinking")}
      </p>
      {isOutOfTime && goOn && (
        <button type="button" class="go-on" onClick={goOn}>
          {t("web.analysis.go_on")}
        </button>
      )}
    </>
  );
}

function threatWords(threat: AnalysisLineView): string {
  const [move = ""] = threat.moves;
  return t("web.analysis.threat", { move: move.replace("-", "–"), score: scoreWords(threat) });
}

function LineMoves({ game, line, play }: { game: Game; line: AnalysisLineView; play: Props["play"] }) {
  const moves = line.moves.slice(0, LONGEST);
  return (
    <span class="line-moves">
      {moves.map((move, place) => (
        <button
          key={place}
          type="button"
          aria-label={t("web.analysis.play_line", { move: written(game, moves, place), count: place + 1 })}
          onClick={() => play(moves.slice(0, place + 1))}
        >
          {move.replace("-", "–")}
        </button>
      ))}
    </span>
  );
}

/** A move of a line; the first with the piece that makes it. */
function written(game: Game, moves: readonly string[], place: number): string {
  const move = (moves[place] ?? "").replace("-", "–");
  const origin = (moves[0] ?? "").split("-")[0];
  return place === 0 && origin === game.state.king ? `${t("web.king.letter")} ${move}` : move;
}

/** The arrows of what was found: the best move, the others, the threat. */
export function arrowsOf({ view, threat }: Pick<Found, "view" | "threat">): readonly Arrow[] {
  const lines = (view?.lines ?? []).map((line, place) => arrow(line, place === 0 ? "move" : "second"));
  const threats = threat ? [arrow(threat, "threat")] : [];
  // The best is drawn last, over the others.
  return [...threats, ...lines.toReversed()].filter((one) => one !== null);
}

function arrow({ moves }: AnalysisLineView, kind: Arrow["kind"]): Arrow | null {
  const [from, to] = (moves[0] ?? "").split("-");
  return from && to ? { from, to, kind } : null;
}

/** Two wedges that meet in a notch: the nearer a side is to winning, the longer its wedge. */
export function Balance({ line, isFlipped }: { readonly line: AnalysisLineView | null; readonly isFlipped: boolean }) {
  const percent = line ? percentOf(line) : 50;
  const upper = isFlipped ? percent : 100 - percent;
  const label = line
    ? `${t("web.analysis.balance", { attackers: percent, defenders: 100 - percent })} ${scoreWords(line)}`
    : t("web.analysis.balance.none");
  return (
    <div class={line ? "balance" : "balance unknown"} role="img" aria-label={label}>
      <svg viewBox="0 0 12 100" preserveAspectRatio="none" aria-hidden="true">
        <path class={isFlipped ? "of-attackers" : "of-defenders"} d={`M0 0H12V${clamp(upper - 3)}L6 ${upper}L0 ${clamp(upper - 3)}Z`} />
        <path
          class={isFlipped ? "of-defenders" : "of-attackers"}
          d={`M0 100H12V${clamp(upper + 3)}L6 ${upper}L0 ${clamp(upper + 3)}Z`}
        />
      </svg>
      {line && (
        <span class={percent >= 50 === isFlipped ? "above" : ""} aria-hidden="true">
          {betterPercent(line)}
        </span>
      )}
    </div>
  );
}

function clamp(y: number): number {
  return Math.min(100, Math.max(0, y));
}
