// The engine's panel: its switches, its lines with their scores, and the evaluation bar beside the board.

import { useRef } from "preact/hooks";
import { useConnection } from "../../connection.ts";
import type { Arrow } from "../../board/types.ts";
import { type AnalysisLineView, type AnalysisView, SCORE_BOUNDS } from "../../messages.ts";
import type { Game, Outcome } from "../../rules.ts";
import { capitalised, LANGUAGE, plural, t } from "../../texts.ts";
import { Tick } from "../../ui/choice.tsx";
import { outcomeText } from "../../ui/outcome.ts";
import { moveText, writtenLine } from "../../ui/written_move.ts";
import type { Analysis, EngineChoice } from "./engine.ts";

const MOST_LINES = 5;
const MOST_MOVES = 8;
const TOLD_AFTER_MS = 2000;

interface Props {
  readonly analysis: Analysis;
  readonly game: Game;
  readonly choice: EngineChoice;
  readonly choose: (changed: Partial<EngineChoice>) => void;
  /** Plays the moves of a line up to one of them. */
  readonly play: (moves: readonly string[]) => void;
}

export function EnginePanel({ analysis, game, choice, choose, play }: Props) {
  const isConnected = useConnection();
  return (
    <section class="engine" aria-label={t("web.analysis.engine")}>
      <div class="row engine-head">
        <button type="button" class={choice.isOn ? "" : "main"} onClick={() => choose({ isOn: !choice.isOn })}>
          {t(choice.isOn ? "web.analysis.stop" : "web.analysis.go")}
        </button>
        <label class="pair line-count">
          {t("web.analysis.lines")}
          <select value={choice.lines} onChange={(event) => choose({ lines: Number(event.currentTarget.value) })}>
            {Array.from({ length: MOST_LINES }, (_, k) => (
              <option key={k} value={k + 1} selected={choice.lines === k + 1}>
                {k + 1}
              </option>
            ))}
          </select>
        </label>
        <Tick
          isOn={choice.threats}
          set={(threats) => choose({ threats, isOn: choice.isOn || threats })}
          label={t("web.analysis.threats")}
        />
        {(isConnected || choice.isOnServer) && (
          <Tick isOn={choice.isOnServer} set={(isOnServer) => choose({ isOnServer })} label={t("web.analysis.on_server")} />
        )}
      </div>
      {(choice.isOn || analysis.view) && <Lines analysis={analysis} game={game} play={play} />}
    </section>
  );
}

/** Returns the score of a line as a sentence begins: "Defenders better: attackers 24% (±3)". */
function lineScore(line: AnalysisLineView): string {
  const sentence = capitalised(scoreText(line));
  const percent = line.win_in === null ? percentText(line) : null;
  return percent ? t("web.analysis.line", { score: sentence, percent }) : sentence;
}

/** Returns which side is better, or which side wins in how many plies, as `hnefi analyse` does. */
function scoreText({ chances, spread, win_in }: AnalysisLineView): string {
  if (win_in !== null) return plural(`score.wins.${win_in > 0 ? "attackers" : "defenders"}`, Math.abs(win_in));
  const better = Math.max(chances, 1 - chances);
  if (better < SCORE_BOUNDS.even) return t("score.even");
  // Chances that were not measured claim less: see `Score.size` of the library.
  const much = better < SCORE_BOUNDS.slight ? "slight" : better < SCORE_BOUNDS.better || spread === null ? "better" : "winning";
  return t(`score.${much}.${chances > 0.5 ? "attackers" : "defenders"}`);
}

/** Returns the attackers' chances in percent: 0 or 100 only for a proven win. */
function attackersPercent({ chances, win_in }: AnalysisLineView): number {
  const percent = Math.round(100 * chances);
  return win_in === null ? Math.min(Math.max(percent, 1), 99) : percent;
}

/** Returns the attackers' chances in percent, with their spread; null if they are only an estimate. */
function percentText(line: AnalysisLineView): string | null {
  const percent = attackersPercent(line);
  if (line.win_in !== null) return t("web.analysis.percent", { percent });
  if (line.spread === null) return null;
  return t("web.analysis.percent.spread", { percent, spread: Math.max(1, Math.round(100 * line.spread)) });
}

