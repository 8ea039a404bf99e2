// The input for typed moves below the board. Loaded on demand.

import { TYPED } from "./move_input.ts";
import { boardText } from "./speech.ts";
import type { Words } from "./types.ts";

const STYLE = `
.typed{display:flex;flex-wrap:wrap;gap:8px;align-items:center;width:fit-content;margin-top:8px;padding:4px 8px;border-radius:6px;font:16px/24px var(--font);color:FieldText;background:Field}
.typed[hidden],.typed [hidden]{display:none}
.typed input{font:inherit;min-height:44px;padding:0 12px;border:1px solid;border-radius:4px;background:none;color:inherit;width:7em}
`;

export class MoveField {
  readonly #label = document.createElement("label");
  readonly #name = document.createElement("span");
  readonly #fault = document.createElement("span");

  /** `play` plays a typed move, and returns false if it is not legal. */
  constructor(root: ShadowRoot, play: (text: string) => boolean) {
    const field = document.createElement("input");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets.push(sheet);
    this.#label.className = "typed";
    field.autocomplete = "off";
    this.#fault.hidden = true;
    this.#fault.role = "alert";
    field.addEventListener("input", () => {
      field.removeAttribute("aria-invalid");
      this.#fault.hidden = true;
    });
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      if (play(field.value)) field.value = "";
      else {
        field.setAttribute("aria-invalid", "true");
        field.select();
      }
      // The board says why a move is not legal.
      this.#fault.hidden = field.value === "" || TYPED.test(field.value);
    });
    this.#label.append(this.#name, field, this.#fault);
    root.append(this.#label);
  }

  show(isShown: boolean, words: Words): void {
    this.#name.textContent = boardText(words, "typed");
    this.#fault.textContent = boardText(words, "unread");
    this.#label.hidden = !isShown;
  }
}
