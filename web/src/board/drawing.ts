// Arrows and circles that the user draws: with the right button, a long press, or the keyboard. Loaded after the board.

import type { MoveInputHost } from "./move_input.ts";
import type { Pointer, PointerHost } from "./pointer.ts";
import { boardText } from "./speech.ts";
import type { BoardEvents, Words } from "./types.ts";

/** What the drawing needs of its board. */
interface DrawingHost extends PointerHost, Pick<MoveInputHost, "emit" | "redraw"> {
  readonly pointer: Pointer;
  readonly words: Words;
  announce(text: string): void;
}

type Drawn = BoardEvents["tafl-draw"];

export const NOTHING: Drawn = { arrows: [], circles: [] };

/** The length of a long press; longer on a piece that may be moved, so that a slow tap still selects it. */
const HOLD_MS = 500;
const HOLD_PIECE_MS = 1000;
const STILL_PX = 8;

export class Drawing {
  drawn = NOTHING;
  /** The ends of the arrow that is being drawn. A circle if both are the same square. */
  #from: string | null = null;
  #to: string | null = null;
  #press: { readonly x: number; readonly y: number; readonly timer: number } | null = null;

  constructor(private readonly host: DrawingHost) {
    const { area } = host;
    // Before the move input handles the event: what a press means depends on the selection before it.
    area.addEventListener("pointerdown", (event) => this.#down(event), true);
    area.addEventListener("pointermove", (event) => this.#move(event));
    area.addEventListener("pointerup", () => this.#up());
    area.addEventListener("pointercancel", () => this.#cancel());
    area.addEventListener("touchmove", (event) => this.#from !== null && event.preventDefault(), { passive: false });
    area.addEventListener("keydown", (event) => this.#key(event));
    area.addEventListener("focusin", (event) => this.#setTarget(squareOf(event)));
  }

  /** The finished drawings, and the unfinished one. */
  get shown(): Drawn {
    return this.#from === null || this.#to === null ? this.drawn : toggled(this.drawn, this.#from, this.#to);
  }

  /** Deletes everything. Returns false if there is nothing. */
  clear(): boolean {
    if (this.drawn === NOTHING) return false;
    this.#set(NOTHING);
    return true;
  }

  #down(event: PointerEvent): void {
    const { input } = this.host;
    const square = this.host.squareAt(event);
    this.#cancel();
    if (square === null || input.pending || input.premove) return;
    if (event.button === 2) this.#begin(square);
    else if (event.pointerType === "touch" && event.isPrimary && input.selected === null) {
      const timer = window.setTimeout(() => this.#beginAfterPress(square), input.canSelect(square) ? HOLD_PIECE_MS : HOLD_MS);
      this.#press = { x: event.clientX, y: event.clientY, timer };
    }
  }

  /** Begins to draw after a long press; the piece under the finger is not moved. */
  #beginAfterPress(square: string): void {
    this.#press = null;
    this.host.pointer.cancel();
    this.#begin(square);
  }

  #move(event: PointerEvent): void {
    const press = this.#press;
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > STILL_PX) this.#cancel();
    this.#setTarget(this.host.squareAt(event));
  }

  #up(): void {
    const [from, to] = [this.#from, this.#to];
    this.#cancel();
    if (from !== null && to !== null) this.#set(toggled(this.drawn, from, to));
  }

  #key(event: KeyboardEvent): void {
    const square = squareOf(event);
    if (square === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const keys: Readonly<Record<string, () => void>> = {
      a: () => (this.#from === null ? this.#beginArrow(square) : this.#put(this.#from, square)),
      c: () => this.#put(square, square),
      Delete: () => this.clear() && this.#announce("wiped"),
      Escape: () => this.#cancel(),
    };
    keys[event.key]?.();
  }

  #beginArrow(square: string): void {
    this.#begin(square);
    this.#announce("arrow.from", { from: square });
  }

  #put(from: string, to: string): void {
    this.#cancel();
    const before = count(this.drawn);
    this.#set(toggled(this.drawn, from, to));
    if (count(this.drawn) < before) this.#announce("wiped");
    else this.#announce(from === to ? "circle.drawn" : "arrow.drawn", { from, to });
  }

  #begin(square: string): void {
    this.#from = this.#to = square;
    this.host.redraw();
  }

  #setTarget(to: string | null): void {
    if (this.#from === null || to === this.#to) return;
    this.#to = to;
    this.host.redraw();
  }

  #cancel(): void {
    window.clearTimeout(this.#press?.timer);
    this.#press = null;
    if (this.#from === null) return;
    this.#from = null;
    this.host.redraw();
  }

  #set(drawn: Drawn): void {
    this.drawn = count(drawn) > 0 ? drawn : NOTHING;
    this.host.redraw();
    this.host.emit("tafl-draw", this.drawn);
  }

  #announce(key: string, facts: Readonly<Record<string, string>> = {}): void {
    this.host.announce(boardText(this.host.words, key, facts));
  }
}

function squareOf(event: Event): string | null {
  return (event.target as HTMLElement).dataset["square"] ?? null;
}

function count({ arrows, circles }: Drawn): number {
  return arrows.length + circles.length;
}

/** Adds an arrow, or a circle if both squares are the same; removes it if it is there already. */
function toggled({ arrows, circles }: Drawn, from: string, to: string): Drawn {
  if (from === to) {
    const others = circles.filter((square) => square !== to);
    return { arrows, circles: others.length < circles.length ? others : [...circles, to] };
  }
  const others = arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
  return { circles, arrows: others.length < arrows.length ? others : [...arrows, { from, to }] };
}
