// The note that explains a special square while it is pointed at or has the focus.

export class Note {
  readonly element = document.createElement("div");
  #timer = 0;

  constructor() {
    this.element.className = "note";
    this.element.id = "note";
    this.element.setAttribute("role", "tooltip");
    this.element.hidden = true;
  }

  /** Shows it beside a cell, after a while. */
  show(cell: HTMLElement, { title, text }: { title: string; text: string }, delay: number): void {
    this.hide();
    if (!title) return;
    cell.setAttribute("aria-describedby", this.element.id);
    this.#timer = window.setTimeout(() => {
      const name = document.createElement("b");
      name.textContent = title;
      this.element.replaceChildren(name, text);
      const board = this.element.parentElement?.getBoundingClientRect();
      const box = cell.getBoundingClientRect();
      if (!board) return;
      const isLow = box.bottom - board.top > 0.6 * board.height;
      const across = (box.left + box.width / 2 - board.left) / board.width;
      this.element.classList.toggle("above", isLow);
      // Kept inside the board at its sides.
      const half = Math.min(128 / board.width, 0.5);
      const x = Math.min(Math.max(across, half), 1 - half);
      this.element.style.left = `${x * 100}%`;
      this.element.style.top = `${(isLow ? box.top : box.bottom) - board.top}px`;
      this.element.hidden = false;
    }, delay);
  }

  hide(): void {
    window.clearTimeout(this.#timer);
    this.element.hidden = true;
    for (const cell of this.element.parentElement?.querySelectorAll("[aria-describedby]") ?? []) {
      cell.removeAttribute("aria-describedby");
    }
  }
}
