// The squares as a grid for keyboards and screen readers, above the drawing; and the note on a special square.

import type { Hand } from "./hand.ts";
import { nameSquare, nameTarget } from "./speech.ts";
import type { Shape, Words } from "./types.ts";
import type { View } from "./view.ts";
import type { Piece } from "../rules.ts";

export class Grid {
  readonly element = document.createElement("div");
  readonly #cells = new Map<string, HTMLElement>();
  #focus = "";

  /** `act` is called with the square on which Enter was pressed, `leave` for Escape. */
  constructor(
    readonly act: (square: string) => void,
    readonly leave: () => void,
  ) {
    this.element.className = "grid";
    this.element.role = "grid";
    this.element.onkeydown = (event) => this.#key(event);
    this.element.addEventListener("focusin", (event) => this.#rove((event.target as HTMLElement).dataset["square"]));
  }

  /** Makes the cells of a board, in the order in which they are seen. */
  build(view: View): void {
    const seen = view.rows();
    // Made anew, the cells would lose the focus.
    if (String(seen) === String([...this.#cells.keys()])) return;
    this.#cells.clear();
    const rows = seen.map((squares) => {
      const row = document.createElement("div");
      row.className = "row";
      row.role = "row";
      row.append(...squares.map((square) => this.#cell(square)));
      return row;
    });
    this.element.replaceChildren(...rows);
    if (!this.#cells.has(this.#focus)) this.#focus = seen.flat()[(view.size ** 2 - 1) / 2] ?? "a1";
    this.#mark(0);
  }

  /** Only the square with the focus is among those that Tab goes to. */
  #mark(tabIndex: number): void {
    const cell = this.#cells.get(this.#focus);
    if (cell) cell.tabIndex = tabIndex;
  }

  #cell(square: string): HTMLElement {
    const cell = document.createElement("div");
    cell.className = "cell";
    cell.dataset["square"] = square;
    cell.role = "gridcell";
    cell.tabIndex = -1;
    this.#cells.set(square, cell);
    return cell;
  }

  /** Writes the names of the squares, and what can be done there. */
  label(words: Words, shape: Shape, pieces: ReadonlyMap<string, Piece>, hand: Hand): void {
    const targets = new Map(hand.targets().map((target) => [target.to, target]));
    for (const [square, cell] of this.#cells) {
      const target = targets.get(square);
      const name = nameSquare(words, shape, square, pieces.get(square));
      cell.ariaLabel = target ? `${name}, ${nameTarget(words, target.captures)}` : name;
      cell.ariaSelected = hand.selected === square ? "true" : null;
      cell.classList.toggle("mine", hand.canTake(square));
      cell.classList.toggle("target", target !== undefined);
    }
  }

  focus(square: string): void {
    this.#cells.get(square)?.focus({ preventScroll: true });
  }


  #rove(square: string | undefined): void {
    if (square === undefined || square === this.#focus) return;
    this.#mark(-1);
    this.#focus = square;
    this.#mark(0);
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const order = [...this.#cells.keys()];
    const size = Math.sqrt(order.length);
    const at = order.indexOf(this.#focus);
    const [row, column] = [Math.floor(at / size), at % size];
    const goTo = (toRow: number, toColumn: number): void => {
      const inside = (place: number): number => Math.min(Math.max(place, 0), size - 1);
      this.focus(order[inside(toRow) * size + inside(toColumn)] ?? this.#focus);
    };
    const keys: Readonly<Record<string, () => void>> = {
      ArrowUp: () => goTo(row - 1, column),
      ArrowDown: () => goTo(row + 1, column),
      ArrowLeft: () => goTo(row, column - 1),
      ArrowRight: () => goTo(row, column + 1),
      Home: () => goTo(row, 0),
      End: () => goTo(row, size - 1),
      PageUp: () => goTo(0, column),
      PageDown: () => goTo(size - 1, column),
      Enter: () => this.act(this.#focus),
      " ": () => this.act(this.#focus),
      Escape: () => this.leave(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
