// The interface between the game page and what holds a game: this browser (`HotSeat`) or the server (`RemoteGame`).

import { useLayoutEffect, useState } from "preact/hooks";
import type { Changes } from "../changes.ts";
import type { Move, Side } from "../rules.ts";
import type { Call } from "../ui/call_choice.tsx";
import type { VariantFacts } from "../variants.ts";
import type { CallMode, PlayedGame } from "./played_game.ts";
import type { Score } from "./match.ts";

/** Which rules a game is played by, and from which position; null for the start of the rules. */
export interface GameSetup extends Changes {
  readonly variant: string;
  readonly start: string | null;
}

export interface Seat {
  readonly name: string;
  /** The name in records; empty without one. */
  readonly recordName: string;
  /** The name in sentences, if it is another one: "Hare" of "Hare, level 2". */
  readonly nickname?: string;
  /** Whether the user of this browser sits here. */
  readonly isYou: boolean;
  /** Whether the sides are drawn only when the game begins. */
  readonly isDrawn?: boolean;
  readonly clock?: SeatClock;
  /** Whether the server has lost the connection to the player. */
  readonly isAway?: boolean;
}

export interface SeatClock {
  /** The time that was left at `at`. */
  readonly left_ms: number;
  /** The time of this browser (`performance.now()`) from which the clock runs. */
  readonly at: number;
  readonly isRunning: boolean;
}

/** What the user can do besides moving. The catalogue has a text for each: `web.action.NAME`. */
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
  | "rematch_offered"
  | "accept_rematch"
  | "decline_rematch"
  | "to_rematch"
  | "to_class"
  | "to_people"
  | "new_game"
  | "use_server"
  | "retry"
  | "play_both";

export interface Action {
  readonly name: ActionName;
  readonly isEnabled: boolean;
  /** Whether the user has to confirm it. */
  readonly needsConfirmation?: boolean;
  /** The question to confirm, if it is not that of the action: people at one device see who is meant. */
  readonly question?: string;
}

/** A game at a moment, as the page shows it. */
export interface Snapshot {
  readonly facts: VariantFacts;
  readonly line: PlayedGame;
  readonly mode: CallMode;
  readonly seats: Readonly<Record<Side, Seat>>;
  /** Whose pieces this user moves. */
  readonly movable: Side | "both" | "none";
  readonly actions: readonly Action[];
  readonly score: Score | null;
  /** A sentence to read as long as there is no connection. */
  readonly lost?: string | null;
  /** A sentence about the opponent, a hint or a failure. */
  readonly notice: string | null;
  /** A move that was sent and is not answered yet. */
  readonly pending: Move | null;
  /** The engine's suggestion. */
  readonly hint?: Move | null;
  /** Whether players have days for a move: then moves are confirmed. */
  readonly isSlow: boolean;
  /** Whether the game waits for a second player. */
  readonly isWaiting?: boolean;
  /** Whether the game was cancelled: before the second player joined, after it had begun, or by the host of a class. */
  readonly cancelled?: "waiting" | "begun" | "host" | null;
  /** The number of spectators besides the user. */
  readonly watching?: number;
  /** Whether the user has won against the computer for the first time. */
  readonly isFirstWin?: boolean;
  /** Which leg is shown, and how many have begun. */
  readonly legs?: { readonly shown: number; readonly count: number };
}

export interface GameSource {
  readonly snapshot: Snapshot;
  /** Calls the listener after every change; returns a function that ends this. */
  subscribe(listener: () => void): () => void;
  /** Plays a move. Throws `Refused` if the rules do not allow it. */
  move(move: string, call: Call): void;
  act(name: ActionName): void;
  /** Shows a leg, counted from 1. */
  showLeg?(number: number): void;
}

/** Returns the snapshot of a source, and renders again whenever it changes. */
export function useSnapshot(source: GameSource): Snapshot {
  const [snapshot, setSnapshot] = useState(source.snapshot);
  useLayoutEffect(() => {
    setSnapshot(source.snapshot);
    return source.subscribe(() => setSnapshot(source.snapshot));
  }, [source]);
  return snapshot;
}
