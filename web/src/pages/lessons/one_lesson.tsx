// One lesson: one board, one sentence, one task; and the success at its end.

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { IS_ALONE, pageAddress, siteAddress } from "../../addresses.ts";
import type { TaflBoard } from "../../board/element.ts";
import type { Arrow, Mark } from "../../board/types.ts";
import type { Game, Piece } from "../../rules.ts";
import { Sounds } from "../../sounds.ts";
import { t } from "../../texts.ts";
import { type Call, CallChoice } from "../../ui/call_choice.tsx";
import { AFTER_MOVE_MS } from "../../ui/announcer.ts";
import { Board } from "../../ui/board.tsx";
import { PieceDrawing } from "../../ui/icons.tsx";
import { readSettings } from "../../ui/settings.ts";
import { callWord, type VariantFacts } from "../../variants.ts";
import { answer, beginLesson, type Lesson, namedSquares, type Progress, solution, withMistake, withReply } from "./lesson.ts";

const REPLY_MS = 900;
const FIRST_LEVEL = 1;
const SOUNDS = new Sounds();
const NO_ARROWS: readonly Arrow[] = [];

interface Props {
  readonly facts: VariantFacts;
  readonly lessons: readonly Lesson[];
  /** The ids of the lessons on the path; empty for a user who takes the whole course. */
  readonly path: readonly string[];
  readonly place: number;
  readonly isFirstOpened: boolean;
  /** The ids of the completed lessons. */
  readonly done: readonly string[];
  readonly contents: (isOpen: boolean) => ComponentChildren;
  readonly finish: () => void;
  readonly open: (place: number) => void;
}

