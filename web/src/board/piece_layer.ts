// The layer of pieces: where they stand, how they move, are dragged and are captured.

import type { Move, Piece } from "../rules.ts";
import { brackets, squeeze } from "./marks.ts";
import { fadeIn, fadeOut, travel } from "./animation.ts";
import { drawPiece, transformTo } from "./pieces.ts";
import type { BoardState } from "./types.ts";
import type { Point, View } from "./view.ts";

/** The change from one state to the next; `waiting` is the move of the user that is shown already. */
interface Transition {
  readonly before: BoardState;
  readonly now: BoardState;
  readonly waiting: Move | null;
}

interface DrawnPiece {
  readonly element: SVGGElement;
  readonly piece: Piece;
}

interface DragOptions {
  readonly view: View;
  readonly scale: number;
  readonly lift: number;
  readonly over: string | null;
}

export class PieceLayer {
  #pieces = new Map<string, DrawnPiece>();
  #waiting: Move | null = null;
  /** When the piece that the user moved lands, by `performance.now()`. */
  #landsAt = 0;
  #isDragging = false;
  /** Counts states, so that the end of an old animation changes nothing in a newer state. */
  #stateNumber = 0;

  constructor(
    private readonly layer: SVGGElement,
    private readonly captured: SVGGElement,
  ) {}

  /** Draws the pieces on their squares; returns the milliseconds until the piece that moved lands. */
  show(pieces: ReadonlyMap<string, Piece>, view: View, transition: Transition | null): number {
    this.#stateNumber += 1;
    this.#waiting = null;
    this.captured.replaceChildren();
    for (const left of this.layer.querySelectorAll(".doomed")) left.remove();
    const moved = transition && this.#movedPiece(pieces, transition);
    if (moved) {
      const drawn = this.#pieces.get(moved.from);
      if (drawn) {
        this.#pieces.get(moved.to)?.element.remove();
        this.#pieces.delete(moved.from);
        this.#pieces.set(moved.to, drawn);
      }
    }
    const gone = this.#reconcile(pieces, view, transition !== null);
    for (const element of this.layer.children) element.classList.remove("waiting", "ghost");
    if (!moved) {
      for (const element of gone) element.remove();
      return 0;
    }
    const mover = (this.#pieces.get(moved.to) as DrawnPiece).element;
    this.layer.append(mover);
    const { waiting, now } = transition;
    const isShown = waiting?.from === moved.from && waiting.to === moved.to;
    const landed = isShown
      ? Math.max(0, this.#landsAt - performance.now())
      : travel(mover, view.centre(moved.from), view.centre(moved.to));
    this.#removeCaptured(gone, now, view, landed);
    return landed;
  }

  /** Returns the move between two states: the last one, or the one before taken back. */
  #movedPiece(pieces: ReadonlyMap<string, Piece>, { before, now }: Transition): Move | null {
    const moves = [now.last, before.last && { from: before.last.to, to: before.last.from }];
    const isMove = (move: Move | null | undefined): move is Move =>
      !!move && !pieces.has(move.from) && pieces.has(move.to) && this.#pieces.get(move.from)?.piece === pieces.get(move.to);
    return moves.find(isMove) ?? null;
  }

  /** Adds and moves pieces to match a position; returns the elements of those that are gone. */
  #reconcile(pieces: ReadonlyMap<string, Piece>, view: View, fades: boolean): SVGGElement[] {
    const gone: SVGGElement[] = [];
    for (const [square, { element, piece }] of this.#pieces) {
      if (pieces.get(square) === piece) continue;
      gone.push(element);
      this.#pieces.delete(square);
    }
    for (const [square, piece] of pieces) {
      if (this.#pieces.has(square)) continue;
      const element = document.createElementNS("http://www.w3.org/2000/svg", "g");
      element.setAttribute("class", `piece ${piece}`);
      element.innerHTML = drawPiece(piece);
      this.#pieces.set(square, { element, piece });
      this.layer.append(element);
      if (fades) fadeIn(element);
    }
    for (const [square, { element }] of this.#pieces) {
      element.setAttribute("transform", transformTo(view.centre(square)));
    }
    // Nearer pieces cover those behind them.
    const order = [...this.#pieces].sort(([one], [two]) => view.centre(one).y - view.centre(two).y);
    this.layer.append(...order.map(([, { element }]) => element));
    return gone;
  }

  #removeCaptured(gone: readonly SVGGElement[], now: BoardState, view: View, landed: number): void {
    const captures = now.last?.captures ?? [];
    if (gone.length === 0) return;
    for (const element of gone) element.classList.add("doomed");
    this.captured.innerHTML = captures.map(({ square, by }) => squeeze(view, square, by ?? [])).join("");
    const number = this.#stateNumber;
    fadeOut(gone, this.captured, landed, () => {
      if (number !== this.#stateNumber) return;
      for (const element of gone) element.remove();
    });
  }

  /** Shows a move that waits to be answered or confirmed: its piece is drawn on the target, pale. */
  wait(move: Move | null, view: View): void {
    if (move?.from === this.#waiting?.from && move?.to === this.#waiting?.to) return;
    const back = this.#waiting;
    const returned = back && this.#pieces.get(back.from)?.element;
    if (returned) {
      returned.setAttribute("transform", transformTo(view.centre(back.from)));
      returned.classList.remove("waiting");
    }
    this.#waiting = move;
    const element = move && this.#pieces.get(move.from)?.element;
    if (!element) return;
    element.setAttribute("transform", transformTo(view.centre(move.to)));
    element.classList.add("waiting");
    this.layer.append(element);
    const travelled = this.#isDragging ? 0 : travel(element, view.centre(move.from), view.centre(move.to));
    this.#landsAt = performance.now() + travelled;
  }

  /** Draws the piece of a square at a point; without a point puts it back, and returns from where it slides. */
  drag(
    layer: SVGGElement,
    square: string | null,
    point: Point | null,
    { view, scale, lift, over }: DragOptions,
  ): { piece: SVGGElement; from: Point; to: Point } | null {
    this.#isDragging = point !== null;
    const [dragged] = layer.getElementsByClassName("piece");
    if (point === null) {
      const at = dragged?.getAttribute("data-at")?.split(" ").map(Number);
      layer.replaceChildren();
      for (const element of this.layer.children) element.classList.remove("ghost");
      const element = square === null ? undefined : this.#pieces.get(square)?.element;
      if (!at || !element || square === null) return null;
      return { piece: element, from: { x: at[0] ?? 0, y: at[1] ?? 0 }, to: view.centre(square) };
    }
    const drawn = square === null ? undefined : this.#pieces.get(square);
    if (!drawn) return null;
    // Created once: dragging has to be fast.
    if (!dragged) {
      drawn.element.classList.add("ghost");
      layer.innerHTML = `<g></g><g class="piece">${drawPiece(drawn.piece)}</g>`;
    }
    const [aim, body] = layer.children;
    const at = `${point.x} ${point.y - lift}`;
    if (aim) aim.innerHTML = over === null ? "" : brackets(view, over);
    body?.setAttribute("data-at", at);
    body?.setAttribute("transform", `translate(${at}) scale(${scale})`);
    return null;
  }
}
