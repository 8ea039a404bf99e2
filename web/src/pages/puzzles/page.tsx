// The page of a puzzle: one board, one task, and why a wrong try fails.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { pageAddress, siteAddress } from "../../addresses.ts";
import type { TaflBoard } from "../../board/element.ts";
import type { Mark, ShowOptions } from "../../board/types.ts";
import type { Game } from "../../rules.ts";
import { Sounds } from "../../sounds.ts";
import { t } from "../../texts.ts";
import { Board } from "../../ui/board.tsx";
import { endMarks, withRoadTaken } from "../../ui/game_end.ts";
import { outcomeText } from "../../ui/outcome.ts";
import { readSettings } from "../../ui/settings.ts";
import type { VariantFacts } from "../../variants.ts";
import { type Attempt, again, answer, beginPuzzle, movesTo, type PuzzleFacts, solution, textOf } from "./puzzle.ts";
import { solvedPuzzles, storeShown, storeSolved } from "./solved.ts";
import { StreakRow, Week } from "./streak.tsx";

const STEP_MS = 800;
const SOUNDS = new Sounds();
const NO_MARKS: readonly Mark[] = [];
const REPLY: ShowOptions = { announce: false };
const STEPS = ["start", "try", "reply"];

interface Props {
  readonly puzzle: PuzzleFacts;
  readonly facts: VariantFacts;
  readonly title: string;
  readonly task: string;
  /** The line above the title: the day, the game, the difficulty. */
  readonly about: string;
}

export function PuzzlePage({ puzzle, facts, title, task, about }: Props) {
  const board = useRef<TaflBoard>(null);
  const focused = useRef<HTMLElement>(null);
  const [attempt, setAttempt] = useState<Attempt | null>(null);
  const [marks, setMarks] = useState(NO_MARKS);
  /** The answer to a tap or a move that is not possible, until the next one. */
  const [note, setNote] = useState<string | null>(null);
  const isDaily = puzzle.week.some(({ day, puzzle: id }) => day === puzzle.day && id === puzzle.id);

  useEffect(() => void beginPuzzle(puzzle, facts.tree).then(setAttempt), []);
  const kind = attempt?.kind;
  const verdict = attempt && verdictOf(attempt);
  const move = (played: string) => {
    if (!attempt) return false;
    setMarks(NO_MARKS);
    setNote(null);
    const next = answer(puzzle, attempt, played);
    if (next.kind === "solved") storeSolved(puzzle.id, isDaily ? puzzle.day : null);
    setAttempt(next);
    return true;
  };
  useSteps(puzzle, attempt, setAttempt);
  useLayoutEffect(() => {
    if (kind === "solved" || kind === "wrong") focused.current?.focus({ preventScroll: true });
  }, [kind]);

  /** Moves the focus to the board, where the button that was pressed goes or is disabled. */
  const focusBoard = (square: string | undefined) => {
    if (square) queueMicrotask(() => board.current?.focusSquare(square));
  };
  const retry = () => {
    setAttempt((was) => was && again(was));
    focusBoard(Object.keys(attempt?.game.legal ?? {})[0]);
  };
  const restart = async () => {
    const first = await beginPuzzle(puzzle, facts.tree);
    setAttempt(first);
    focusBoard(Object.keys(first.game.legal)[0]);
  };
  const hint = () => {
    if (!attempt) return;
    // First the piece, then its square.
    const [from = "", to = ""] = solution(puzzle, attempt).split("-");
    const squares = marks.length === 0 ? [from] : [from, to];
    setMarks(squares.map((square) => ({ square, kind: "highlight" })));
    setNote(null);
    const message = marks.length === 0 ? t("web.puzzle.hinted", { square: from }) : t("web.puzzle.hinted.move", { from, to });
    setAttempt({ ...attempt, message });
    if (marks.length > 0) focusBoard(from);
    board.current?.scrollIntoView({ block: "nearest" });
  };
  const show = () => {
    if (!attempt) return;
    setMarks(NO_MARKS);
    setNote(null);
    if (isDaily) storeShown(puzzle.day);
    setAttempt({ ...again(attempt), kind: "shown" });
    focusBoard(solution(puzzle, attempt).split("-")[0]);
    board.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <>
      <div class="puzzle-board">{attempt && <PuzzleBoard element={board} attempt={attempt} marks={marks} move={move} note={setNote} />}</div>
      <div class="puzzle-side">
        <p class="note">{about}</p>
        <h1>{title}</h1>
        <p class="lead">{task}</p>
        <p class={`puzzle-message ${kind ?? ""}`}>
          {verdict && <b>{verdict} </b>}
          {kind === "shown"
            ? t("web.puzzle.shown", { moves: movesTo(attempt?.line[attempt.at] as Game) || "…" })
            : (note ?? attempt?.message ?? t("web.waiting"))}
        </p>
        {kind === "wrong" && attempt && <Line attempt={attempt} show={(at) => setAttempt({ ...attempt, at })} />}
        <div class="buttons">
          {kind === "wrong" && (
            <button type="button" class="main" ref={focused as RefObject<HTMLButtonElement>} onClick={retry}>
              {t("web.puzzle.again")}
            </button>
          )}
          {(kind === "asks" || kind === "right") && (
            <button type="button" disabled={marks.length > 1} onClick={hint}>
              {t("web.puzzle.hint")}
            </button>
          )}
          {(kind === "asks" || kind === "right" || kind === "wrong") && (
            <button type="button" class="quiet" onClick={show}>
              {t("web.puzzle.show")}
            </button>
          )}
          {kind === "shown" && (
            <button type="button" onClick={() => void restart()}>
              {t("web.puzzle.again")}
            </button>
          )}
          {(kind === "solved" || kind === "shown") && (
            <a class="button main" ref={focused as RefObject<HTMLAnchorElement>} href={nextAddress(puzzle)}>
              {t("web.puzzle.next")}
            </a>
          )}
        </div>
        <StreakRow key={kind} today={puzzle.day} />
        <Week key={`week ${kind === "solved"}`} puzzle={puzzle} />
        <p class="links">
          <a href={pageAddress("puzzles")}>{t("page.puzzles.all")}</a>
          {facts.rules && <a href={siteAddress(facts.rules)}>{t("web.lesson.rules", { name: facts.name })}</a>}
        </p>
      </div>
    </>
  );
}

