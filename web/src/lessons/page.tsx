// The page of lessons: one board, one sentence, one task.

import type { ComponentChildren, RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow } from "../board/types.ts";
import type { Piece } from "../rules.ts";
import { Sounds } from "../sounds.ts";
import { LANGUAGE, t } from "../texts.ts";
import { type Call, CallChoice } from "../ui/call_choice.tsx";
import { PieceDrawing } from "../ui/icons.tsx";
import { readSettings } from "../ui/settings.ts";
import type { VariantFacts } from "../variants.ts";
import { LessonBoard } from "./board.tsx";
import { completedLessons, completeLesson } from "./completed.ts";
import { answer, beginLesson, type Lesson, type Progress, solution, withMistake, withReply } from "./lesson.ts";
import { Tally } from "./tally.tsx";

const REPLY_MS = 900;
const SOUNDS = new Sounds();
const NO_ARROWS: readonly Arrow[] = [];

interface Props {
  readonly facts: VariantFacts;
  readonly lessons: readonly Lesson[];
  readonly first: number;
}

export function LessonsPage({ facts, lessons, first }: Props) {
  const [at, setAt] = useState(first);
  const [done, setDone] = useState(() => completedLessons(facts.id));
  const [run, setRun] = useState(0);
  const lesson = lessons[at] as Lesson;

  const open = useCallback((place: number) => {
    setAt(place);
    setRun((was) => was + 1);
    history.replaceState(null, "", `#${lessons[place]?.id ?? ""}`);
  }, []);
  useEffect(() => {
    const onHash = () => {
      const named = placeNamed(lessons);
      if (named >= 0) open(named);
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  const isDone = (place: number) => done.includes(lessons[place]?.id ?? "");
  return (
    <OneLesson
      key={`${lesson.id} ${run}`}
      facts={facts}
      lesson={lesson}
      place={at}
      all={lessons.length}
      isFirstOpened={run === 0}
      tally={<Tally all={lessons.length} isDone={isDone} at={at} />}
      finish={() => setDone(completeLesson(facts.id, lesson.id))}
      open={open}
      contents={<Contents lessons={lessons} at={at} isDone={isDone} open={open} />}
    />
  );
}

/** Returns the index of the lesson that the address names, else of the first that has not been completed. */
export function firstPlace(lessons: readonly Lesson[], variant: string): number {
  const named = placeNamed(lessons);
  const done = completedLessons(variant);
  const next = lessons.findIndex((lesson) => !done.includes(lesson.id));
  return Math.max(0, named < 0 ? next : named);
}

/** Returns the index of the lesson that the address names, or -1. */
function placeNamed(lessons: readonly Lesson[]): number {
  return lessons.findIndex((lesson) => `#${lesson.id}` === location.hash);
}

interface OneProps {
  readonly facts: VariantFacts;
  readonly lesson: Lesson;
  readonly place: number;
  readonly all: number;
  readonly isFirstOpened: boolean;
  readonly tally: ComponentChildren;
  readonly contents: ComponentChildren;
  readonly finish: () => void;
  readonly open: (place: number) => void;
}

function OneLesson({ facts, lesson, place, all, isFirstOpened, tally, contents, finish, open }: OneProps) {
  const board = useRef<TaflBoard>(null);
  const next = useRef<HTMLElement>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [call, setCall] = useState<Call>(0);
  const [arrows, setArrows] = useState(NO_ARROWS);

  useEffect(() => {
    void beginLesson(lesson, facts).then((begun) => {
      setProgress(begun);
      // The button to the next lesson had the focus: the board gets it.
      const [square] = Object.keys(begun.game.legal);
      if (!isFirstOpened && square) queueMicrotask(() => board.current?.focusSquare(square));
    });
  }, []);

  const move = useCallback(
    (played: string) => {
      if (!progress?.answers) return false;
      const after = answer(lesson, progress, played, call);
      setProgress(after);
      setArrows(NO_ARROWS);
      if (after.kind === "wrong") return false;
      if (readSettings().sounds) SOUNDS.play(after.game.state.last?.captures.length ? "capture" : "move");
      setCall(0);
      return true;
    },
    [progress, call],
  );
  const refused = useCallback((reason: string) => setProgress((was) => was && withMistake(was, reason)), []);

  useEffect(() => {
    if (!progress?.reply) return;
    const timer = setTimeout(() => setProgress(withReply(progress)), REPLY_MS);
    return () => clearTimeout(timer);
  }, [progress]);
  useLayoutEffect(() => {
    if (progress?.kind !== "done") return;
    finish();
    next.current?.focus({ preventScroll: true });
  }, [progress?.kind]);

  if (!progress) return <p class="waiting">{t("web.waiting")}</p>;
  const isDone = progress.kind === "done";
  // The next step is shown when the other side has replied.
  const step = progress.step - (progress.reply ? 1 : 0);
  const show = () => {
    const [from, to] = (solution(progress) ?? "").split("-");
    if (!from || !to) return;
    setArrows([{ from, to, kind: "move" }]);
    setProgress(withMistake(progress, t("web.lesson.shown", { move: `${from}–${to}` })));
  };
  return (
    <>
      <div>
        <LessonBoard
          element={board}
          game={progress.game}
          isOpen={progress.answers !== null && !progress.reply}
          arrows={arrows}
          move={move}
          refused={refused}
        />
      </div>
      <div class="lesson-side">
        <p class="beside-name">
          {facts.family} <span>{facts.author}</span>
        </p>
        <div class="lesson-head">
          <h1>
            <span class="unseen">{t("web.lesson.number", { number: place + 1, all })}. </span>
            {lesson.title}
          </h1>
          {tally}
        </div>
        <div class="lesson-message" role="status">
          <p class={progress.kind}>
            {isDone && <b>{t("web.lesson.learned")}</b>}
            {progress.message}
          </p>
        </div>
        {!isDone && <Task lesson={lesson} place={step} />}
        {!isDone && facts.calls && lesson.steps[step]?.call != null && (
          <CallChoice calls={facts.calls} chosen={call} choose={setCall} />
        )}
        <div class="buttons">
          {!isDone && (
            <button type="button" onClick={show}>
              {t("web.lesson.show")}
            </button>
          )}
          {isDone && place + 1 < all && (
            <button type="button" class="main" ref={next as RefObject<HTMLButtonElement>} onClick={() => open(place + 1)}>
              {t("web.lesson.next")}
            </button>
          )}
          {isDone && place + 1 === all && (
            <a class="button main" ref={next as RefObject<HTMLAnchorElement>} href={`/${LANGUAGE}/new?variant=${facts.id}`}>
              {t("web.lesson.play")}
            </a>
          )}
          {(isDone || progress.step > 0) && (
            <button type="button" onClick={() => open(place)}>
              {t("web.lesson.again")}
            </button>
          )}
        </div>
        {isDone && place + 1 === all && <p class="note">{t("web.lesson.last")}</p>}
        {contents}
        <p class="lesson-links">
          {facts.rules && <a href={facts.rules}>{t("web.lesson.rules", { name: facts.name })}</a>}
          {!(isDone && place + 1 === all) && (
            <a href={`/${LANGUAGE}/new?variant=${facts.id}`}>{t("web.lesson.play")}</a>
          )}
        </p>
      </div>
    </>
  );
}

function Task({ lesson, place }: { readonly lesson: Lesson; readonly place: number }) {
  const piece: Piece = lesson.side === "attackers" ? "attacker" : "defender";
  return (
    <p class="lesson-task">
      <PieceDrawing piece={piece} />
      <span>{lesson.steps[place]?.task}</span>
    </p>
  );
}

interface ContentsProps {
  readonly lessons: readonly Lesson[];
  readonly at: number;
  readonly isDone: (place: number) => boolean;
  readonly open: (place: number) => void;
}

function Contents({ lessons, at, isDone }: ContentsProps) {
  return (
    <details class="lesson-list">
      <summary>{t("web.lessons.all")}</summary>
      <ol>
        {lessons.map((lesson, place) => (
          <li key={lesson.id} class={isDone(place) ? "done" : ""}>
            <a href={`#${lesson.id}`} aria-current={place === at ? "true" : undefined}>
              <span class="number">{place + 1}</span>
              {lesson.title}
              {isDone(place) && <span class="mark">{t("web.lesson.done")}</span>}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