function Lines({ analysis, game, play }: Pick<Props, "analysis" | "game" | "play">) {
  const { view, threat, queue, failure, isOutOfTime, extend } = analysis;
  if (game.state.turn === null) return <p class="engine-state">{t("web.analysis.over")}</p>;
  if (failure) return <p class="engine-state failure">{failure}</p>;
  const number = new Intl.NumberFormat(LANGUAGE);
  return (
    <>
      <ol class="lines">
        {view?.lines.map((line, place) => (
          <li key={place} class={place === 0 ? "best" : ""}>
            <span class="line-score">
              <b>{lineScore(line)}</b>
            </span>
            <LineMoves game={game} line={line} play={play} />
          </li>
        ))}
      </ol>
      {threat && <p class="threat">{threatText(game, threat)}</p>}
      {/* Only the end of a search is read out, not each depth. */}
      <p class={view?.final ? "engine-state final" : "engine-state"} aria-live={view?.final ? "polite" : "off"}>
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
      {isOutOfTime && extend && (
        <button type="button" class="extend" onClick={extend}>
          {t("web.analysis.go_on")}
        </button>
      )}
    </>
  );
}

/** Returns what is told of the search in a position, once: its best line after some seconds, or at its end. */
export function useBestLineText(view: AnalysisView | null, game: Game): string | null {
  const told = useRef<{ readonly game: Game; readonly text: string } | null>(null);
  const [best] = view?.lines ?? [];
  if (!view || !best || game.state.turn === null) return null;
  if (told.current?.game !== game) {
    if (!view.final && view.time_ms < TOLD_AFTER_MS) return null;
    const [from = "", to = ""] = (best.moves[0] ?? "").split("-");
    told.current = { game, text: t("web.voice.best", { score: lineScore(best), from, to }) };
  }
  return told.current.text;
}

function threatText(game: Game, threat: AnalysisLineView): string {
  const [move = ""] = threat.moves;
  return t("web.analysis.threat", { move: moveText(game, move), score: scoreText(threat) });
}

function LineMoves({ game, line, play }: { game: Game; line: AnalysisLineView; play: Props["play"] }) {
  const moves = line.moves.slice(0, MOST_MOVES);
  return (
    <span class="line-moves bare">
      {writtenLine(game, moves).map((move, place) => (
        <button
          key={place}
          type="button"
          aria-label={t("web.analysis.play_line", { move, count: place + 1 })}
          onClick={() => play(moves.slice(0, place + 1))}
        >
          {move}
        </button>
      ))}
    </span>
  );
}

/** Returns arrows for the best move, the other moves and the threat. */
export function arrowsOf({ view, threat }: Pick<Analysis, "view" | "threat">): readonly Arrow[] {
  const lines = (view?.lines ?? []).map((line, place) => arrow(line, place === 0 ? "move" : "second"));
  const threats = threat ? [arrow(threat, "threat")] : [];
  // The best move is drawn last, over the others.
  return [...threats, ...lines.toReversed()].filter((one) => one !== null);
}

function arrow({ moves }: AnalysisLineView, kind: Arrow["kind"]): Arrow | null {
  const [from, to] = (moves[0] ?? "").split("-");
  return from && to ? { from, to, kind } : null;
}

interface BarProps {
  readonly line: AnalysisLineView | null;
  readonly outcome: Outcome | null;
  readonly isFlipped: boolean;
}

/** The evaluation bar: two wedges that meet in a notch, each as long as the chances of its side, or as the result. */
export function EvaluationBar({ line, outcome, isFlipped }: BarProps) {
  const percent = line ? attackersPercent(line) : resultPercent(outcome);
  const upper = isFlipped ? percent : 100 - percent;
  const isKnown = line !== null || outcome !== null;
  const chances = line && percentText(line) ? `${t("web.analysis.balance", { attackers: percent, defenders: 100 - percent })} ` : "";
  const decided = outcome ? outcomeText(outcome) : t("web.analysis.balance.none");
  const label = line ? `${chances}${scoreText(line)}` : decided;
  return (
    <div class={isKnown ? "evaluation" : "evaluation unknown"} role="img" aria-label={label} title={label}>
      <svg viewBox="0 0 12 100" preserveAspectRatio="none" aria-hidden="true">
        <path class={isFlipped ? "of-attackers" : "of-defenders"} d={`M0 0H12V${clamp(upper - 3)}L6 ${upper}L0 ${clamp(upper - 3)}Z`} />
        <path
          class={isFlipped ? "of-defenders" : "of-attackers"}
          d={`M0 100H12V${clamp(upper + 3)}L6 ${upper}L0 ${clamp(upper + 3)}Z`}
        />
      </svg>
      {line && percentText(line) && (
        <span class={isFlipped ? "above" : ""} aria-hidden="true">
          {percent}
        </span>
      )}
    </div>
  );
}

/** Returns the share of the attackers in a result in percent: half of it, too, while there is none. */
function resultPercent(outcome: Outcome | null): number {
  return outcome?.winner ? (outcome.winner === "attackers" ? 100 : 0) : 50;
}

function clamp(y: number): number {
  return Math.min(100, Math.max(0, y));
}
