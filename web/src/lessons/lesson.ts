// A lesson as `lessons_page.py` puts it into the page, and how far one is in it.

import type { GameFacts } from "../game/facts.ts";
import { type Game, Rules, type Side } from "../rules.ts";
import { t } from "../texts.ts";

/** All answers to one step: what is asked after a right one, and the number of the sentence about a wrong one. */
export interface Answers {
  readonly right: Readonly<Record<string, Answers | null>>;
  readonly wrong: Readonly<Record<string, number>>;
}

export interface Step {
  readonly task: string;
  /** What has to be called with the move; null if nothing is asked. */
  readonly call: 0 | 1 | 2 | null;
  /** What the other side then plays. */
  readonly reply: string | null;
  /** Whether the king is to be closed in. */
  readonly closes: boolean;
}

export interface Lesson {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly learned: string;
  readonly side: Side;
  readonly setup: string;
  readonly before: readonly string[];
  readonly calls: "auto" | "manual";
  readonly steps: readonly Step[];
  readonly answers: Answers;
  readonly sentences: readonly string[];
}

/** How far one is: the game, the step, and what was said last. */
export interface Progress {
  readonly game: Game;
  readonly place: number;
  /** Null when the lesson is done. */
  readonly answers: Answers | null;
  /** The answer of the other side that is still to be played. */
  readonly reply: string | null;
  readonly said: string;
  readonly kind: "asks" | "wrong" | "right" | "done";
}

/** Begins a lesson. */
export async function begin(lesson: Lesson, facts: GameFacts): Promise<Progress> {
  const rules = await Rules.load(facts.tree);
  const { calls } = facts;
  const protocol = calls ? { mode: lesson.calls, sanction: calls.sanction, replay: calls.replay } : { mode: "off" as const };
  const game = rules.newGame({ setup: lesson.setup, calls: protocol, moves: lesson.before });
  return { game, place: 0, answers: lesson.answers, reply: null, said: lesson.says, kind: "asks" };
}

/** Judges a legal move; a wrong one leaves the game as it was. */
export function answer(lesson: Lesson, at: Progress, move: string, call: 0 | 1 | 2): Progress {
  const step = lesson.steps[at.place] as Step;
  const following = at.answers?.right[move];
  if (following === undefined) return wrong(at, why(lesson, at, step, move));
  if (step.call !== null && call !== step.call) return wrong(at, t(`lesson.wrong.call_${call}`));
  const game = at.game.play(move, step.call ?? 0);
  if (following === null) {
    return { ...at, game, answers: null, said: lesson.learned, kind: "done" };
  }
  return { game, place: at.place + 1, answers: following, reply: step.reply, said: t("web.lesson.right"), kind: "right" };
}

/** Plays the answer of the other side. */
export function replied(at: Progress): Progress {
  return at.reply ? { ...at, game: at.game.play(at.reply), reply: null } : at;
}

/** A move that is right. */
export function solution(at: Progress): string | undefined {
  return Object.keys(at.answers?.right ?? {})[0];
}

export function wrong(at: Progress, said: string): Progress {
  return { ...at, said, kind: "wrong" };
}

function why(lesson: Lesson, at: Progress, step: Step, move: string): string {
  const said = lesson.sentences[at.answers?.wrong[move] ?? -1] ?? "";
  const { danger } = step.closes ? at.game.play(move).state : { danger: null };
  return danger ? `${said} ${t("web.lesson.closed", { count: danger.count, needed: danger.needed })}` : said;
}
