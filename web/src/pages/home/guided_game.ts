// The guided first game: three moves to find. No rule is written here: the server sends the right moves of every step.

interface GuidedStep {
  /** The square of the piece to move. */
  readonly from: string;
  /** The right targets, each with the squares of the captures. */
  readonly moves: Readonly<Record<string, readonly string[]>>;
  /** The piece's other legal targets. */
  readonly others: readonly string[];
  /** The attackers' answer: from, to. */
  readonly reply: readonly [string, string] | null;
  /**
   * `say` is the task, with stars around what is strong in it, and `hint` a rule. The others answer wrong clicks: on
   * another legal target (`off`), on a square out of reach (`blocked`), and on another own piece (`other`).
   */
  readonly texts: Readonly<Record<"say" | "hint" | "off" | "blocked" | "other", string>>;
}

export interface GuidedFacts {
  readonly size: number;
  /** What is special about a square: the key of a word. */
  readonly special: Readonly<Record<string, string>>;
  readonly steps: readonly GuidedStep[];
  readonly texts: Readonly<Record<string, string>>;
  readonly words: Readonly<Record<string, string>>;
}

const REPLY_MS = 700;
const CAPTURE_MS = 240;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Returns a part of a text between stars: every other one is strong. */
function strong(part: string, place: number): string | HTMLElement {
  if (place % 2 === 0) return part;
  const element = document.createElement("b");
  element.textContent = part;
  return element;
}

export class GuidedGame {
  readonly #facts: GuidedFacts;
  readonly #board: HTMLElement;
  readonly #svg: SVGSVGElement;
  readonly #cells = new Map<string, HTMLButtonElement>();
  readonly #say: HTMLElement;
  readonly #hint: HTMLElement;
  readonly #pegs: readonly Element[];
  #place = 0;
  #isBusy = false;
  #dragged: string | null = null;

  /** Makes the board playable; `coach` has the texts and the three pegs. The board hears of moves and of the end. */
  constructor(facts: GuidedFacts, board: HTMLElement, coach: HTMLElement) {
    this.#facts = facts;
    this.#board = board;
    this.#svg = board.querySelector("svg") as SVGSVGElement;
    this.#say = coach.querySelector("[data-say]") as HTMLElement;
    this.#hint = coach.querySelector("[data-hint]") as HTMLElement;
    this.#pegs = [...coach.querySelectorAll("[data-pegs] li")];
    this.#layCells();
    this.#label();
  }

