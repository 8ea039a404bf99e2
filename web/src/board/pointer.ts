// Fingers, pens and mice: tapping, and dragging a piece.

import type { Hand } from "./hand.ts";
import type { Point } from "./view.ts";

/** What the pointer asks of its board. */
export interface Surface {
  readonly area: HTMLElement;
  readonly hand: Hand;
  /** The point of the drawing under a point of the window. */
  pointAt(x: number, y: number): Point;
  squareAt(point: Point): string | null;
  /** The square a finger meant: the one it hit, or a near one where the piece may go. */
  meant(point: Point): string | null;
  /** Draws the piece taken up at a point, above everything; null puts it back, sliding if it was dropped wrongly. */
  carry(point: Point | null, over: string | null, options: { touch: boolean; slide: boolean }): void;
  /** Wipes away what the user drew; false if there is nothing. */
  wipe(): boolean;
}

interface Press {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly square: string | null;
  readonly touch: boolean;
  /** Whether the piece was taken up by this press, so that a tap does not put it back at once. */
  readonly isNew: boolean;
  isDrag: boolean;
}

export class Pointer {
  readonly #surface: Surface;
  #press: Press | null = null;

  constructor(surface: Surface) {
    this.#surface = surface;
    const { area } = surface;
    area.onpointerdown = (event) => this.#down(event);
    area.onpointermove = (event) => this.#move(event);
    area.onpointerup = (event) => this.#up(event);
    area.onpointercancel = () => this.cancel();
    area.oncontextmenu = (event) => event.preventDefault();
  }

  #point(event: PointerEvent): Point {
    return this.#surface.pointAt(event.clientX, event.clientY);
  }

  #down(event: PointerEvent): void {
    const { area, hand } = this.#surface;
    const square = this.#surface.squareAt(this.#point(event));
    if (event.button === 2) {
      if (this.#press) this.cancel();
      else if (hand.premove || hand.pending) hand.cancel();
      return;
    }
    if (event.button !== 0 || this.#press) return;
    const canTake = square !== null && !hand.pending && hand.canTake(square);
    const isTarget = square !== null && hand.targets().some((target) => target.to === square);
    const isNew = canTake && !isTarget && hand.selected !== square;
    const touch = event.pointerType !== "mouse";
    this.#press = { id: event.pointerId, x: event.clientX, y: event.clientY, square, touch, isNew, isDrag: false };
    if (isNew && square !== null) hand.take(square);
    if (canTake) area.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const surface = this.#surface;
    const press = this.#press;
    if (!press || press.id !== event.pointerId || surface.hand.selected !== press.square) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > (press.touch ? 8 : 4);
    press.isDrag ||= far && press.square !== null;
    if (!press.isDrag) return;
    const point = this.#point(event);
    surface.carry(point, surface.meant(point), { touch: press.touch, slide: false });
  }

  #up(event: PointerEvent): void {
    const surface = this.#surface;
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#press = null;
    const point = this.#point(event);
    if (press.isDrag) {
      const to = surface.meant(point);
      // Where it came from is where it stays; nothing was meant by it.
      const dropped = to !== press.square && surface.hand.drop(to);
      surface.carry(null, null, { touch: press.touch, slide: !dropped });
      return;
    }
    if (press.isNew || press.square === null) {
      if (press.square === null) surface.hand.cancel();
      return;
    }
    const square = surface.hand.selected === null ? press.square : surface.meant(point);
    if (surface.hand.selected === null && !surface.hand.pending && surface.wipe()) return;
    surface.hand.tap(square ?? press.square);
  }

  /** Lets go of what the pointer holds: it meant something else. */
  cancel(): void {
    this.#press = null;
    this.#surface.carry(null, null, { touch: false, slide: true });
    this.#surface.hand.cancel();
  }
}
