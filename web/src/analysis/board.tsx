// The board of the analysis: any move may be tried on it; while a position is set up, any piece goes anywhere.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow, BoardState, Mark } from "../board/types.ts";
import "../entries/board.ts";
import { readSettings } from "../game/hooks.ts";
import { dress, listen } from "../game/wiring.ts";
import type { Game, Piece, Rules } from "../rules.ts";
import { textsOf } from "../texts.ts";
import { carry, type Position, put, textOf } from "./position.ts";

/** What a tap does while a position is set up: moves a piece, takes it away, or puts one. */
export type Tool = "hand" | "nothing" | Piece;

interface Props {
  readonly rules: Rules;
  readonly game: Game;
  readonly isFlipped: boolean;
  readonly arrows: readonly Arrow[];
  readonly move: (move: string) => void;
  readonly refused: (why: string) => void;
  /** The position that is being set up; null while moves are tried. */
  readonly editing: Position | null;
  readonly tool: Tool;
  readonly edit: (position: Position) => void;
}

const LOOK = readSettings();

export function AnalysisBoard(props: Props) {
  const { rules, game, isFlipped, arrows, editing } = props;
  const element = useRef<TaflBoard>(null);
  const latest = useRef(props);
  latest.current = props;

  useLayoutEffect(() => {
    const board = element.current;
    if (!board) return;
    board.words = textsOf("board.");
    dress(board, LOOK);
    const stopPlaying = listenToMoves(board, latest);
    const stopEditing = listenToEdits(board, latest);
    return () => {
      stopPlaying();
      stopEditing();
    };
  }, []);
  useLayoutEffect(() => {
    if (element.current) element.current.shape = rules.facts;
  }, [rules]);
  useLayoutEffect(() => {
    element.current?.toggleAttribute("flip", isFlipped);
  }, [isFlipped]);
  useLayoutEffect(() => {
    const board = element.current;
    if (!board) return;
    board.toggleAttribute("edit", editing !== null);
    if (editing) board.show(stateOf(editing), { animate: false, announce: false });
    else board.show({ ...game.state, legal: game.legal });
  }, [game, editing]);
  useLayoutEffect(() => {
    if (!element.current) return;
    element.current.arrows = editing ? [] : arrows;
    element.current.marks = editing ? faultyIn(rules, editing) : [];
  }, [arrows, editing]);
  return <tafl-board ref={element} />;
}

/** The squares that the rules have something against, to be seen beside the words. */
function faultyIn(rules: Rules, position: Position): readonly Mark[] {
  const squares = rules.check(textOf(position)).faults.map(({ facts }) => facts["square"] ?? "");
  return squares.filter(Boolean).map((square) => ({ square, kind: "highlight" }));
}

function stateOf(position: Position): BoardState {
  return { position: textOf(position), turn: position.turn };
}

function listenToMoves(board: TaflBoard, latest: { readonly current: Props }): () => void {
  const move = (step: string) => {
    latest.current.move(step);
    return true;
  };
  const game = () => (latest.current.editing ? null : latest.current.game);
  return listen(board, game, { move, refused: (why) => latest.current.refused(why) });
}

/** What is done on a board on which any piece goes anywhere. */
export interface Editing {
  /** The position that is being set up; null while it is not. */
  readonly editing: Position | null;
  readonly tool: Tool;
  readonly edit: (position: Position) => void;
  /** What a tap does instead of putting a piece. */
  readonly tap?: ((square: string) => void) | undefined;
}

/** Listens to a board that is being set up; gives what ends it. */
export function listenToEdits(board: TaflBoard, latest: { readonly current: Editing }): () => void {
  const ending = new AbortController();
  const on = <T,>(name: string, act: (detail: T) => void) =>
    board.addEventListener(name, (event) => act((event as CustomEvent<T>).detail), { signal: ending.signal });
  on<{ from: string; to: string | null }>("tafl-edit", ({ from, to }) => {
    const { editing, edit } = latest.current;
    if (editing) edit(carry(editing, from, to));
  });
  on<string>("tafl-square", (square) => {
    const { editing, edit, tool, tap } = latest.current;
    if (editing && tap) tap(square);
    else if (editing && tool !== "hand" && tool !== "nothing") edit(put(editing, square, tool));
  });
  on<string | null>("tafl-select", (square) => {
    const { editing, edit, tool, tap } = latest.current;
    if (!editing || square === null || (tool === "hand" && !tap)) return;
    // With a piece in hand a tap replaces what stands there; the same piece again takes it away.
    board.cancel();
    if (tap) return tap(square);
    const piece = tool === "nothing" || tool === "hand" || editing.pieces.get(square) === tool ? null : tool;
    edit(put(editing, square, piece));
  });
  return () => ending.abort();
}
