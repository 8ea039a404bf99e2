// Where the truth about a game is: in this browser, or at the server. The page shows a table and passes on wishes.

import type { Side, Step } from "../rules.ts";
import type { GameFacts } from "./facts.ts";
import type { CallMode, Line } from "./line.ts";

export interface Seat {
  readonly name: string;
  /** Whether it is the one who looks at the page. */
  readonly isYou: boolean;
  /** What is known of its clock. */
  readonly clock?: SeatClock;
  /** Not connected, as far as the server knows. */
  readonly isAway?: boolean;
}

export interface SeatClock {
  /** What was left at `at`. */
  readonly left_ms: number;
  /** The time of this browser (`performance.now()`) from which it runs. */
  readonly at: number;
  readonly isRunning: boolean;
}

/** What can be done besides moving. The page has a text for each: `web.action.NAME`. */
export type ActionName =
  | "undo"
  | "hint"
  | "draw"
  | "resign"
  | "abort"
  | "claim"
  | "accept_draw"
  | "decline_draw"
  | "accept_takeback"
  | "decline_takeback"
  | "next_leg"
  | "rematch"
  | "accept_rematch"
  | "to_rematch"
  | "new_game";

export interface Action {
  readonly name: ActionName;
  readonly isEnabled: boolean;
  /** Whether it is asked again before it is done. */
  readonly asks?: boolean;
}

/** A match of two legs: the points of the two players, by seat name. */
export interface Score {
  readonly leg: number;
  readonly legs: number;
  readonly players: readonly [string, string];
  readonly points: readonly [number, number];
  /** Who has won, once it is decided: 0, 1, or null for nobody. */
  readonly verdict?: { readonly winner: 0 | 1 | null; readonly by: "points" | "captures" | "drawn" };
}

export interface Table {
  readonly facts: GameFacts;
  readonly line: Line;
  readonly mode: CallMode;
  readonly seats: Readonly<Record<Side, Seat>>;
  /** Whose pieces this browser moves. */
  readonly movable: Side | "both" | "none";
  readonly actions: readonly Action[];
  readonly score: Score | null;
  /** A sentence about the connection or the opponent, if there is something to say. */
  readonly notice: string | null;
  /** A move that has been sent and is not answered yet. */
  readonly pending: Step | null;
  /** A move that the engine would play. */
  readonly hint?: Step | null;
  /** Whether a move has days: it is confirmed before it is made. */
  readonly isSlow: boolean;
  /** Whether somebody has still to come before it begins. */
  readonly isWaiting?: boolean;
  /** How many others look on. */
  readonly watching?: number;
  /** Which leg is looked at, and how many have begun. */
  readonly legs?: { readonly shown: number; readonly count: number };
}

export interface Source {
  /** The table as it is; null while it is being laid. */
  readonly table: Table | null;
  /** Tells of every change; the answer ends it. */
  subscribe(told: () => void): () => void;
  /** Wants to move; the board shows what comes of it. */
  move(move: string, call: 0 | 1 | 2): void;
  act(name: ActionName): void;
  /** Looks at a leg, from 1; for games that keep more than one. */
  showLeg?(number: number): void;
}