export function OneLesson({ facts, lessons, path, place, isFirstOpened, done, contents, finish, open }: Props) {
  const lesson = lessons[place] as Lesson;
  const board = useRef<TaflBoard>(null);
  const next = useRef<HTMLElement>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [call, setCall] = useState<Call>(0);
  const [arrows, setArrows] = useState(NO_ARROWS);
  const [isRepeated] = useState(done.includes(lesson.id));

  useEffect(() => {
    void beginLesson(lesson, facts).then((begun) => {
      setProgress(begun);
      // The button to the next lesson had the focus: the board gets it.
      const [square] = Object.keys(begun.game.legal);
      if (!isFirstOpened && square) queueMicrotask(() => board.current?.focusSquare(square));
    });
  }, []);

  const move = (played: string) => {
    if (!progress?.answers) return false;
    const after = answer(lesson, progress, played, call);
    setProgress(after);
    setArrows(NO_ARROWS);
    if (after.kind === "wrong") return false;
    const sound = after.kind === "done" ? "call" : after.game.state.last?.captures.length ? "capture" : "move";
    if (readSettings().sounds) SOUNDS.play(sound);
    setCall(0);
    return true;
  };
  const answered = (reason: string) => setProgress((was) => was && withMistake(was, reason));
  /** What the board has told: why a move is not legal. */
  const toldByBoard = useRef<string | null>(null);
  const refused = (reason: string) => {
    toldByBoard.current = reason;
    answered(reason);
  };

  useEffect(() => {
    if (!progress?.reply) return;
    const timer = setTimeout(() => setProgress((was) => (was === progress ? withReply(progress) : was)), REPLY_MS);
    return () => clearTimeout(timer);
  }, [progress]);
  useEffect(() => {
    if (!progress) return;
    const told = toldByBoard.current === progress.message ? "" : textFor(lesson, progress, isFirstOpened);
    toldByBoard.current = null;
    const timer = told ? setTimeout(() => board.current?.announce(told), AFTER_MOVE_MS) : 0;
    return () => clearTimeout(timer);
  }, [progress]);
  useLayoutEffect(() => {
    if (progress?.kind !== "done") return;
    finish();
    next.current?.focus({ preventScroll: true });
    next.current?.scrollIntoView({ block: "nearest" });
  }, [progress?.kind]);

  if (!progress) return <p class="waiting">{t("web.waiting")}</p>;
  const isDone = progress.kind === "done";
  // The next step is shown when the other side has replied.
  const step = progress.step - (progress.reply ? 1 : 0);
  const task = lesson.steps[step]?.task ?? "";
  const left = lessons.flatMap(({ id }, at) => (at === place || done.includes(id) ? [] : [at]));
  const isLast = place + 1 === lessons.length;
  const isFinished = isDone && left.length === 0 && (isLast || !isRepeated);
  const stepOfPath = path.indexOf(lesson.id);
  const isOnPath = stepOfPath >= 0;
  const nextOfPath = lessons.findIndex(({ id }) => id === path[stepOfPath + 1]);
  // The last step of the path is the first game.
  const isGameNext = isOnPath ? isDone && nextOfPath < 0 : isFinished;
  const squares = [...namedSquares([progress.message, isDone ? "" : task], progress.game.rules.facts.size), ...(isDone ? [] : lesson.marks)];
  const show = () => {
    const shown = solution(lesson, progress);
    const [from, to] = shown?.move.split("-") ?? [];
    if (!shown || !from || !to) return;
    setArrows([{ from, to, kind: "move" }]);
    setCall(shown.call ?? 0);
    setProgress(withMistake(progress, shownText(`${from}–${to}`, shown.call, facts)));
  };
  return (
    <>
      <div>
        <LessonBoard
          element={board}
          game={progress.game}
          isOpen={progress.answers !== null && !progress.reply}
          arrows={arrows}
          squares={squares}
          move={move}
          refused={refused}
          tapped={(piece) => answered(tapText(lesson, piece))}
        />
      </div>
      <div class="lesson-side">
        <p class="beside-name">
          {facts.family} <span>{facts.author}</span>
        </p>
        <div class="lesson-head">
          <h1>
            <span class="lesson-number">
              {isOnPath
                ? t("page.lessons.path.number", { number: stepOfPath + 1, all: path.length + 1 })
                : t("web.lesson.number", { number: place + 1, all: lessons.length })}
              <span class="unseen">. </span>
            </span>
            {lesson.title}
          </h1>
          {!isOnPath && (
            <Tally
              all={lessons.length}
              isDone={(at) => done.includes(lessons[at]?.id ?? "")}
              at={place}
              cut={isDone ? place : undefined}
            />
          )}
        </div>
        <div class={isDone ? "lesson-card cloth" : "lesson-card"}>
          <div>
            <div class="lesson-message">
              {(isDone || progress.kind === "right") && (
                <p class="pair praise">
                  <Tick />
                  {isFinished ? t("web.lesson.finished", { name: facts.family }) : t("web.lesson.right")}
                </p>
              )}
              {progress.kind !== "right" && (
                <p class={progress.kind}>
                  {isDone && <b>{t("web.lesson.learned")}</b>}
                  {progress.message}
                </p>
              )}
            </div>
            {!isDone && (
              <p class="pair lesson-task">
                <PieceDrawing piece={lesson.side === "attackers" ? "attacker" : "defender"} />
                <span>{task}</span>
              </p>
            )}
          </div>
          {!isDone && facts.calls && lesson.steps[step]?.call != null && (
            <CallChoice calls={facts.calls} chosen={call} choose={setCall} />
          )}
          {isGameNext && <p>{t("web.lesson.last")}</p>}
          <div class="buttons">
            {!isDone && (
              <button type="button" onClick={show}>
                {t("web.lesson.show")}
              </button>
            )}
            {isDone && !isGameNext && (
              <button
                type="button"
                class="main"
                ref={next as RefObject<HTMLButtonElement>}
                onClick={() => open(isOnPath ? nextOfPath : isLast ? (left[0] ?? 0) : place + 1)}
              >
                {t(isOnPath ? "web.lesson.next_step" : "web.lesson.next")}
              </button>
            )}
            {isGameNext && !IS_ALONE && (
              <a
                class="button main"
                ref={next as RefObject<HTMLAnchorElement>}
                href={pageAddress(`computer?variant=${facts.id}&level=${FIRST_LEVEL}`)}
              >
                {t("web.lesson.play_lamb")}
              </a>
            )}
            {(isDone || progress.step > 0) && (
              <button type="button" onClick={() => open(place)}>
                {t("web.lesson.again")}
              </button>
            )}
          </div>
        </div>
        {contents(isFinished)}
        {!IS_ALONE && (
          <p class="links">
            {facts.rules && <a href={siteAddress(facts.rules)}>{t("web.lesson.rules", { name: facts.name })}</a>}
            <a href={pageAddress(`new?variant=${facts.id}`)}>{t("web.lesson.play")}</a>
          </p>
        )}
      </div>
    </>
  );
}

