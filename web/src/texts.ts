// The texts of the page. The server puts those of the catalogue that a page needs into it, as JSON.

type Text = string | readonly [string, string];

/** The language of the page. */
export const LANGUAGE = document.documentElement.lang;
/** The locale of its dates and times: the day before the month, and 24 hours. */
export const DATE_LOCALE = LANGUAGE === "en" ? "en-GB" : LANGUAGE;

const TEXTS: Readonly<Record<string, Text>> = { ...readJson("notice-texts"), ...readJson("game-texts"), ...readJson("texts") };
// In French 0 is singular ("0 case"), in English plural ("0 squares").
const isSingular = LANGUAGE === "fr" ? (n: number) => n < 2 : (n: number) => n === 1;

/** Parses the JSON that the server put into the element with an id; null if there is none. */
export function readJson<T>(id: string): T | null {
  const element = document.getElementById(id);
  return element?.textContent ? (JSON.parse(element.textContent) as T) : null;
}

/** Returns the text of a key with its placeholders replaced. */
export function t(key: string, facts: Readonly<Record<string, string | number>> = {}): string {
  const text = TEXTS[key];
  return withFacts(typeof text === "object" ? text[0] : (text ?? key), facts);
}

/** Returns the text of a key in the plural form for `n`, which also replaces the placeholder `{n}`. */
export function plural(key: string, n: number, facts: Readonly<Record<string, string | number>> = {}): string {
  const text = TEXTS[key];
  const form = typeof text === "object" ? text[isSingular(n) ? 0 : 1] : (text ?? key);
  return withFacts(form, { n, ...facts });
}

export function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase(LANGUAGE) + text.slice(1);
}

/** Returns a label with a small letter at its beginning, as it stands after a colon. */
export function inSentence(label: string): string {
  return label.charAt(0).toLocaleLowerCase(LANGUAGE) + label.slice(1);
}

/** Returns the name of the computer at a level, with its number. */
export function computerName(level: number): string {
  return t("web.computer", { name: t(`level.${level}`), level });
}

/** Returns the name of a level of the computer in records, which is the same in every language. */
export function recordName(level: number): string {
  return `Hnefi (${level})`;
}

/** Returns the name of a player in a record as it is shown: the computer has the name of its level. */
export function displayedName(name: string): string {
  const level = /^Hnefi \((10|[1-9])\)$/.exec(name)?.[1];
  return level ? computerName(Number(level)) : name;
}

/** Checks whether there is a text for a key. */
export function hasText(key: string): boolean {
  return key in TEXTS;
}

/** Returns the texts whose keys have a prefix. */
export function textsOf(prefix: string): Readonly<Record<string, string>> {
  const texts = Object.entries(TEXTS).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(texts.map(([key, text]) => [key, typeof text === "object" ? text[1] : text]));
}

function withFacts(text: string, facts: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}
