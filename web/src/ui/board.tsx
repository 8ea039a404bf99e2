// <tafl-board> as a component: it passes properties to the element, and moves and edits on to the page.

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import "../board/register.ts";
import type { Arrow, BoardState, Mark, Movable, Shape, ShowOptions, Words } from "../board/types.ts";
import { type Position, withPiece, withPieceMoved } from "../positions.ts";
import type { Game, Move, Piece, Side } from "../rules.ts";
import { t, textsOf } from "../texts.ts";
import { type Sentences, useAnnouncer } from "./announcer.ts";
import { refusalOf } from "./refusals.ts";
import { applyLook, type Look, readSettings } from "./settings.ts";

/** What a tap does while a position is set up: moves a piece, removes it, or puts one. */
export type Tool = "hand" | "nothing" | Piece;

/** A position that is being set up: any piece may go anywhere. */
export interface PositionEditing {
  readonly position: Position;
  readonly tool: Tool;
  readonly change: (position: Position) => void;
  /** Replaces what the tool does. */
  readonly tap?: ((square: string) => void) | undefined;
}

interface Props {
  /** Null until the rules are loaded. */
  readonly shape: Shape | null;
  /** Drawn whenever it is another object. */
  readonly state: BoardState | null;
  readonly showOptions?: ShowOptions;
  /** Whatever is another object when moves are played or removed: else another state is a step, and no move. */
  readonly moves?: object;
  readonly look?: Look;
  readonly movable?: Movable;
  readonly isFlipped?: boolean;
  readonly hasConfirm?: boolean;
  readonly hasPremove?: boolean;
  readonly hasInput?: boolean;
  readonly marks?: readonly Mark[] | undefined;
  readonly arrows?: readonly Arrow[] | undefined;
  /** A move that was sent and is not answered yet. */
  readonly sent?: Move | null;
  /** What screen readers are told besides moves: each sentence once, when it is new. */
  readonly announced?: Sentences;
  /** Texts that replace those of the catalogue. */
  readonly words?: Words;
  readonly element?: RefObject<TaflBoard | null>;
  /** The game whose rules explain why a move is refused. */
  readonly game?: Game | null;
  /** Plays a move. False lets the piece slide back. */
  readonly move?: (move: string) => boolean;
  readonly refused?: (reason: string) => void;
  /** Called after a tap that is no move of this turn: with a sentence if it plans one, or selects nothing. */
  readonly tapped?: ((reason: string | null) => void) | undefined;
  /** Called when a move waits to be confirmed, and with null when it no longer does. */
  readonly pending?: ((move: Move | null) => void) | undefined;
  readonly editing?: PositionEditing | null;
}

const DEFAULT_LOOK = readSettings();
const NO_MARKS: readonly Mark[] = [];
const NO_ARROWS: readonly Arrow[] = [];

export function Board(props: Props) {
  const ref = useRef<TaflBoard>(null);
  const element = props.element ?? ref;
  const latest = useRef(props);
  latest.current = props;
  const { shape, state, showOptions, look = DEFAULT_LOOK, movable = "both", sent = null } = props;
  const { isFlipped, hasConfirm, hasPremove, hasInput, marks = NO_MARKS, arrows = NO_ARROWS, announced = [] } = props;
  const isEditing = (props.editing ?? null) !== null;
  // Layout effects: an effect that waits for the next frame would let a quick move meet outdated properties.
  const useBoard = (change: (board: TaflBoard) => void | (() => void), inputs: readonly unknown[]) =>
    useLayoutEffect(() => (element.current ? change(element.current) : undefined), inputs);

  useBoard((board) => {
    board.words = { ...textsOf("board."), ...props.words };
    return listen(board, latest);
  }, []);
  useBoard((board) => applyLook(board, look), [look.board, look.pieces, look.coordinates]);
  // Attributes by hand: the element has properties of other types under some of their names.
  useBoard(
    (board) => {
      board.setAttribute("movable", movable);
      board.toggleAttribute("flip", isFlipped ?? false);
      board.toggleAttribute("confirm", hasConfirm ?? false);
      board.toggleAttribute("premove", hasPremove ?? false);
      board.toggleAttribute("input", hasInput ?? false);
      board.toggleAttribute("edit", isEditing);
    },
    [movable, isFlipped, hasConfirm, hasPremove, hasInput, isEditing],
  );
  useBoard(
    (board) => {
      if (shape) board.shape = shape;
    },
    [shape],
  );
  const shown = useRef({ ply: 0, moves: props.moves });
  useBoard(
    (board) => {
      if (!state) return;
      // Steps are told by the page.
      const { ply, moves } = shown.current;
      const isStep = (state.ply ?? 0) < ply || (moves && moves === props.moves);
      shown.current.ply = state.ply ?? 0;
      board.show(state, isStep ? { ...showOptions, announce: false } : showOptions);
    },
    [state],
  );
  useBoard(() => void (shown.current.moves = props.moves), [props.moves]);
  useBoard((board) => board.showPending(sent), [state, sent?.from, sent?.to]);
  useBoard((board) => void (board.marks = marks), [marks]);
  useBoard((board) => void (board.arrows = arrows), [arrows]);
  useAnnouncer(element, announced);
  return <tafl-board ref={element} />;
}

