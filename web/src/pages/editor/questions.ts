// The questions about rules, which the server renders: passes answers on, and shows the current rules.

import type { RulesView } from "../../messages.ts";
import { plural, t } from "../../texts.ts";
import type { RulesDraft } from "./rules_draft.ts";

type Control = HTMLInputElement | HTMLSelectElement;

/** Passes answers on to the draft, typed text letter by letter. */
export function listenToQuestions(place: HTMLElement, draft: RulesDraft): void {
  place.addEventListener("input", ({ target }) => answer(target, draft));
}

function answer(target: EventTarget | null, draft: RulesDraft): void {
  const control = target as Control;
  const fieldset = control.closest<HTMLFieldSetElement>("[data-rule]");
  if (!fieldset || !control.name.startsWith("rule.")) return;
  const entered = control.type === "checkbox" ? checkedValues(fieldset) : control.value.trim();
  const value = entered === "" && control.name === "rule.camps" ? "none" : entered;
  const isTyping = control instanceof HTMLInputElement && ["text", "number"].includes(control.type);
  if (value !== "") draft.change({ [control.name.slice("rule.".length)]: value }, { isTyping });
}

function checkedValues(fieldset: HTMLFieldSetElement): string {
  const boxes = [...fieldset.querySelectorAll<HTMLInputElement>("[type=checkbox]:checked")];
  return boxes.map((box) => box.value).join(",") || "none";
}

/** Shows the current rules in the questions. */
export function showRules(place: HTMLElement, { view, changed }: RulesDraft): void {
  const leaf = changed.split(".")[0];
  for (const fieldset of place.querySelectorAll<HTMLFieldSetElement>("[data-rule]")) {
    const name = fieldset.dataset["rule"] as string;
    setValue(fieldset, view.values[name] ?? "");
    if (name === "range") offerDistances(fieldset, view.shape.size);
    const faults = view.faults.filter((fault) => fault.leaf === name).map((fault) => fault.message);
    const follows = name === leaf ? view.follows.map((follow) => follow.message) : [];
    list(fieldset, faults, follows);
    const rule = view.rules[name];
    const sentence = fieldset.querySelector("[data-sentence]") as HTMLElement;
    if (faults.length > 0) sentence.textContent = "";
    if (!rule) continue;
    fieldset.classList.toggle("differs", rule.differs);
    fieldset.disabled = !rule.applies;
    sentence.textContent = rule.applies ? rule.text : t("page.editor.idle");
  }
  countChanges(place, view);
}

function setValue(fieldset: HTMLFieldSetElement, value: string): void {
  const entries = fieldset.dataset["entries"]?.split(" ");
  const parts = value.split(",");
  for (const control of fieldset.querySelectorAll<Control>("[name]")) {
    const current = entries ? (parts[entries.indexOf(control.name.split(".")[2] ?? "")] ?? "") : value;
    if (control.type === "hidden") continue;
    if (control.type === "checkbox") (control as HTMLInputElement).checked = parts.includes(control.value);
    else if (control.type === "radio") (control as HTMLInputElement).checked = control.value === current;
    // An input that has the focus is left alone while the user types.
    else if (document.activeElement !== control) control.value = current;
  }
}

/** Offers the numbers of squares that are fewer than a piece can go on the board; one that is chosen stays. */
function offerDistances(fieldset: HTMLFieldSetElement, size: number): void {
  for (const option of fieldset.querySelectorAll("option")) {
    option.hidden = option.disabled = Number(option.value) >= size - 1 && !option.selected;
  }
}

function list(fieldset: HTMLFieldSetElement, faults: readonly string[], follows: readonly string[]): void {
  const items = [...faults.map((text) => item(text, "")), ...follows.map((text) => item(text, "follows"))];
  fieldset.querySelector("[data-faults]")?.replaceChildren(...items);
  fieldset.toggleAttribute("data-wrong", faults.length > 0);
}

function item(text: string, kind: string): HTMLLIElement {
  const element = document.createElement("li");
  element.textContent = text;
  element.className = kind;
  return element;
}

/** Shows beside each group how many of its rules have been changed, and unfolds it when there are more. */
function countChanges(place: HTMLElement, view: RulesView): void {
  const { rules } = view;
  for (const group of place.querySelectorAll<HTMLDetailsElement>("[data-group]")) {
    const names = [...group.querySelectorAll<HTMLElement>("[data-rule]")].map((one) => one.dataset["rule"] ?? "");
    const changed = names.filter((name) => rules[name]?.differs).length;
    const label = group.querySelector("[data-count]") as HTMLElement;
    if (changed > Number(group.dataset["changed"] ?? 0)) group.open = true;
    group.dataset["changed"] = String(changed);
    if (Object.keys(rules).length > 0) label.textContent = changed ? plural("page.editor.changed", changed) : "";
    // Only variants with calls have a sanction.
    if (group.dataset["group"] === "calls") group.hidden = !("sanction" in view.values);
    const isWrong = group.querySelector("[data-wrong]") !== null;
    group.classList.toggle("wrong", isWrong);
  }
}
