// Move entry: the selected piece, the move to confirm, and the premove.
//
// It is independent of the rules: the state lists the legal moves. The board redraws itself after every change.

import { placeOf, squareName } from "../positions.ts";
import type { LegalMove, Move, Piece, Side } from "../rules.ts";
import type { BoardEvents, BoardState, Movable } from "./types.ts";

/** What the input needs of its board. */
export interface MoveInputHost {
  readonly size: number;
  readonly state: BoardState | null;
  readonly pieces: ReadonlyMap<string, Piece>;
  readonly movable: Movable;
  hasAttribute(name: "confirm" | "premove" | "edit"): boolean;
  /** Dispatches an event. Returns false if a listener cancelled it. */
  emit<Name extends keyof BoardEvents>(name: Name, detail: BoardEvents[Name]): boolean;
  redraw(): void;
}

/** A move as it is typed: two squares. */
export const TYPED = /([a-s]\d+)[\Wx]*([a-s]\d+)/i;

export function sideOf(piece: Piece): Side {
  return piece.startsWith("a") ? "attackers" : "defenders";
}

export class MoveInput {
  selected: string | null = null;
  pending: Move | null = null;
  premove: Move | null = null;
  /** The move that was made and is not answered yet. */
  sent: Move | null = null;

  constructor(private readonly host: MoveInputHost) {}

  /** Checks whether a piece may be selected: to move it now, or as a premove. */
  canSelect(square: string): boolean {
    const piece = this.host.pieces.get(square);
    const { movable, state } = this.host;
    if (!piece || this.sent) return false;
    if (this.host.hasAttribute("edit")) return true;
    const side = sideOf(piece);
    if (!state?.turn || (movable !== "both" && movable !== side)) return false;
    return state.turn === side || (movable === side && this.host.hasAttribute("premove"));
  }

  /** Whether the selected piece belongs to the side that is not to move: its move would be a premove. */
  get isPremove(): boolean {
    const piece = this.selected === null ? undefined : this.host.pieces.get(this.selected);
    return piece !== undefined && this.host.state?.turn !== sideOf(piece);
  }

  /** Returns the moves of the selected piece. A premove may go anywhere on its row and column. */
  targets(): readonly LegalMove[] {
    const from = this.selected;
    if (from === null || this.host.hasAttribute("edit")) return [];
    if (!this.isPremove) return this.host.state?.legal?.[from] ?? [];
    const { file, rank } = placeOf(from);
    const line = Array.from({ length: this.host.size }, (_, k) => k);
    const squares = line.flatMap((k) => [squareName({ file: k, rank }), squareName({ file, rank: k })]);
    return squares.filter((square) => square !== from).map((to) => ({ to, captures: [] }));
  }

  /** Checks whether a tap puts the selected piece back: where that is legal, it ends a turn of several captures. */
  isPutBack(square: string): boolean {
    return square === this.selected && !this.#mayGo(square);
  }

  /** Handles a tap or Enter on a square. */
  tap(square: string): void {
    if (this.pending) {
      if (square === this.pending.to) return this.confirm();
      this.cancel();
      if (!this.canSelect(square)) return;
    }
    const from = this.selected;
    if (from !== null && this.#mayGo(square)) this.#go({ from, to: square });
    else if (from === square) this.#select(null);
    else if (this.canSelect(square)) this.select(square);
    else if (from !== null) this.#refuse({ from, to: square });
    else {
      this.#dropPremove();
      this.host.emit("tafl-square", square);
    }
  }

  select(square: string): void {
    this.#dropPremove();
    this.#select(square);
  }

  /** Drops the selected piece on a square, or off the board. Returns false if it may not go there. */
  drop(to: string | null): boolean {
    const from = this.selected;
    if (from === null || from === to) return false;
    if (to !== null && this.#mayGo(to)) {
      this.#go({ from, to });
      return true;
    }
    if (this.host.hasAttribute("edit")) {
      this.#select(null);
      return this.host.emit("tafl-edit", { from, to: null });
    }
    if (to !== null) this.#refuse({ from, to });
    else this.#select(null);
    return false;
  }

  /** Makes a move at once. Returns false if it is not legal. */
  play(move: Move): boolean {
    if (!this.canSelect(move.from)) {
      this.host.emit("tafl-square", move.from);
      return false;
    }
    this.select(move.from);
    if (this.#mayGo(move.to)) {
      this.#go(move);
      return true;
    }
    this.#refuse(move);
    return false;
  }

  confirm(): void {
    const move = this.pending;
    if (!move) return;
    this.pending = null;
    this.host.emit("tafl-pending", null);
    this.#send(move);
  }

  /** Drops the pending move, the premove and the selection. */
  cancel(): void {
    if (this.pending) {
      this.pending = null;
      this.host.emit("tafl-pending", null);
    }
    this.#dropPremove();
    this.#select(null);
  }

  /**
   * Adapts to a new state: drops what no longer applies, and makes the premove if it is legal. A move that waits to be
   * confirmed outlasts what happens without a change of the position, such as an offer.
   */
  settle(isSame: boolean): void {
    this.sent = null;
    if (this.pending && !(isSame && this.canSelect(this.pending.from))) {
      this.pending = null;
      this.host.emit("tafl-pending", null);
    }
    if (this.selected !== null && !this.canSelect(this.selected)) this.#select(null);
    const { premove } = this;
    if (!premove) return;
    const { pieces, state } = this.host;
    const piece = pieces.get(premove.from);
    if (!piece) this.#dropPremove();
    else if (state?.turn === sideOf(piece)) {
      this.#dropPremove();
      const isLegal = state.legal?.[premove.from]?.some((target) => target.to === premove.to);
      // Later: the host is still handling this state.
      if (isLegal) queueMicrotask(() => this.#make(premove));
    }
  }

  #mayGo(to: string): boolean {
    return this.host.hasAttribute("edit") ? to !== this.selected : this.targets().some((target) => target.to === to);
  }

  #go(move: Move): void {
    const { isPremove } = this;
    this.#select(null);
    if (this.host.hasAttribute("edit")) {
      this.host.emit("tafl-edit", move);
    } else if (isPremove) {
      this.premove = move;
      this.host.emit("tafl-premove", move);
    } else return this.#make(move);
    this.host.redraw();
  }

  /** Makes a move of this turn, or lets it wait to be confirmed. */
  #make(move: Move): void {
    if (!this.host.hasAttribute("confirm")) return this.#send(move);
    this.pending = move;
    this.host.emit("tafl-pending", move);
    this.host.redraw();
  }

  #send(move: Move): void {
    // Set before the event: a host that answers at once clears it.
    this.sent = move;
    this.host.redraw();
    if (!this.host.emit("tafl-move", move)) {
      this.sent = null;
      this.host.redraw();
    }
  }

  #refuse(move: Move): void {
    this.#select(null);
    this.host.emit("tafl-refused", move);
  }

  #dropPremove(): void {
    if (!this.premove) return;
    this.premove = null;
    this.host.emit("tafl-premove", null);
    this.host.redraw();
  }

  #select(square: string | null): void {
    if (this.selected === square) return;
    this.selected = square;
    this.host.redraw();
    this.host.emit("tafl-select", square);
  }
}
