// Games at the server as this browser saw them last, to show them where there is no connection.

import type { GameView } from "../messages.ts";
import { store, stored, storeText } from "../storage.ts";
import type { VariantFacts } from "../variants.ts";

export interface SeenGame {
  readonly view: GameView;
  /** The rules that it began with. */
  readonly facts: VariantFacts;
}

const IDS = "hnefi.seen";
const MOST_GAMES = 12;

const keyOf = (game: string): string => `hnefi.seen.${game}`;

/** Returns a game as it was seen last, or null. */
export function seenGame(game: string): SeenGame | null {
  const seen = stored<Partial<SeenGame>>(keyOf(game), {});
  return seen.view && seen.facts ? { view: seen.view, facts: seen.facts } : null;
}

/** Returns the games in which the user of this browser plays, as they were seen last; the latest first. */
export function seenGames(): readonly SeenGame[] {
  return stored<string[]>(IDS, []).flatMap((game) => seenGame(game) ?? []).filter(({ view }) => view.you.length > 0);
}

/** Keeps a game as it is seen now, and drops the oldest ones beyond the limit. */
export function keepSeen(seen: SeenGame): void {
  const { game } = seen.view;
  const ids = [game, ...stored<string[]>(IDS, []).filter((one) => one !== game)];
  for (const dropped of ids.slice(MOST_GAMES)) storeText(keyOf(dropped), null);
  // The list is stored first: a game that is not in it would never be dropped.
  if (store(IDS, ids.slice(0, MOST_GAMES))) store(keyOf(game), seen);
}