/** Listens to the events of a board; returns a function that stops it. */
function listen(board: TaflBoard, latest: { readonly current: Props }): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const onMove = (event: CustomEvent<Move>) => {
    const { from, to } = event.detail;
    if (!latest.current.move?.(`${from}-${to}`)) event.preventDefault();
  };
  const onRefused = ({ detail: { from, to } }: CustomEvent<Move>) => {
    const { game, refused } = latest.current;
    const reason = refusalOf(() => game?.describe(`${from}-${to}`));
    if (!reason) return;
    refused?.(reason);
    board.announce(`${reason} ${t("board.put_back")}`);
  };
  const answerTap = (reason: string | null, tapped: Props["tapped"]) => {
    tapped?.(reason);
    if (tapped && reason) board.announce(reason);
  };
  const onSelect = (square: string | null) => {
    const { editing, tapped } = latest.current;
    if (!editing && square !== null) answerTap(board.input.targets().length > 0 ? null : t("web.lesson.tap.stuck"), tapped);
    if (!editing || square === null || (editing.tool === "hand" && !editing.tap)) return;
    board.cancel();
    put(editing, square);
  };
  const put = (editing: PositionEditing, square: string) => {
    const piece = tap(editing, square);
    if (piece !== undefined) board.announce(contentText(square, piece));
  };
  board.addEventListener("tafl-move", onMove, { signal });
  board.addEventListener("tafl-refused", onRefused, { signal });
  board.addEventListener("tafl-pending", ({ detail }) => latest.current.pending?.(detail), { signal });
  const onPlanned = (move: Move | null) => latest.current.tapped?.(move && t("board.planned", { ...move }));
  board.addEventListener("tafl-premove", ({ detail }) => onPlanned(detail), { signal });
  board.addEventListener("tafl-select", ({ detail }) => onSelect(detail), { signal });
  board.addEventListener(
    "tafl-edit",
    ({ detail: { from, to } }) => {
      const { editing } = latest.current;
      if (!editing) return;
      editing.change(withPieceMoved(editing.position, from, to));
      board.announce(contentText(to ?? from, to ? editing.position.pieces.get(from) : null));
    },
    { signal },
  );
  board.addEventListener(
    "tafl-square",
    ({ detail: square }) => {
      const { editing, tapped, movable = "both", state } = latest.current;
      if (!editing) answerTap(tapText(board.pieces.get(square), movable, state?.turn ?? null), tapped);
      if (editing && (editing.tap || (editing.tool !== "hand" && editing.tool !== "nothing"))) put(editing, square);
    },
    { signal },
  );
  return () => stop.abort();
}

/**
 * Applies the tool to a square. The piece of the tool replaces another one, and removes a piece equal to it. Returns the
 * piece that is on the square then; undefined if something else was done.
 */
function tap({ position, tool, change, tap }: PositionEditing, square: string): Piece | null | undefined {
  if (tap) return void tap(square);
  const piece = tool === "nothing" || tool === "hand" || position.pieces.get(square) === tool ? null : tool;
  change(withPiece(position, square, piece));
  return piece;
}

/** Returns what is on a square, as the board names it: "e4, king". */
function contentText(square: string, piece: Piece | null | undefined): string {
  return `${square}, ${t(`board.${piece ?? "empty"}`)}`;
}

/** Returns why a tap on a square selects nothing; null if there is nothing to say. */
function tapText(piece: Piece | undefined, movable: Movable, turn: Side | null): string | null {
  if (turn === null || movable === "none") return null;
  const side = piece && (piece.startsWith("a") ? "attackers" : "defenders");
  if (movable !== "both" && turn !== movable) return side ? t("web.tap.wait") : null;
  if (!side) return t("web.lesson.tap.empty");
  if (side === turn) return null;
  return t(movable === "both" ? `web.tap.turn.${turn}` : `web.lesson.tap.not_yours.${turn}`);
}
