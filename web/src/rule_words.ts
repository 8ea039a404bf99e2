// A changed rule in words where no server tells it: the question and the answer of the rules editor.

import { pageAddress } from "./addresses.ts";
import { inSentence, t } from "./texts.ts";

type Control = HTMLInputElement | HTMLSelectElement;

let editor: Promise<Document | null> | undefined;

/** Returns the page of the rules editor; null if it cannot be had. */
async function loadEditor(): Promise<Document | null> {
  const response = await fetch(pageAddress("rules/new")).catch(() => null);
  if (!response?.ok) return null;
  return new DOMParser().parseFromString(await response.text(), "text/html");
}

/** Returns a rule with its value: "The king’s goal: any square of the edge". Without the editor they are as switches have them. */
export async function ruleInWords(key: string, value: string): Promise<string> {
  const page = await (editor ??= loadEditor());
  const [leaf = "", entry] = key.split(".");
  const question = page?.querySelector<HTMLElement>(`[data-rule="${CSS.escape(leaf)}"]`);
  const title = question?.querySelector("legend")?.textContent?.trim();
  if (!question || !title) return `${key} = ${value}`;
  const entries = question.dataset["entries"]?.split(" ");
  const values = value.split(",");
  const answers = [...question.querySelectorAll<Control>("[name]:not([type=hidden])")].map((control) => {
    const own = control.name.split(".")[2];
    if (entry !== undefined && own !== entry) return "";
    if (!entries || entry !== undefined) return answerIn(control, value, values);
    return answerIn(control, values[entries.indexOf(own ?? "")] ?? "", []);
  });
  const told = answers.filter(Boolean).join(", ");
  return told === "" ? title : t("page.new.value", { name: title, value: inSentence(told) });
}

/** Returns the answer that a control of a question has for a value; empty if it has none. */
function answerIn(control: Control, value: string, ticked: readonly string[]): string {
  const label = control.closest("label");
  if (control.type === "radio") return control.value === value ? textOf(label) : "";
  if (control.type === "checkbox") return ticked.includes(control.value) ? textOf(label) : "";
  const name = textOf(label?.querySelector("span:not(.unseen)") ?? null);
  if (control.type === "number") return [name, value].filter(Boolean).join(" ");
  const option = [...control.querySelectorAll("option")].find((one) => one.value === value);
  return option ? [name, textOf(option)].filter(Boolean).join(" ") : "";
}

function textOf(element: Element | null): string {
  return element?.textContent?.trim() ?? "";
}
