// The studies that this browser keeps. The one that is shown is always kept. One that its user has changed is kept until
// as many others as `MOST_STUDIES` were changed after it, or until there is no more room (`MOST_CHARACTERS`, or what the
// browser allows): then the one that was left longest ago goes first. A study is found again by what names it in its
// address (`queryOf`): two games are never in one study.

import type { RecordView, TreePlyView } from "../../messages.ts";
import type { Outcome } from "../../rules.ts";
import { store, stored } from "../../storage.ts";
import { flatten, pathTo, plyOf, START, treeOf } from "./move_tree.ts";
import { addressOf, GameCache, queryOf, type Study, withMoves } from "./study.ts";

const KEY = "hnefi.studies";
const MOST_STUDIES = 30;
const MOST_CHARACTERS = 1_000_000;

export interface SavedStudy {
  readonly query: string;
  readonly address: string;
  readonly headers: RecordView["headers"];
  readonly comments: readonly string[];
  readonly plies: readonly TreePlyView[];
  readonly isOwn: boolean;
  /** How the players ended the game, and the moves before. */
  readonly ended: { readonly moves: readonly string[]; readonly outcome: Outcome } | null;
}

/** Returns the saved studies, the one that was shown last first. */
export function savedStudies(): readonly SavedStudy[] {
  return stored<SavedStudy[]>(KEY, []);
}

/** Saves a study in this browser, for the next visit. */
export function saveStudy(study: Study): void {
  const { headers, tree, isOwn } = study;
  const ended = study.ended && { moves: pathTo(tree, study.ended.after).map(({ move }) => move), outcome: study.ended.outcome };
  const query = queryOf(study);
  const { comments } = plyOf(tree, START);
  const saved = { query, address: addressOf(study, ""), headers, comments, plies: flatten(tree), isOwn, ended };
  const others = savedStudies().filter((one) => one.isOwn && one.query !== query);
  const kept = [saved, ...others].slice(0, MOST_STUDIES);
  const isTooLong = () => JSON.stringify(kept).length > MOST_CHARACTERS;
  while (kept.length > 1 && (isTooLong() || !store(KEY, kept))) kept.pop();
  if (kept.length === 1) store(KEY, kept);
}

/** Checks whether changes of the user are saved under what names a study. */
export function isTaken(study: Study): boolean {
  return savedStudies().some(({ query, isOwn }) => isOwn && query === queryOf(study));
}

/** Returns a study with the tree that was saved for it, if there is one. */
export function withSavedTree(study: Study): Study {
  try {
    const saved = savedStudies().find(({ query }) => query === queryOf(study));
    if (!saved) return study;
    const tree = treeOf(saved.plies, saved.comments);
    const games = new GameCache(study);
    for (const id of tree.plies.keys()) games.after(tree, id);
    const found = { ...study, headers: saved.headers, tree, isOwn: saved.isOwn };
    return saved.ended ? { ...found, ended: { after: withMoves(found, saved.ended.moves).at, outcome: saved.ended.outcome } } : found;
  } catch {
    // The rules may have changed since: a saved move may be illegal now.
    return study;
  }
}

/** Returns the address of another study than this one that was shown last, if the user changed it. */
export function leftStudy(study: Study): string | null {
  const [last] = savedStudies();
  return last?.isOwn && last.query !== queryOf(study) ? last.address : null;
}

/** Returns the address of the study that was shown last, or null. */
export function savedAddress(): string | null {
  return savedStudies()[0]?.address ?? null;
}
