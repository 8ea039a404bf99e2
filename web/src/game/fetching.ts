// What a page asks the server about a game before it can be shown.

import type { Failure, GameView } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";
import { type GameFacts, knownGames } from "./facts.ts";

async function ask<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(((await response.json()) as Partial<Failure>).message ?? t("web.rejected"));
  return (await response.json()) as T;
}

/** A game as it stands, for the one who asks. */
export function viewOf(game: string): Promise<GameView> {
  return ask(`/api/games/${game}`);
}

/** The variant as it is played in a game; with switches its rules come from the server. */
export async function factsOf({ created }: GameView): Promise<GameFacts> {
  const known = knownGames()[created.variant];
  if (known && Object.keys(created.switches).length === 0) return known;
  const rules = Object.entries(created.switches).map(([key, value]) => [`rule.${key}`, value]);
  return ask(`/${LANGUAGE}/facts?${new URLSearchParams([["variant", created.variant], ...rules])}`);
}
