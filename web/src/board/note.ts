// The note that explains a special square, by the rules, while it is pointed at or has the focus. Loaded when first
// needed.

import { specialKind } from "./ground.ts";
import { listed, say } from "./speech.ts";
import type { BoardState, Shape, Words } from "./types.ts";

const STYLE = `
.note{position:absolute;z-index:2;width:max-content;max-width:min(16rem,100%);box-sizing:border-box;padding:8px 12px;border-radius:4px;font:14px/20px var(--face);
 color:light-dark(#f1f4f2,#15201e);background:light-dark(#15201e,#e4ebe7);pointer-events:none;translate:-50% 6px}
.note.above{translate:-50% calc(-100% - 6px)}
.note b{display:block}
.note[hidden]{display:none}
`;

export class Note {
  readonly element = document.createElement("div");
  #timer = 0;

  constructor(board: HTMLElement) {
    this.element.className = "note";
    this.element.id = "note";
    this.element.setAttribute("role", "tooltip");
    this.element.hidden = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    (board.getRootNode() as ShadowRoot).adoptedStyleSheets.push(sheet);
    board.append(this.element);
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

const KINDS = ["attackers", "defenders", "king"] as const;
type ByKind = Readonly<Partial<Record<(typeof KINDS)[number], string>>>;

/** The part of a rules tree that special squares are explained from. */
interface Tree {
  readonly movement?: Readonly<Record<string, unknown>>;
  readonly hostility?: Readonly<Record<string, unknown>>;
}

/** What a special square is by the rules: a title and sentences; null for a plain one. */
export function explain(
  words: Words,
  shape: Shape,
  square: string,
  state: BoardState | null,
): { title: string; text: string } | null {
  const kind = specialKind(shape, square);
  if (!kind) return null;
  const tree = (shape.tree ?? {}) as Tree;
  const sentences = [
    shape.goals?.includes(square) ? say(words, "goal") : "",
    kind === "camp" ? say(words, "stop.camp") : whoStops(words, tree.movement?.[`${kind}_stop`]),
    ...whoFears(words, tree.hostility?.[`${kind}_hostile`]),
  ];
  const isHostile = state?.hostile?.some((one) => one.square === square) ?? false;
  if (isHostile && sentences.at(-1)) sentences.push(say(words, "hostile.now"));
  return { title: say(words, `special.${kind}`), text: sentences.filter(Boolean).join(" ") };
}

function whoStops(words: Words, kinds: unknown): string {
  if (!Array.isArray(kinds) || kinds.length === KINDS.length) return "";
  if (kinds.length === 0) return say(words, "stop.none");
  if (kinds.length === 1 && kinds[0] === "king") return say(words, "stop.king");
  return say(words, "stop.some", { kinds: listed(words, kinds.map((kind) => say(words, `the.${kind}`))) });
}

/** One sentence for those to whom a square is hostile when empty, one for those to whom it always is. */
function whoFears(words: Words, hostility: unknown): string[] {
  // Camps have a list of kinds; throne and corners say for each when.
  const when: ByKind = Array.isArray(hostility)
    ? Object.fromEntries(hostility.map((kind: string) => [kind, "empty"]))
    : ((hostility ?? {}) as ByKind);
  return ["empty", "always"].map((time) => {
    const kinds = KINDS.filter((kind) => when[kind] === time).map((kind) => say(words, `to.${kind}`));
    return kinds.length > 0 ? say(words, `hostile.${time}`, { kinds: listed(words, kinds) }) : "";
  });
}
