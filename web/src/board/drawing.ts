// Arrows and circles of the user's own: with the right button, a finger held down, or the keyboard. Loaded after the board.

import type { TaflBoard } from "./element.ts";
import { say } from "./speech.ts";
import type { BoardEvents } from "./types.ts";

type Drawn = BoardEvents["tafl-draw"];

export const NOTHING: Drawn = { arrows: [], circles: [] };

/** How long a finger is held down: a slow tap on a piece that may be moved still takes it up. */
const HOLD_MS = 500;
const HOLD_PIECE_MS = 1000;
const STILL_PX = 8;

export class Drawing {
  drawn = NOTHING;
  readonly #board: TaflBoard;
  /** What is being drawn: from here to there; the same square makes a circle. */
  #from: string | null = null;
  #to: string | null = null;
  #held: { readonly x: number; readonly y: number; readonly timer: number } | null = null;

  constructor(board: TaflBoard) {
    this.#board = board;
    const { area } = board;
    // Before the hand hears of it: what a press means depends on what the hand holds then.
    area.addEventListener("pointerdown", (event) => this.#down(event), true);
    area.addEventListener("pointermove", (event) => this.#move(event));
    area.addEventListener("pointerup", () => this.#up());
    area.addEventListener("pointercancel", () => this.#giveUp());
    area.addEventListener("touchmove", (event) => this.#from !== null && event.preventDefault(), { passive: false });
    area.addEventListener("keydown", (event) => this.#key(event));
    area.addEventListener("focusin", (event) => this.#aim(squareOf(event)));
  }

  /** Everything that was drawn, and what is being drawn. */
  get shown(): Drawn {
    return this.#from === null || this.#to === null ? this.drawn : toggled(this.drawn, this.#from, this.#to);
  }

  wipe(): boolean {
    if (this.drawn === NOTHING) return false;
    this.#set(NOTHING);
    return true;
  }

  #down(event: PointerEvent): void {
    const { hand } = this.#board;
    const square = this.#square(event);
    this.#giveUp();
    if (square === null || hand.pending || hand.premove) return;
    if (event.button === 2) this.#begin(square);
    else if (event.pointerType === "touch" && event.isPrimary && hand.selected === null) {
      const timer = window.setTimeout(() => this.#takeOver(square), hand.canTake(square) ? HOLD_PIECE_MS : HOLD_MS);
      this.#held = { x: event.clientX, y: event.clientY, timer };
    }
  }

  /** The finger was held still: it draws, and the piece under it stays where it is. */
  #takeOver(square: string): void {
    this.#held = null;
    this.#board.pointer.cancel();
    this.#begin(square);
  }

  #move(event: PointerEvent): void {
    const held = this.#held;
    if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL_PX) this.#giveUp();
    this.#aim(this.#square(event));
  }

  #up(): void {
    const [from, to] = [this.#from, this.#to];
    this.#giveUp();
    if (from !== null && to !== null) this.#set(toggled(this.drawn, from, to));
  }

  #key(event: KeyboardEvent): void {
    const square = squareOf(event);
    if (square === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const keys: Readonly<Record<string, () => void>> = {
      a: () => (this.#from === null ? this.#beginArrow(square) : this.#put(this.#from, square)),
      c: () => this.#put(square, square),
      Delete: () => this.wipe() && this.#say("wiped"),
      Escape: () => this.#giveUp(),
    };
    keys[event.key]?.();
  }

  #beginArrow(square: string): void {
    this.#begin(square);
    this.#say("arrow.from", { from: square });
  }

  #put(from: string, to: string): void {
    this.#giveUp();
    const before = count(this.drawn);
    this.#set(toggled(this.drawn, from, to));
    if (count(this.drawn) < before) this.#say("wiped");
    else this.#say(from === to ? "circle.drawn" : "arrow.drawn", { from, to });
  }

  #begin(square: string): void {
    this.#from = this.#to = square;
    this.#board.redraw();
  }

  #aim(to: string | null): void {
    if (this.#from === null || to === this.#to) return;
    this.#to = to;
    this.#board.redraw();
  }

  #giveUp(): void {
    window.clearTimeout(this.#held?.timer);
    this.#held = null;
    if (this.#from === null) return;
    this.#from = null;
    this.#board.redraw();
  }

  #set(drawn: Drawn): void {
    this.drawn = count(drawn) > 0 ? drawn : NOTHING;
    this.#board.redraw();
    this.#board.tell("tafl-draw", this.drawn);
  }

  #say(key: string, facts: Readonly<Record<string, string>> = {}): void {
    this.#board.announce(say(this.#board.words, key, facts));
  }

  #square(event: PointerEvent): string | null {
    return this.#board.squareAt(this.#board.pointAt(event.clientX, event.clientY));
  }
}

function squareOf(event: Event): string | null {
  return (event.target as HTMLElement).dataset["square"] ?? null;
}

function count({ arrows, circles }: Drawn): number {
  return arrows.length + circles.length;
}

/** Draws an arrow, or a circle where both squares are the same; what is there already goes away. */
function toggled({ arrows, circles }: Drawn, from: string, to: string): Drawn {
  if (from === to) {
    const others = circles.filter((square) => square !== to);
    return { arrows, circles: others.length < circles.length ? others : [...circles, to] };
  }
  const others = arrows.filter((step) => step.from !== from || step.to !== to);
  return { circles, arrows: others.length < arrows.length ? others : [...arrows, { from, to }] };
}
