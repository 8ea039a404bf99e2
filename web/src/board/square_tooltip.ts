// The tooltip that explains a special square by the rules. Loaded on demand.

import { piecesOf } from "../positions.ts";
import { specialKind } from "./background.ts";
import { boardText, joined } from "./speech.ts";
import type { BoardState, Shape, Words } from "./types.ts";

const STYLE = `
.tooltip{position:absolute;z-index:2;width:max-content;max-width:min(16rem,100%);box-sizing:border-box;padding:8px 12px;border-radius:4px;font:14px/20px var(--font);
 color:light-dark(#f1f4f2,#15201e);background:light-dark(#15201e,#e4ebe7);pointer-events:none;translate:-50% 6px}
.tooltip.above{translate:-50% calc(-100% - 6px)}
.tooltip b{display:block}
.tooltip[hidden]{display:none}
`;

export class SquareTooltip {
  readonly element = document.createElement("div");
  #timer = 0;

  constructor(board: HTMLElement) {
    this.element.className = "tooltip";
    this.element.id = "tooltip";
    this.element.setAttribute("role", "tooltip");
    this.element.hidden = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    (board.getRootNode() as ShadowRoot).adoptedStyleSheets.push(sheet);
    board.append(this.element);
  }

  /** Shows the tooltip one square away from a cell, so that the squares beside it stay in sight, after a delay in milliseconds. */
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
      const isBelowMiddle = box.bottom - board.top > 0.6 * board.height;
      const across = (box.left + box.width / 2 - board.left) / board.width;
      this.element.classList.toggle("above", isBelowMiddle);
      // Kept inside the sides of the board.
      const half = Math.min(128 / board.width, 0.5);
      const x = Math.min(Math.max(across, half), 1 - half);
      this.element.style.left = `${x * 100}%`;
      this.element.style.top = `${(isBelowMiddle ? box.top - box.height : box.bottom + box.height) - board.top}px`;
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

/** The part of a rule tree that explains special squares. */
interface SquareRules {
  readonly movement?: Readonly<Record<string, unknown>>;
  readonly hostility?: Readonly<Record<string, unknown>>;
}

/** Explains a special square by the rules: a title and sentences. Returns null for a plain square. */
export function explain(
  words: Words,
  shape: Shape,
  square: string,
  state: BoardState | null,
): { title: string; text: string } | null {
  const kind = specialKind(shape, square);
  if (!kind) return null;
  const tree = (shape.tree ?? {}) as SquareRules;
  const sentences = [
    shape.goals?.includes(square) ? boardText(words, "goal") : "",
    kind === "camp" ? boardText(words, "stop.camp") : stopText(words, tree.movement?.[`${kind}_stop`]),
    ...hostilityTexts(words, tree.hostility?.[`${kind}_hostile`]),
  ];
  const against = state?.hostile?.find((one) => one.square === square)?.to ?? [];
  const hasKing = state !== null && piecesOf(state.position).get(square) === "king";
  // The king keeps a square from being empty: it counts against those to whom it is always hostile.
  const isAgainstAttackers = against.length > 0 && against.every((piece) => piece.startsWith("attacker"));
  if (hasKing && isAgainstAttackers) sentences.push(boardText(words, "hostile.king"));
  return { title: boardText(words, `special.${kind}`), text: sentences.filter(Boolean).join(" ") };
}

function stopText(words: Words, kinds: unknown): string {
  if (!Array.isArray(kinds) || kinds.length === KINDS.length) return "";
  if (kinds.length === 0) return boardText(words, "stop.none");
  if (kinds.length === 1 && kinds[0] === "king") return boardText(words, "stop.king");
  return boardText(words, "stop.some", { kinds: joined(words, kinds.map((kind) => boardText(words, `the.${kind}`))) });
}

/** Returns a sentence about whom the square is hostile to when empty, and one about whom it always is. */
function hostilityTexts(words: Words, hostility: unknown): string[] {
  // Camps have a list of kinds of pieces; throne and corners an object with the time for each kind.
  const when: ByKind = Array.isArray(hostility)
    ? Object.fromEntries(hostility.map((kind: string) => [kind, "empty"]))
    : ((hostility ?? {}) as ByKind);
  return ["empty", "always"].map((time) => {
    const kinds = KINDS.filter((kind) => when[kind] === time).map((kind) => boardText(words, `to.${kind}`));
    return kinds.length > 0 ? boardText(words, `hostile.${time}`, { kinds: joined(words, kinds) }) : "";
  });
}