/** Returns what screen readers are told of the progress after a move, without what they know. */
function textFor({ title, steps }: Lesson, { kind, message, step, reply }: Progress, isFirstOpened: boolean): string {
  const task = steps[step]?.task ?? "";
  if (kind === "done") return `${t("web.lesson.right")} ${message}`;
  if (kind === "asks") return isFirstOpened ? "" : `${title}. ${message} ${task}`;
  if (kind === "wrong") return `${message} ${task}`;
  if (reply) return message;
  return steps[step - 1]?.reply ? task : `${message} ${task}`;
}

/** Returns the answer to a tap that begins no move. */
function tapText({ side }: Lesson, piece: Piece | undefined): string {
  if (!piece) return t("web.lesson.tap.empty");
  const isMine = (piece === "attacker") === (side === "attackers");
  return t(isMine ? "web.lesson.tap.stuck" : `web.lesson.tap.not_yours.${side}`);
}

function shownText(move: string, call: Call | null, facts: VariantFacts): string {
  if (!call || !facts.calls) return t("web.lesson.shown", { move });
  return t("web.lesson.shown_call", { move, call: callWord(facts.calls, call) });
}

function Tick() {
  return (
    <svg class="tick" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="15" />
      <path d="M8.5 16.5l5 5.5 10-11.5" pathLength={1} />
    </svg>
  );
}

interface BoardProps {
  readonly element: RefObject<TaflBoard | null>;
  readonly game: Game;
  /** Whether a move is expected. */
  readonly isOpen: boolean;
  readonly arrows: readonly Arrow[];
  /** The squares to light up. */
  readonly squares: readonly string[];
  readonly move: (move: string) => boolean;
  readonly refused: (reason: string) => void;
  /** Called when a tap is no part of a move, with the piece on the square. */
  readonly tapped: (piece: Piece | undefined) => void;
}

/** The board of a lesson. A wrong move slides back. */
function LessonBoard({ element, game, isOpen, arrows, squares, move, refused, tapped }: BoardProps) {
  const state = useMemo(() => (isOpen ? { ...game.state, legal: game.legal } : game.state), [game, isOpen]);
  const named = squares.join(" ");
  const marks = useMemo(() => squares.map((square): Mark => ({ square, kind: "highlight" })), [named]);
  useEffect(() => {
    const board = element.current;
    if (!board || !isOpen) return;
    const onSquare = ({ detail: square }: CustomEvent<string>) => tapped(board.pieces.get(square));
    board.addEventListener("tafl-square", onSquare);
    return () => board.removeEventListener("tafl-square", onSquare);
  }, [isOpen]);
  return (
    <Board
      element={element}
      shape={game.rules.facts}
      state={state}
      movable={isOpen ? "both" : "none"}
      arrows={arrows}
      marks={marks}
      game={game}
      move={move}
      refused={refused}
    />
  );
}

const STEP = 12;

interface TallyProps {
  readonly all: number;
  readonly isDone: (place: number) => boolean;
  /** The index of the lesson that is open. */
  readonly at: number;
  /** The index of the lesson that has just been completed: its notch is cut before the eyes of the user. */
  readonly cut: number | undefined;
}

/** The tally of completed lessons: a stick with a deep notch for each. */
function Tally({ all, isDone, at, cut }: TallyProps) {
  const places = Array.from({ length: all }, (_, place) => place);
  const done = places.filter(isDone).length;
  const width = all * STEP + 4;
  return (
    <svg class="tally" viewBox={`0 0 ${width} 30`} role="img" aria-label={t("web.lesson.tally", { done, all })}>
      <path class="stick" d={`M0 20.5H${width}`} />
      {places.map((place) => (
        <path
          key={place}
          class={isDone(place) ? `cut-notches${place === cut ? " new-notch" : ""}` : "left-notches"}
          d={`M${place * STEP + 4} 20l4-${isDone(place) ? 17 : 6} 4 ${isDone(place) ? 17 : 6}z`}
        />
      ))}
      <path class="tally-here" d={`M${at * STEP + 8} 23l-5 7h10z`} />
    </svg>
  );
}
