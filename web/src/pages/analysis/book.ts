// The opening book of the game that is shown: fetched once, and its moves at a position.

import books from "hnefi-books.ts";
import { useEffect, useState } from "preact/hooks";
import { loadedFile } from "../../built_files.ts";
import { failureText } from "../../http.ts";
import { loadCore, type Rules } from "../../rules.ts";
import { t } from "../../texts.ts";

/** Games won by the attackers, drawn, won by the defenders, and of unknown result. */
export type Counts = readonly [number, number, number, number?];

/** A move of a book. The moves are equal by symmetry; the score is for the attackers. */
export interface BookMove {
  readonly moves: readonly string[];
  readonly score: number;
  readonly searches: number;
  readonly self_play: Counts;
  readonly recorded: Counts;
}

interface BookFile {
  readonly positions: Readonly<Record<string, unknown>>;
  readonly made: {
    readonly nodes: number;
    readonly self_play: { readonly games: number };
    readonly recorded: readonly { readonly games: number }[];
  };
  /** What the scores mean under these rules, if it was measured. */
  readonly calibration?: { readonly scale: number; readonly offset: number; readonly margin: number };
}

/** From this score on, a win is proven. */
const PROVEN = 31_000;

const loading = new Map<string, Promise<OpeningBook>>();

export class OpeningBook {
  readonly #file: BookFile;
  readonly #moves: (position: string) => readonly BookMove[];

  private constructor(file: BookFile, moves: (position: string) => readonly BookMove[]) {
    this.#file = file;
    this.#moves = moves;
  }

  /** Loads the book for rules, once. Rejects without a connection. */
  static load(rules: Rules): Promise<OpeningBook> {
    const { hash } = rules.facts;
    const known = loading.get(hash) ?? OpeningBook.#fetch(rules);
    loading.set(hash, known);
    // Without a connection it may be tried again.
    known.catch(() => loading.delete(hash));
    return known;
  }

  static async #fetch({ facts }: Rules): Promise<OpeningBook> {
    const response = await loadedFile(new URL(books[facts.hash] as string, import.meta.url));
    if (!response.ok) throw new Error(t("web.rejected"));
    const text = await response.text();
    const core = await loadCore();
    const { rules } = core.request({ do: "rules", tree: JSON.stringify(facts.tree) }) as { rules: number };
    const { number } = core.request({ do: "book", rules, book: text }) as { number: number };
    const moves = (setup: string) => core.request({ do: "book_moves", book: number, setup }) as BookMove[];
    return new OpeningBook(JSON.parse(text) as BookFile, moves);
  }

  /** Returns the moves at a position, the best first; none if it is not in the book. */
  moves(position: string): readonly BookMove[] {
    return this.#moves(position);
  }

  /** The numbers of its sources: positions searched, nodes of each search, games of both kinds. */
  get sources(): Readonly<Record<"positions" | "nodes" | "selfPlay" | "recorded", number>> {
    const { positions, made } = this.#file;
    const recorded = made.recorded.reduce((sum, { games }) => sum + games, 0);
    return { positions: Object.keys(positions).length, nodes: made.nodes, selfPlay: made.self_play.games, recorded };
  }

  /** Returns the attackers' chances in percent, as the core does; null if the scores of these rules were not measured. */
  percent(score: number): number | null {
    if (Math.abs(score) >= PROVEN) return score > 0 ? 100 : 0;
    const { calibration } = this.#file;
    if (!calibration) return null;
    const { scale, offset, margin } = calibration;
    const rate = (by: number) => 1 / (1 + Math.exp((offset + by - score) / scale));
    return Math.min(Math.max(Math.round(50 * (rate(margin) + rate(-margin))), 1), 99);
  }
}

/** Checks whether there is a book for rules. */
export function hasBook({ facts }: Rules): boolean {
  return facts.hash in books;
}

/** Returns the book for rules, once it is loaded, or why it could not be. Loads nothing while `isOpen` is false. */
export function useBook(rules: Rules, isOpen: boolean): { book: OpeningBook | null; failure: string | null } {
  const [found, setFound] = useState<{ rules: Rules; book: OpeningBook | null; failure: string | null } | null>(null);
  useEffect(() => {
    if (!isOpen) return;
    let isLeft = false;
    OpeningBook.load(rules).then(
      (book) => isLeft || setFound({ rules, book, failure: null }),
      (error: unknown) => isLeft || setFound({ rules, book: null, failure: failureText(error) }),
    );
    return () => {
      isLeft = true;
    };
  }, [rules, isOpen]);
  return found?.rules === rules ? found : { book: null, failure: null };
}
