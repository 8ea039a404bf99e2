// What has to be said aloud: a call, an escape that was refused, the end. Its place is kept free while there is none.

import type { GameState, Outcome } from "../rules.ts";
import { hasText, t } from "../texts.ts";
import type { CallFacts, GameFacts } from "./facts.ts";
import { called } from "./line.ts";
import type { Score, Table } from "./source.ts";

interface Saying {
  readonly kind: "call" | "refused" | "end";
  readonly title: string;
  readonly words: string;
  /** How many roads are drawn beside it. */
  readonly roads: number;
}

/** What there is to say about a position of the game; null for nothing. */
export function sayingAt(table: Table, at: number): Saying | null {
  const { facts, line, score } = table;
  const state = line.games[at]?.state;
  if (!state) return null;
  if (state.outcome) return ending(state.outcome, score);
  if (state.calls.refused && facts.calls) return refusal(facts.calls, state, line.refusals.at(-1)?.escape ?? "");
  const roads = called(line, at);
  if (roads && facts.calls) return roadCall(facts.calls, state, roads);
  return danger(facts, state);
}

function ending(outcome: Outcome, score: Score | null): Saying {
  const title = outcomeText(outcome);
  const words = score ? scoreText(score) : "";
  return { kind: "end", title, words, roads: 0 };
}

/** Says how a game ended: "The king is out. Defenders win." */
export function outcomeText(outcome: Outcome): string {
  const winner = outcome.winner ?? "draw";
  const key = `outcome.${outcome.reason}.${winner}`;
  return hasText(key) ? t(key) : `${t(`reason.${outcome.reason}`)} ${t(`result.${winner}`)}`;
}

export function scoreText(score: Score): string {
  const { verdict, players } = score;
  if (verdict) {
    const winner = verdict.winner === null ? "" : players[verdict.winner];
    return t(`web.match.${verdict.by}`, { winner, ...standing(score) });
  }
  return t("web.match.standing", { leg: score.leg, legs: score.legs, ...standing(score) });
}

function standing({ players, points }: Score): Record<string, string> {
  const [first, second] = points.map((value) => String(value).replace(".5", "½").replace(/^0½/, "½"));
  return { one: players[0], two: players[1], first: first ?? "", second: second ?? "" };
}

function refusal(calls: CallFacts, state: GameState, escape: string): Saying {
  const square = state.calls.must_replay;
  const word = capital(calls.words.one_exit);
  const words = square ? t("web.refused.same_piece", { square, escape }) : t("web.refused.any_piece", { escape });
  return { kind: "refused", title: t("web.refused", { word }), words, roads: 0 };
}

function roadCall(calls: CallFacts, state: GameState, roads: 1 | 2): Saying {
  const word = capital(roads === 1 ? calls.words.one_exit : calls.words.two_exits);
  const goals = state.calls.owed.join(", ");
  const isKnown = state.calls.mode === "auto" && roads === 1 && state.king !== null;
  const words = isKnown ? t("web.road.from", { king: state.king ?? "", goal: goals }) : t(`web.roads.${roads}`);
  return { kind: "call", title: t("web.exclaimed", { word }), words, roads };
}

function danger(facts: GameFacts, { danger: found, turn, calls }: GameState): Saying | null {
  if (!facts.calls?.in_danger || calls.mode !== "auto" || !found?.threatened || turn !== "defenders") return null;
  const word = capital(facts.calls.words.king_in_danger);
  const words = t("web.king.closed", { count: found.count, needed: found.needed });
  return { kind: "call", title: t("web.exclaimed", { word }), words, roads: 0 };
}

function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase() + word.slice(1);
}

/** The place of the call-out, which the board says aloud after the move; it holds its height when the rules have calls. */
export function CallOut({ saying, isKept }: { readonly saying: Saying | null; readonly isKept: boolean }) {
  if (!saying) return isKept ? <div class="call empty" /> : null;
  return (
    <div class={`call ${saying.kind}`}>
      {saying.roads > 0 && (
        <svg viewBox="0 0 44 32" aria-hidden="true">
          <path d={saying.roads === 1 ? "M3 8l8 8-8 8M14 8l8 8-8 8" : "M3 8l8 8-8 8"} />
          <path d={saying.roads === 1 ? "M40 4H30M40 28H30M40 4v24" : "M26 4H18M26 28H18M26 4v24M40 4H32M40 28H32M40 4v24"} />
        </svg>
      )}
      <p>
        <b class="cut">{saying.title}</b> <span>{saying.words}</span>
      </p>
    </div>
  );
}
