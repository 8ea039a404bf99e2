// The questions of the page, as the server has written them: what is answered, and what stands there now.

import type { RulesView } from "../messages.ts";
import { plural, t } from "../texts.ts";
import type { Rulebook } from "./rulebook.ts";

type Control = HTMLInputElement | HTMLSelectElement;

/** Listens to all questions, those too that come later. */
export function listenTo(place: HTMLElement, book: Rulebook): void {
  // A text that is typed is looked at while it grows.
  place.addEventListener("input", ({ target }) => answer(target, book));
}

function answer(target: EventTarget | null, book: Rulebook): void {
  const control = target as Control;
  const fieldset = control.closest<HTMLFieldSetElement>("[data-rule]");
  if (!fieldset || !control.name.startsWith("rule.")) return;
  const written = control.type === "checkbox" ? ticked(fieldset) : control.value.trim();
  // Without any square there are no camps.
  const value = written === "" && control.name === "rule.camps" ? "none" : written;
  const isTyping = control instanceof HTMLInputElement && ["text", "number"].includes(control.type);
  if (value !== "") book.change({ [control.name.slice("rule.".length)]: value }, { isTyping });
}

function ticked(fieldset: HTMLFieldSetElement): string {
  const found = [...fieldset.querySelectorAll<HTMLInputElement>("[type=checkbox]:checked")];
  return found.map((one) => one.value).join(",") || "none";
}

/** Writes into the questions what the rules are now. */
export function show(place: HTMLElement, { view, changed }: Rulebook): void {
  const leaf = changed.split(".")[0];
  for (const fieldset of place.querySelectorAll<HTMLFieldSetElement>("[data-rule]")) {
    const name = fieldset.dataset["rule"] as string;
    setValue(fieldset, view.values[name] ?? "");
    const why = view.faults.filter((fault) => fault.leaf === name).map((fault) => fault.message);
    const follows = name === leaf ? view.follows.map((follow) => follow.message) : [];
    list(fieldset, why, follows);
    const rule = view.rules[name];
    const told = fieldset.querySelector("[data-told]") as HTMLElement;
    if (why.length > 0) told.textContent = "";
    if (!rule) continue;
    fieldset.classList.toggle("differs", rule.differs);
    fieldset.disabled = !rule.applies;
    told.textContent = rule.applies ? rule.text : t("page.editor.idle");
  }
  count(place, view);
}

function setValue(fieldset: HTMLFieldSetElement, value: string): void {
  const entries = fieldset.dataset["entries"]?.split(" ");
  const parts = value.split(",");
  for (const control of fieldset.querySelectorAll<Control>("[name]")) {
    const own = entries ? (parts[entries.indexOf(control.name.split(".")[2] ?? "")] ?? "") : value;
    if (control.type === "hidden") continue;
    if (control.type === "checkbox") (control as HTMLInputElement).checked = parts.includes(control.value);
    else if (control.type === "radio") (control as HTMLInputElement).checked = control.value === own;
    // Nobody's typing is corrected under his hands.
    else if (document.activeElement !== control) control.value = own;
  }
}

function list(fieldset: HTMLFieldSetElement, why: readonly string[], follows: readonly string[]): void {
  const items = [...why.map((text) => item(text, "")), ...follows.map((text) => item(text, "follows"))];
  fieldset.querySelector("[data-why]")?.replaceChildren(...items);
  fieldset.toggleAttribute("data-wrong", why.length > 0);
}

function item(text: string, kind: string): HTMLLIElement {
  const made = document.createElement("li");
  made.textContent = text;
  made.className = kind;
  return made;
}

/** Says beside each group how many of its rules are otherwise. */
function count(place: HTMLElement, view: RulesView): void {
  const { rules } = view;
  for (const group of place.querySelectorAll<HTMLElement>("[data-group]")) {
    const names = [...group.querySelectorAll<HTMLElement>("[data-rule]")].map((one) => one.dataset["rule"] ?? "");
    const changed = names.filter((name) => rules[name]?.differs).length;
    const said = group.querySelector("[data-count]") as HTMLElement;
    if (Object.keys(rules).length > 0) said.textContent = changed ? plural("page.editor.changed", changed) : "";
    // Only games that have calls can change what forgetting one costs.
    if (group.dataset["group"] === "calls") group.hidden = !("sanction" in view.values);
    const isWrong = group.querySelector("[data-wrong]") !== null;
    group.classList.toggle("wrong", isWrong);
  }
}
