// A lesson, as `lessons_page.py` puts it into the page, and the user's progress in it.

import { type Game, Rules, type Side } from "../../rules.ts";
import { t } from "../../texts.ts";
import type { Call } from "../../ui/call_choice.tsx";
import { protocolOf, type VariantFacts } from "../../variants.ts";

/** The answers to a step: the answers to the next step by right move, and the index of a sentence by wrong move. */
interface Answers {
  readonly right: Readonly<Record<string, Answers | null>>;
  readonly wrong: Readonly<Record<string, number>>;
}

interface LessonStep {
  readonly task: string;
  /** What has to be called with the move; null if calls are no part of the step. */
  readonly call: Call | null;
  /** The move of the other side after it. */
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
  /** Squares to light up besides those that the texts name. */
  readonly marks: readonly string[];
  readonly before: readonly string[];
  readonly calls: "auto" | "manual";
  readonly steps: readonly LessonStep[];
  readonly answers: Answers;
  readonly sentences: readonly string[];
}

/** The progress in a lesson: the game, the step, and the last message. */
export interface Progress {
  readonly game: Game;
  /** The index of the step. */
  readonly step: number;
  /** Null when the lesson is done. */
  readonly answers: Answers | null;
  /** The reply of the other side that is still to be played. */
  readonly reply: string | null;
  readonly message: string;
  readonly kind: "asks" | "wrong" | "right" | "done";
}

export async function beginLesson(lesson: Lesson, facts: VariantFacts): Promise<Progress> {
  const rules = await Rules.load(facts.tree);
  const calls = protocolOf(facts.calls, lesson.calls);
  const game = rules.newGame({ setup: lesson.setup, calls, moves: lesson.before });
  return { game, step: 0, answers: lesson.answers, reply: null, message: lesson.says, kind: "asks" };
}

/** Evaluates a legal move. A wrong one leaves the game unchanged. */
export function answer(lesson: Lesson, progress: Progress, move: string, call: Call): Progress {
  const step = lesson.steps[progress.step] as LessonStep;
  const next = progress.answers?.right[move];
  if (next === undefined) return withMistake(progress, mistakeText(lesson, progress, step, move));
  if (step.call !== null && call !== step.call) return withMistake(progress, t(`lesson.wrong.call_${call}`));
  const game = progress.game.play(move, step.call ?? 0);
  if (next === null) return { ...progress, game, answers: null, message: lesson.learned, kind: "done" };
  const message = t("web.lesson.right");
  return { game, step: progress.step + 1, answers: next, reply: step.reply, message, kind: "right" };
}

/** Plays the reply of the other side. */
export function withReply(progress: Progress): Progress {
  return progress.reply ? { ...progress, game: progress.game.play(progress.reply), reply: null } : progress;
}

/** Returns a right move, and the call to make with it; null if the lesson is done. */
export function solution(lesson: Lesson, progress: Progress): { readonly move: string; readonly call: Call | null } | null {
  const [move] = Object.keys(progress.answers?.right ?? {});
  return move === undefined ? null : { move, call: lesson.steps[progress.step]?.call ?? null };
}

/** Returns the squares of a board that texts name. */
export function namedSquares(texts: readonly string[], size: number): readonly string[] {
  const found = texts.join(" ").match(/\b[a-s](?:1\d|[1-9])\b/g) ?? [];
  const isOnBoard = (square: string) => square.charCodeAt(0) - 97 < size && Number(square.slice(1)) <= size;
  return [...new Set(found)].filter(isOnBoard);
}

export function withMistake(progress: Progress, message: string): Progress {
  return { ...progress, message, kind: "wrong" };
}

function mistakeText(lesson: Lesson, { game, answers }: Progress, step: LessonStep, move: string): string {
  const sentence = lesson.sentences[answers?.wrong[move] ?? -1] ?? "";
  const { danger } = step.closes ? game.play(move).state : { danger: null };
  return danger ? `${sentence} ${t("web.lesson.closed", { count: danger.count, needed: danger.needed })}` : sentence;
}
