// The hand that plays: what is taken up, what waits to be confirmed, what is planned for the next turn.
//
// It knows no rule: what may be done stands in the state. It draws nothing: it tells the board what changed.

import type { LegalMove, Piece, Side, Step } from "../rules.ts";
import type { BoardEvents, BoardState, Movable } from "./types.ts";
import { nameOf, placeOf } from "./view.ts";

/** What the hand asks of its board. */
export interface Table {
  readonly size: number;
  readonly state: BoardState | null;
  readonly men: ReadonlyMap<string, Piece>;
  readonly movable: Movable;
  hasOption(name: "confirm" | "premove" | "edit"): boolean;
  /** Sends an event; false if somebody cancelled it. */
  tell<Name extends keyof BoardEvents>(name: Name, detail: BoardEvents[Name]): boolean;
  redraw(): void;
}

export function sideOf(piece: Piece): Side {
  return piece.startsWith("a") ? "attackers" : "defenders";
}

export class Hand {
  selected: string | null = null;
  pending: Step | null = null;
  premove: Step | null = null;
  /** The move that was made and not yet answered. */
  sent: Step | null = null;
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Whether a piece may be taken up: to move it now, or to plan its move. */
  canTake(square: string): boolean {
    const piece = this.#table.men.get(square);
    const { movable, state } = this.#table;
    if (!piece || this.sent) return false;
    if (this.#table.hasOption("edit")) return true;
    const side = sideOf(piece);
    if (!state?.turn || (movable !== "both" && movable !== side)) return false;
    return state.turn === side || (movable === side && this.#table.hasOption("premove"));
  }

  /** Whether the piece taken up would be moved only when its turn comes. */
  get isPlanning(): boolean {
    const piece = this.selected === null ? undefined : this.#table.men.get(this.selected);
    return piece !== undefined && this.#table.state?.turn !== sideOf(piece);
  }

  /** Where the piece taken up may go. A plan may go anywhere on its lines: who knows what the board will be. */
  targets(): readonly LegalMove[] {
    const from = this.selected;
    if (from === null || this.#table.hasOption("edit")) return [];
    if (!this.isPlanning) return this.#table.state?.legal?.[from] ?? [];
    const { file, rank } = placeOf(from);
    const line = Array.from({ length: this.#table.size }, (_, k) => k);
    const squares = [...line.map((k) => nameOf({ file: k, rank })), ...line.map((k) => nameOf({ file, rank: k }))];
    return squares.filter((square) => square !== from).map((to) => ({ to, captures: [] }));
  }

  /** A tap or Enter on a square. */
  tap(square: string): void {
    if (this.pending) {
      if (this.pending.to === square) this.confirm();
      else this.cancel();
      return;
    }
    const from = this.selected;
    // In the midst of a turn of several captures a second tap on the piece ends it.
    const stops = from === square && this.targets().some((target) => target.to === square);
    if (from !== null && (stops || (from !== square && this.#mayGo(square)))) {
      this.#go({ from, to: square });
      return;
    }
    if (from === square) this.#select(null);
    else if (this.canTake(square)) this.take(square);
    else if (from !== null) this.#refuse({ from, to: square });
    else {
      this.#giveUpPlan();
      this.#table.tell("tafl-square", square);
    }
  }

  take(square: string): void {
    this.#giveUpPlan();
    this.#select(square);
  }

  /** Puts the piece taken up down on a square, or off the board; false if it may not go there. */
  drop(to: string | null): boolean {
    const from = this.selected;
    if (from === null || from === to) return false;
    if (to !== null && this.#mayGo(to)) {
      this.#go({ from, to });
      return true;
    }
    if (this.#table.hasOption("edit")) {
      this.#select(null);
      return this.#table.tell("tafl-edit", { from, to: null });
    }
    if (to !== null) this.#refuse({ from, to });
    else this.#select(null);
    return false;
  }

  /** Makes a move in one go; false if it may not be made. */
  play(step: Step): boolean {
    if (!this.canTake(step.from)) return false;
    this.take(step.from);
    if (this.#mayGo(step.to)) {
      this.#go(step);
      return true;
    }
    this.#refuse(step);
    return false;
  }

  confirm(): void {
    const step = this.pending;
    if (!step) return;
    this.pending = null;
    this.#table.tell("tafl-pending", null);
    this.#send(step);
  }

  /** Takes back what is pending, planned or taken up. */
  cancel(): void {
    if (this.pending) {
      this.pending = null;
      this.#table.tell("tafl-pending", null);
    }
    this.#giveUpPlan();
    this.#select(null);
  }

  /** The host has shown a state: what was sent is answered, and what no longer holds is let go. */
  settle(): void {
    this.sent = null;
    if (this.pending) {
      this.pending = null;
      this.#table.tell("tafl-pending", null);
    }
    if (this.selected !== null && !this.canTake(this.selected)) this.#select(null);
    const plan = this.premove;
    if (!plan) return;
    const { men, state } = this.#table;
    const piece = men.get(plan.from);
    if (!piece) this.#giveUpPlan();
    else if (state?.turn === sideOf(piece)) {
      this.#giveUpPlan();
      const isLegal = state.legal?.[plan.from]?.some((target) => target.to === plan.to);
      // After the host has finished what it does on this state.
      if (isLegal) queueMicrotask(() => this.#send(plan));
    }
  }

  #mayGo(to: string): boolean {
    return this.#table.hasOption("edit") || this.targets().some((target) => target.to === to);
  }

  #go(step: Step): void {
    const isPlan = this.isPlanning;
    this.#select(null);
    if (this.#table.hasOption("edit")) {
      this.#table.tell("tafl-edit", step);
    } else if (isPlan) {
      this.premove = step;
      this.#table.tell("tafl-premove", step);
    } else if (this.#table.hasOption("confirm")) {
      this.pending = step;
      this.#table.tell("tafl-pending", step);
    } else {
      this.#send(step);
      return;
    }
    this.#table.redraw();
  }

  #send(step: Step): void {
    // Set first: a host that answers at once clears it.
    this.sent = step;
    this.#table.redraw();
    if (!this.#table.tell("tafl-move", step)) {
      this.sent = null;
      this.#table.redraw();
    }
  }

  #refuse(step: Step): void {
    this.#select(null);
    this.#table.tell("tafl-refused", step);
  }

  #giveUpPlan(): void {
    if (!this.premove) return;
    this.premove = null;
    this.#table.tell("tafl-premove", null);
    this.#table.redraw();
  }

  #select(square: string | null): void {
    if (this.selected === square) return;
    this.selected = square;
    this.#table.redraw();
    this.#table.tell("tafl-select", square);
  }
}
