// Search for variants by names, size and region, with spelling mistakes: src/hnefi/variants/search.py in the browser.

/** A name by which a variant is found, and why it stands for it. */
export type SearchTerm = readonly [text: string, why: string];

export interface Match {
  mistakes: number;
  why: string;
}

const LETTERS: Readonly<Record<string, string>> = { ð: "d", þ: "th", æ: "ae", ø: "o", œ: "oe", ß: "ss" };
/** The longest search, in words; of a longer one the rest is ignored. */
export const MOST_WORDS = 6;

/** Returns the mistakes of a search and why its terms fit; null if they do not. */
export function match(query: string, terms: readonly SearchTerm[]): Match | null {
  const result = { mistakes: 0, why: "" };
  for (const word of wordsOf(query).slice(0, MOST_WORDS)) {
    const best = bestOf(word, terms);
    if (!best) return null;
    result.mistakes += best.mistakes;
    result.why ||= best.why;
  }
  return result;
}

/** Returns the words of a search that one variant fits, as many letters as possible. */
export function knownWords(words: readonly string[], variants: Iterable<readonly SearchTerm[]>): readonly string[] {
  let best: { letters: number; fit: string; known: readonly string[] } = { letters: 0, fit: "", known: [] };
  for (const terms of variants) {
    const known = words.filter((word) => match(word, terms));
    const letters = known.join("").length;
    const fit = words.map((word) => (known.includes(word) ? "1" : "0")).join("");
    if (letters > best.letters || (letters === best.letters && fit > best.fit)) best = { letters, fit, known };
  }
  return best.known;
}

/** Returns the nearest term; of equally near ones, one that a list shows. */
function bestOf(word: string, terms: readonly SearchTerm[]): Match | null {
  let best: Match | null = null;
  for (const [text, why] of terms) {
    for (const mistakes of distances(word, text)) {
      const isBetter = !best || mistakes < best.mistakes || (mistakes === best.mistakes && rank(why) < rank(best.why));
      if (isBetter) best = { mistakes, why };
    }
  }
  return best;
}

/** Orders reasons as Python orders pairs of "has a reason" and the reason. */
function rank(why: string): string {
  return why === "" ? "" : `1${why}`;
}

/** Iterates over the distances of a word to the words of a text that are near enough. */
function* distances(word: string, text: string): Iterable<number> {
  const allowed = word.length < 4 ? 0 : word.length < 7 ? 1 : 2;
  for (const other of wordsOf(text)) {
    if (other.startsWith(word) || (word.length > 3 && other.includes(word))) yield 0;
    else if (Math.abs(other.length - word.length) <= allowed && !/\d/.test(word)) {
      const mistakes = editDistance(word, other);
      if (mistakes <= allowed) yield mistakes;
    }
  }
}

/** Returns the edit distance of two words; two neighbours in the wrong order count once. */
function editDistance(one: string, other: string): number {
  let last: number[] = [];
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, k) => k);
  for (let i = 1; i <= one.length; i++) {
    last = before;
    before = row;
    row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let cost = Math.min(at(before, j) + 1, at(row, j - 1) + 1, at(before, j - 1) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (isSwapped) cost = Math.min(cost, at(last, j - 2) + 1);
      row.push(cost);
    }
  }
  return at(row, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}

/** Returns the words of a text in lower case, without accents; a size such as "11 × 11" is one word. */
export function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/[ðþæøœß]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
  return plain.replace(/(\d+)\s*[x×]\s*(\d+)/g, "$1x$2").match(/[a-z0-9]+/g) ?? [];
}
