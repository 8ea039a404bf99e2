// Pointer input: tapping and dragging with a finger, a pen or a mouse.

import type { MoveInput } from "./move_input.ts";
import type { Point } from "./view.ts";

/** What the pointer needs of its board. */
export interface PointerHost {
  readonly area: HTMLElement;
  readonly input: MoveInput;
  /** Converts the place of an event to a point of the drawing. */
  pointAt(event: PointerEvent): Point;
  squareAt(event: PointerEvent): string | null;
  /** Returns the square at a point, or a near one that the selected piece may go to. */
  targetAt(point: Point): string | null;
  /** Draws the selected piece at a point, above everything. Null puts it back, sliding if asked. */
  drag(point: Point | null, over: string | null, options: { touch: boolean; slide: boolean }): void;
  /** Deletes the drawings of the user. Returns false if there are none. */
  clear(): boolean;
}

interface Press {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly square: string | null;
  readonly touch: boolean;
  /** Whether this press selected the piece: then its end does not deselect it. */
  readonly isNew: boolean;
  isDrag: boolean;
}

export class Pointer {
  #press: Press | null = null;

  constructor(private readonly host: PointerHost) {
    const { area } = host;
    area.onpointerdown = (event) => this.#down(event);
    area.onpointermove = (event) => this.#move(event);
    area.onpointerup = (event) => this.#up(event);
    area.onpointercancel = () => this.cancel();
    area.oncontextmenu = (event) => event.preventDefault();
  }

  #down(event: PointerEvent): void {
    const { area, input } = this.host;
    const square = this.host.squareAt(event);
    if (event.button === 2) {
      if (this.#press) this.cancel();
      else if (input.premove || input.pending) input.cancel();
      return;
    }
    if (event.button !== 0 || this.#press) return;
    const canSelect = square !== null && !input.pending && input.canSelect(square);
    const isTarget = square !== null && input.targets().some((target) => target.to === square);
    const isNew = canSelect && !isTarget && input.selected !== square;
    const touch = event.pointerType !== "mouse";
    this.#press = { id: event.pointerId, x: event.clientX, y: event.clientY, square, touch, isNew, isDrag: false };
    if (isNew && square !== null) input.select(square);
    if (canSelect) area.setPointerCapture(event.pointerId);
  }

  #move(event: PointerEvent): void {
    const host = this.host;
    const press = this.#press;
    if (!press || press.id !== event.pointerId || host.input.selected !== press.square) return;
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > (press.touch ? 8 : 4);
    press.isDrag ||= far && press.square !== null;
    if (!press.isDrag) return;
    const point = host.pointAt(event);
    host.drag(point, host.targetAt(point), { touch: press.touch, slide: false });
  }

  #up(event: PointerEvent): void {
    const host = this.host;
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#press = null;
    const point = host.pointAt(event);
    if (press.isDrag) {
      const to = host.targetAt(point);
      // A piece that is dropped where it was stays selected.
      const dropped = to !== press.square && host.input.drop(to);
      host.drag(null, null, { touch: press.touch, slide: !dropped });
      return;
    }
    if (press.isNew || press.square === null) {
      if (press.square === null) host.input.cancel();
      return;
    }
    const square = host.input.selected === null ? press.square : host.targetAt(point);
    if (host.input.selected === null && !host.input.pending && host.clear()) return;
    host.input.tap(square ?? press.square);
  }

  /** Cancels the current press. */
  cancel(): void {
    this.#press = null;
    this.host.drag(null, null, { touch: false, slide: true });
    this.host.input.cancel();
  }
}
