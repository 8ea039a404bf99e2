// The input for typed moves below the board. Loaded on demand.

const STYLE = `
.typed{display:flex;gap:8px;align-items:center;margin-top:8px;font:16px/24px var(--font)}
.typed[hidden]{display:none}
.typed input{font:inherit;min-height:44px;padding:0 12px;border:1px solid;border-radius:4px;background:none;color:inherit;width:9em}
`;

export class MoveField {
  readonly #label = document.createElement("label");
  readonly #name = document.createElement("span");

  /** `play` plays a typed move, and returns false if it is not legal. */
  constructor(root: ShadowRoot, play: (text: string) => boolean) {
    const field = document.createElement("input");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets.push(sheet);
    this.#label.className = "typed";
    field.autocomplete = "off";
    field.addEventListener("input", () => field.removeAttribute("aria-invalid"));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      if (play(field.value)) field.value = "";
      else field.setAttribute("aria-invalid", "true");
    });
    this.#label.append(this.#name, field);
    root.append(this.#label);
  }

  show(isShown: boolean, name: string): void {
    this.#name.textContent = name;
    this.#label.hidden = !isShown;
  }
}
