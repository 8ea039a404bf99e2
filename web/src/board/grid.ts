// The squares as an ARIA grid above the drawing, for the keyboard and for screen readers.

import type { MoveInput } from "./move_input.ts";
import { squareText, targetText } from "./speech.ts";
import type { Shape, Words } from "./types.ts";
import type { View } from "./view.ts";
import type { Piece } from "../rules.ts";

export class Grid {
  readonly element = document.createElement("div");
  readonly #cells = new Map<string, HTMLElement>();
  #focus = "";

  /** `act` is called with the square for Enter and Space, `leave` for Escape. */
  constructor(
    readonly act: (square: string) => void,
    readonly leave: () => void,
  ) {
    this.element.className = "grid";
    this.element.role = "grid";
    this.element.onkeydown = (event) => this.#key(event);
    this.element.addEventListener("focusin", (event) => this.#moveFocus((event.target as HTMLElement).dataset["square"]));
  }

  /** Creates the cells, in the order in which the user sees them. */
  build(view: View): void {
    const visible = view.rows();
    // New cells would not have the focus.
    if (String(visible) === String([...this.#cells.keys()])) return;
    this.#cells.clear();
    const rows = visible.map((squares) => {
      const row = document.createElement("div");
      row.className = "row";
      row.role = "row";
      row.append(...squares.map((square) => this.#cell(square)));
      return row;
    });
    this.element.replaceChildren(...rows);
    if (!this.#cells.has(this.#focus)) this.#focus = visible.flat()[(view.size ** 2 - 1) / 2] ?? "a1";
    this.#setTabIndex(0);
  }

  /** Roving tabindex: only the square with the focus can be reached with Tab. */
  #setTabIndex(tabIndex: number): void {
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

  /** Labels the squares with their pieces and with what can be done there. */
  label(words: Words, shape: Shape, pieces: ReadonlyMap<string, Piece>, input: MoveInput): void {
    const targets = new Map(input.targets().map((target) => [target.to, target]));
    for (const [square, cell] of this.#cells) {
      const target = targets.get(square);
      const name = squareText(words, shape, square, pieces.get(square));
      cell.ariaLabel = target ? `${name}, ${targetText(words, target.captures)}` : name;
      cell.ariaSelected = input.selected === square ? "true" : null;
      cell.classList.toggle("mine", input.canSelect(square));
      cell.classList.toggle("target", target !== undefined);
    }
  }

  focus(square: string): void {
    this.#cells.get(square)?.focus({ preventScroll: true });
  }

  #moveFocus(square: string | undefined): void {
    if (square === undefined || square === this.#focus) return;
    this.#setTabIndex(-1);
    this.#focus = square;
    this.#setTabIndex(0);
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
