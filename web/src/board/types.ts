// The properties and events of <tafl-board>; docs/reference/board.md describes them.

import type { GameState, Legal, Move, Piece, RulesFacts, Side } from "../rules.ts";

/** The facts of the rules that a board needs. `RulesFacts` has them all; a server may send fewer. */
export type Shape = Pick<RulesFacts, "size"> & Partial<Omit<RulesFacts, "size">>;

/** A capture of the last move, with what is drawn of it. */
interface ShownCapture {
  readonly square: string;
  readonly piece?: Piece;
  readonly by?: readonly string[];
}

interface ShownMove extends Move {
  readonly captures?: readonly ShownCapture[];
}

/**
 * What the board shows. `GameState` of the rules is one, with `legal` added. Only the rows of the position are read, and
 * the king's danger is drawn if he is threatened.
 */
export interface BoardState
  extends Pick<GameState, "position" | "turn">, Partial<Pick<GameState, "roads" | "danger" | "hostile" | "king" | "ply">> {
  /** The legal moves by square of origin; without it none. */
  readonly legal?: Legal;
  readonly last?: ShownMove | null;
}

/** A mark on a square. */
export interface Mark {
  readonly square: string;
  readonly kind: "move" | "capture" | "block" | "selected" | "planned" | "highlight" | "drawn";
}

export interface Arrow extends Move {
  readonly kind: "move" | "second" | "threat" | "planned" | "drawn";
}

/** Whose pieces the user may move. */
export type Movable = Side | "both" | "none";

export interface ShowOptions {
  /** Whether pieces move to their squares, if the state follows the one before or goes back to it. */
  readonly animate?: boolean;
  /** Whether the move is announced to screen readers. */
  readonly announce?: boolean;
}

/** The texts of the board in the language of the page: those of the catalogue whose keys begin with `board.`. */
export type Words = Readonly<Record<string, string>>;

/** What the events carry in `detail`. */
export interface BoardEvents {
  /** A move was made. If it is cancelled, the piece goes back; else it waits, pale, for the next `show`. */
  "tafl-move": Move;
  /** A premove was entered, or dropped. The board makes it when its turn comes. */
  "tafl-premove": Move | null;
  /** With `confirm`: a move waits to be confirmed, or no longer. */
  "tafl-pending": Move | null;
  /** A piece was taken up or put back. */
  "tafl-select": string | null;
  /** The user drew arrows or circles, or deleted them. */
  "tafl-draw": { readonly arrows: readonly Move[]; readonly circles: readonly string[] };
  /** A square was tapped that is no part of a move. */
  "tafl-square": string;
  /** With `edit`: a piece was put elsewhere, or off the board (`to` null). */
  "tafl-edit": { readonly from: string; readonly to: string | null };
  /** A piece was to make an illegal move: the host may explain why. */
  "tafl-refused": Move;
}