  get #step(): GuidedStep | undefined {
    return this.#facts.steps[this.#place];
  }

  #man(square: string): SVGGElement | null {
    return this.#svg.querySelector<SVGGElement>(`[data-man="${square}"]`);
  }

  /** Lays a button over each square. */
  #layCells(): void {
    const { size, steps } = this.#facts;
    const { x, y, width, height } = this.#svg.viewBox.baseVal;
    const cells = document.createElement("div");
    cells.className = "cells";
    cells.role = "group";
    cells.ariaLabel = this.#facts.texts["board"] ?? "";
    cells.style.inset = `${(-100 * y) / height}% ${(100 * (x + width - 100 * size)) / width}% ${
      (100 * (y + height - 100 * size)) / height
    }% ${(-100 * x) / width}%`;
    cells.style.gridTemplate = `repeat(${size}, 1fr) / repeat(${size}, 1fr)`;
    for (let rank = size; rank > 0; rank--) {
      for (let file = 0; file < size; file++) {
        const square = String.fromCharCode(97 + file) + rank;
        const cell = document.createElement("button");
        cell.type = "button";
        cell.tabIndex = square === steps[0]?.from ? 0 : -1;
        cell.dataset["square"] = square;
        this.#cells.set(square, cell);
        cells.append(cell);
      }
    }
    cells.addEventListener("click", ({ target }) => this.#act((target as HTMLElement).dataset["square"]));
    cells.addEventListener("keydown", (event) => this.#moveFocus(event));
    cells.addEventListener("pointerdown", ({ target }) => {
      this.#dragged = (target as HTMLElement).dataset["square"] ?? null;
    });
    // A click needs one square; from one square to another a piece is dragged.
    addEventListener("pointerup", ({ clientX, clientY }) => {
      const over = document.elementFromPoint(clientX, clientY) as HTMLElement | null;
      const square = over?.parentElement === cells ? over.dataset["square"] : undefined;
      if (this.#dragged === this.#step?.from && square && square !== this.#dragged) this.#act(square);
      this.#dragged = null;
    });
    this.#svg.setAttribute("aria-hidden", "true");
    this.#board.append(cells);
  }

  #moveFocus(event: KeyboardEvent): void {
    const { size } = this.#facts;
    const cells = [...this.#cells.values()];
    const at = cells.indexOf(event.target as HTMLButtonElement);
    const column = at % size;
    const next = {
      ArrowLeft: column > 0 ? at - 1 : at,
      ArrowRight: column < size - 1 ? at + 1 : at,
      ArrowUp: at >= size ? at - size : at,
      ArrowDown: at < cells.length - size ? at + size : at,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const cell = cells[next] as HTMLButtonElement;
    this.#select(cell);
    cell.focus();
  }

  /** Makes a square the one that the Tab key reaches. */
  #select(cell: HTMLButtonElement): void {
    for (const one of this.#cells.values()) one.tabIndex = one === cell ? 0 : -1;
  }

  /** Names every square: its piece, and whether it is the one to move, or a target. */
  #label(): void {
    const { words, special } = this.#facts;
    const step = this.#step;
    for (const [square, cell] of this.#cells) {
      const piece = this.#man(square)?.dataset["piece"] ?? "empty";
      const captured = step?.moves[square];
      const parts = [square, words[piece], words[special[square] ?? ""]];
      if (square === step?.from) parts.push(words["selected"]);
      if (captured) parts.push((words[captured.length > 0 ? "target.captures" : "target"] ?? "").replace("{squares}", captured.join(", ")));
      cell.ariaLabel = parts.filter(Boolean).join(", ");
      cell.classList.toggle("movable", captured !== undefined || square === step?.from);
    }
  }

  /** Answers a click: with a move, or with one line. */
  #act(square: string | undefined): void {
    const step = this.#step;
    if (!square) return;
    if (!step) return this.#tell("over");
    if (this.#isBusy) return this.#tell("waits");
    if (step.moves[square]) return void this.#play(step, square);
    if (square === step.from) return this.#tell("chosen");
    const piece = this.#man(square)?.dataset["piece"];
    if (piece === "attacker") return this.#tell("attacker");
    this.#write(step.texts[piece ? "other" : step.others.includes(square) ? "off" : "blocked"]);
  }

  #tell(key: string): void {
    this.#write(this.#facts.texts[key] ?? "");
  }

  /** Writes the line below the coach's text, also if it is the same again. */
  #write(text: string): void {
    this.#hint.textContent = text;
    this.#hint.animate([{ opacity: 0 }, { opacity: 1 }], 160);
  }

  async #play(step: GuidedStep, to: string): Promise<void> {
    this.#isBusy = true;
    this.#put(step.from, to);
    this.#showMarks(-1);
    const captured = step.moves[to] ?? [];
    if (captured.length > 0) await pause(CAPTURE_MS);
    for (const square of captured) this.#man(square)?.remove();
    if (step.reply) {
      await pause(REPLY_MS);
      this.#put(...step.reply);
    }
    await pause(CAPTURE_MS);
    this.#isBusy = false;
    this.#place += 1;
    this.#show(step.reply);
    this.#board.dispatchEvent(new CustomEvent(this.#step ? "guided-move" : "guided-end"));
  }

  /** Moves a piece to another square, above all others. */
  #put(from: string, to: string): void {
    const man = this.#man(from) as SVGGElement;
    const [file, rank] = [to.charCodeAt(0) - 97, Number(to.slice(1))];
    man.dataset["man"] = to;
    man.style.transform = `translate(${100 * file + 50}px, ${100 * (this.#facts.size - rank) + 50}px)`;
  }

  #showMarks(place: number): void {
    for (const group of this.#svg.querySelectorAll<SVGGElement>("[data-marks]")) {
      group.toggleAttribute("hidden", Number(group.dataset["marks"]) !== place);
    }
  }

  /** Shows the step: its marks, its texts and the pegs. The voice alone tells the reply, which the board has shown. */
  #show(reply: GuidedStep["reply"]): void {
    const step = this.#step;
    this.#showMarks(this.#place);
    const told = document.createElement("span");
    told.className = "unseen";
    if (reply) told.textContent = `${this.#facts.texts["reply"]?.replace("{move}", reply.join("–"))} `;
    this.#say.replaceChildren(told, ...(step?.texts.say ?? this.#facts.texts["won"] ?? "").split("*").map(strong));
    this.#write(step?.texts.hint ?? this.#facts.texts["over"] ?? "");
    this.#pegs.forEach((peg, place) => {
      peg.classList.toggle("done", place < this.#place);
      peg.ariaCurrent = place === this.#place ? "step" : null;
    });
    this.#label();
    const cell = step && this.#cells.get(step.from);
    if (cell) this.#select(cell);
    if (cell?.parentElement?.contains(document.activeElement)) cell.focus();
  }
}