/** Shows the next position of a line after a while, and plays the solution when it is shown. */
function useSteps(puzzle: PuzzleFacts, attempt: Attempt | null, set: (next: (was: Attempt | null) => Attempt | null) => void): void {
  useEffect(() => {
    if (!attempt) return;
    const { kind, line, at, game } = attempt;
    if (at > 0 && readSettings().sounds) SOUNDS.play(line[at]?.state.last?.captures.length ? "capture" : "move");
    const isLast = at === line.length - 1;
    const mayPlay = kind === "shown" && game.state.turn !== null && !(puzzle.theme === "only_move" && at > 0);
    if (isLast && !mayPlay) return;
    if (at === 0 && !mayPlay) return;
    const next = (): Attempt =>
      isLast
        ? { ...answer(puzzle, attempt, solution(puzzle, attempt)), kind: "shown" }
        : { ...attempt, at: at + 1 };
    // The timer may fire after the user has gone on, before this effect is cleaned up.
    const timer = setTimeout(() => set((was) => (was === attempt ? next() : was)), STEP_MS);
    return () => clearTimeout(timer);
  }, [attempt]);
}

/** Returns whether a try was right, once that is known. */
function verdictOf({ kind }: Attempt): string | null {
  return kind === "solved" || kind === "wrong" ? t(`web.puzzle.${kind}`) : null;
}

interface BoardProps {
  readonly element: RefObject<TaflBoard | null>;
  readonly attempt: Attempt;
  readonly marks: readonly Mark[];
  readonly move: (move: string) => boolean;
  readonly note: (reason: string | null) => void;
}

function PuzzleBoard({ element, attempt, marks, move, note }: BoardProps) {
  const { kind, line, at } = attempt;
  const game = line[at] as Game;
  const isShown = kind === "shown";
  const isOpen = (kind === "asks" || kind === "right") && at === line.length - 1;
  const state = useMemo(() => (isOpen ? { ...game.state, legal: game.legal } : withRoadTaken(game.state)), [game, isOpen]);
  const shown = useMemo(() => (game.state.outcome ? endMarks(game.state) : marks), [game, marks]);
  return (
    <Board
      element={element}
      shape={game.rules.facts}
      state={state}
      // The message names the reply; a solution that is shown is told by its moves.
      {...(at > 1 && !isShown ? { showOptions: REPLY } : {})}
      announced={isShown ? [state.outcome && outcomeText(state.outcome)] : [verdictOf(attempt), attempt.message]}
      movable={isOpen ? "both" : "none"}
      marks={shown}
      game={game}
      move={move}
      refused={note}
      tapped={isOpen ? note : undefined}
    />
  );
}

/** The positions of a wrong try: before, after it, and after the answer. */
function Line({ attempt, show }: { readonly attempt: Attempt; readonly show: (at: number) => void }) {
  return (
    <div class="segments puzzle-line" role="group" aria-label={t("web.puzzle.line")}>
      {attempt.line.map((game, at) => (
        <button key={STEPS[at]} type="button" aria-pressed={at === attempt.at} onClick={() => show(at)}>
          <span>{t(`web.puzzle.line.${STEPS[at]}`)}</span>
          {at > 0 && <span class="note">{textOf(game)}</span>}
        </button>
      ))}
    </div>
  );
}

/** Returns the address of the first of the following puzzles that is not solved; of all puzzles if all are. */
function nextAddress(puzzle: PuzzleFacts): string {
  const solved = solvedPuzzles();
  const next = puzzle.next.find((id) => !solved.has(id));
  return pageAddress(next ? `puzzles/${next}` : "puzzles");
}
