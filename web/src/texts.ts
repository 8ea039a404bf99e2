// The texts of the page, from the one catalogue. The server puts those that a page needs into it, as JSON.

type Text = string | readonly [string, string];

/** The language of the page. */
export const LANGUAGE = document.documentElement.lang;

const TEXTS = readJson<Readonly<Record<string, Text>>>("texts") ?? {};
// French says "0 case", English "0 squares".
const isSingular = LANGUAGE === "fr" ? (n: number) => n < 2 : (n: number) => n === 1;

/** Reads the JSON that the server put into the page under an id. */
export function readJson<T>(id: string): T | null {
  const element = document.getElementById(id);
  return element?.textContent ? (JSON.parse(element.textContent) as T) : null;
}

/** Gives the text of a key, its placeholders filled in. */
export function t(key: string, facts: Readonly<Record<string, string | number>> = {}): string {
  const found = TEXTS[key];
  return fill(typeof found === "object" ? found[0] : (found ?? key), facts);
}

/** Gives the text of a key in the plural form for `n`, which is also the placeholder `{n}`. */
export function plural(key: string, n: number, facts: Readonly<Record<string, string | number>> = {}): string {
  const found = TEXTS[key];
  const form = typeof found === "object" ? found[isSingular(n) ? 0 : 1] : (found ?? key);
  return fill(form, { n, ...facts });
}

/** Whether there is a text for a key. */
export function hasText(key: string): boolean {
  return key in TEXTS;
}

/** The texts whose keys begin so, for what takes them all. */
export function textsOf(prefix: string): Readonly<Record<string, string>> {
  const plain = Object.entries(TEXTS).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(plain.map(([key, text]) => [key, typeof text === "object" ? text[1] : text]));
}

function fill(text: string, facts: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}
