// The pieces on the board as they stand, travel, are carried and are taken.

import type { Piece, Step } from "../rules.ts";
import { brackets, squeeze } from "./marks.ts";
import { appear, take, travel } from "./motion.ts";
import { man, standing } from "./pieces.ts";
import type { BoardState } from "./types.ts";
import type { Point, View } from "./view.ts";

/** The way from one state to the next; `waiting` is the move of it that was made by hand. */
interface Way {
  readonly before: BoardState;
  readonly now: BoardState;
  readonly waiting: Step | null;
}

interface Standing {
  readonly element: SVGGElement;
  readonly piece: Piece;
}

interface Carrying {
  readonly view: View;
  readonly scale: number;
  readonly lift: number;
  readonly over: string | null;
}

export class Men {
  readonly #layer: SVGGElement;
  readonly #taken: SVGGElement;
  #men = new Map<string, Standing>();
  #waiting: Step | null = null;
  /** When the piece that was put down by hand lands: at once if it was carried there. */
  #landsAt = 0;
  #isCarrying = false;
  /** Counts states, so that what was to be tidied up after an older one is left alone. */
  #turn = 0;

  constructor(layer: SVGGElement, taken: SVGGElement) {
    this.#layer = layer;
    this.#taken = taken;
  }

  /** Puts the pieces where they stand; gives the milliseconds until the piece that moved lands. */
  show(pieces: ReadonlyMap<string, Piece>, view: View, way: Way | null): number {
    this.#turn += 1;
    this.#waiting = null;
    this.#taken.replaceChildren();
    for (const left of this.#layer.querySelectorAll(".doomed")) left.remove();
    const moved = way && this.#moved(pieces, way);
    if (moved) {
      const standing = this.#men.get(moved.from);
      if (standing) {
        this.#men.get(moved.to)?.element.remove();
        this.#men.delete(moved.from);
        this.#men.set(moved.to, standing);
      }
    }
    const gone = this.#reconcile(pieces, view, way !== null);
    for (const element of this.#layer.children) element.classList.remove("waiting", "ghost");
    if (!moved) {
      for (const element of gone) element.remove();
      return 0;
    }
    const mover = (this.#men.get(moved.to) as Standing).element;
    this.#layer.append(mover);
    const wasThere = way.waiting?.from === moved.from && way.waiting.to === moved.to;
    const landed = wasThere
      ? Math.max(0, this.#landsAt - performance.now())
      : travel(mover, view.centre(moved.from), view.centre(moved.to));
    this.#takeAway(gone, way.now, view, landed);
    return landed;
  }

  /** Which piece went where between two states: the last move, or the one before taken back. */
  #moved(pieces: ReadonlyMap<string, Piece>, { before, now }: Way): Step | null {
    const steps = [now.last, before.last && { from: before.last.to, to: before.last.from }];
    const went = (step: Step | null | undefined): step is Step =>
      !!step && !pieces.has(step.from) && pieces.has(step.to) && this.#men.get(step.from)?.piece === pieces.get(step.to);
    return steps.find(went) ?? null;
  }

  /** Makes the men those of the position; gives those that are no longer there. */
  #reconcile(pieces: ReadonlyMap<string, Piece>, view: View, fades: boolean): SVGGElement[] {
    const gone: SVGGElement[] = [];
    for (const [square, standing] of this.#men) {
      if (pieces.get(square) === standing.piece) continue;
      gone.push(standing.element);
      this.#men.delete(square);
    }
    for (const [square, piece] of pieces) {
      if (this.#men.has(square)) continue;
      const element = document.createElementNS("http://www.w3.org/2000/svg", "g");
      element.setAttribute("class", `man ${piece}`);
      element.innerHTML = man(piece);
      this.#men.set(square, { element, piece });
      this.#layer.append(element);
      if (fades) appear(element);
    }
    for (const [square, { element }] of this.#men) {
      element.setAttribute("transform", standing(view.centre(square)));
    }
    // What stands nearer to the viewer covers what stands behind it.
    const order = [...this.#men].sort(([one], [two]) => view.centre(one).y - view.centre(two).y);
    this.#layer.append(...order.map(([, { element }]) => element));
    return gone;
  }

  #takeAway(gone: readonly SVGGElement[], now: BoardState, view: View, landed: number): void {
    const captures = now.last?.captures ?? [];
    if (gone.length === 0) return;
    for (const element of gone) element.classList.add("doomed");
    this.#taken.innerHTML = captures.map(({ square, by }) => squeeze(view, square, by ?? [])).join("");
    const turn = this.#turn;
    take(gone, this.#taken, landed, () => {
      if (turn !== this.#turn) return;
      for (const element of gone) element.remove();
    });
  }

  /** Shows a move that waits for its answer, or to be confirmed: the piece stands there, pale. */
  wait(step: Step | null, view: View): void {
    if (step?.from === this.#waiting?.from && step?.to === this.#waiting?.to) return;
    const back = this.#waiting;
    const returned = back && this.#men.get(back.from)?.element;
    if (returned) {
      returned.setAttribute("transform", standing(view.centre(back.from)));
      returned.classList.remove("waiting");
    }
    this.#waiting = step;
    const element = step && this.#men.get(step.from)?.element;
    if (!element) return;
    element.setAttribute("transform", standing(view.centre(step.to)));
    element.classList.add("waiting");
    this.#layer.append(element);
    const travelled = this.#isCarrying ? 0 : travel(element, view.centre(step.from), view.centre(step.to));
    this.#landsAt = performance.now() + travelled;
  }

  /** Draws the piece of a square under the finger; without a point puts it back, and tells from where it slides. */
  carry(
    layer: SVGGElement,
    square: string | null,
    point: Point | null,
    { view, scale, lift, over }: Carrying,
  ): { man: SVGGElement; from: Point; to: Point } | null {
    this.#isCarrying = point !== null;
    const [carried] = layer.getElementsByClassName("man");
    if (point === null) {
      const at = carried?.getAttribute("data-at")?.split(" ").map(Number);
      layer.replaceChildren();
      for (const element of this.#layer.children) element.classList.remove("ghost");
      const element = square === null ? undefined : this.#men.get(square)?.element;
      if (!at || !element || square === null) return null;
      return { man: element, from: { x: at[0] ?? 0, y: at[1] ?? 0 }, to: view.centre(square) };
    }
    const standing = square === null ? undefined : this.#men.get(square);
    if (!standing) return null;
    // Made once: what follows the finger has to be quick.
    if (!carried) {
      standing.element.classList.add("ghost");
      layer.innerHTML = `<g></g><g class="man">${man(standing.piece)}</g>`;
    }
    const [aim, body] = layer.children;
    const at = `${point.x} ${point.y - lift}`;
    if (aim) aim.innerHTML = over === null ? "" : brackets(view, over);
    body?.setAttribute("data-at", at);
    body?.setAttribute("transform", `translate(${at}) scale(${scale})`);
    return null;
  }
}
