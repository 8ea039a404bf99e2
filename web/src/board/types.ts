// What goes into the board and what comes out of it. docs/reference/board.md describes it for those who put it on a page.

import type { Danger, Legal, Piece, RulesFacts, Side, Step } from "../rules.ts";

/** What a board is by the rules. `RulesFacts` is one; a server may send less. */
export type Shape = Pick<RulesFacts, "size"> & Partial<Omit<RulesFacts, "size">>;

/** A capture of the last move, as far as it is drawn. */
interface ShownCapture {
  readonly square: string;
  readonly piece?: Piece;
  readonly by?: readonly string[];
}

interface ShownMove extends Step {
  readonly captures?: readonly ShownCapture[];
}

/** What stands on the board. `GameState` of the rules is one, with `legal` added. */
export interface BoardState {
  /** Rows from the top, as in every position text; what follows them is not read. */
  readonly position: string;
  /** The side to move, null when the game is over. */
  readonly turn: Side | null;
  /** The moves that may be made, by square of origin; without it none. */
  readonly legal?: Legal;
  readonly last?: ShownMove | null;
  /** The king's open roads. */
  readonly roads?: readonly Step[];
  /** How far the king is closed in; drawn if he is threatened. */
  readonly danger?: Danger | null;
  /** Special squares that are hostile now. */
  readonly hostile?: readonly { readonly square: string; readonly to: readonly Piece[] }[];
  readonly king?: string | null;
}

const MARK_KINDS = ["move", "capture", "block", "selected", "planned", "highlight", "drawn"] as const;
const ARROW_KINDS = ["move", "second", "threat", "planned", "drawn"] as const;

/** A mark on a square. */
export interface Mark {
  readonly square: string;
  readonly kind: (typeof MARK_KINDS)[number];
}

export interface Arrow extends Step {
  readonly kind: (typeof ARROW_KINDS)[number];
}

/** Who may be moved by this user. */
export type Movable = Side | "both" | "none";

export interface ShowOptions {
  /** Whether pieces travel; by default if the state follows the one before, or goes back to it. */
  readonly animate?: boolean;
  /** Whether the move is announced to those who do not see it. */
  readonly announce?: boolean;
}

/** The texts of the board in the language of the page: those of the catalogue whose keys begin with `board.`. */
export type Words = Readonly<Record<string, string>>;

/** What the events carry in `detail`. */
export interface BoardEvents {
  /** A move was made. Cancelled, the piece goes back; else it waits, drawn pale, for the next `show`. */
  "tafl-move": Step;
  /** A move for the next turn was planned, or given up; the board makes it then. */
  "tafl-premove": Step | null;
  /** With `confirm`: a move waits to be confirmed, or no longer. */
  "tafl-pending": Step | null;
  /** A piece was taken up or put back. */
  "tafl-select": string | null;
  /** The user drew arrows and circles, or wiped them away. */
  "tafl-draw": { readonly arrows: readonly Step[]; readonly circles: readonly string[] };
  /** A square was tapped that is no part of a move; `edit` boards tell every tap. */
  "tafl-square": string;
  /** With `edit`: a piece was put elsewhere, or off the board (`to` null). */
  "tafl-edit": { readonly from: string; readonly to: string | null };
  /** A square that nobody may go to was chosen for a piece: the host may say why. */
  "tafl-refused": Step;
}
