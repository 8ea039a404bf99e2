// The game that the address of a page asks for.

import { changesOf } from "../changes.ts";
import type { Side } from "../rules.ts";
import { readJson } from "../texts.ts";
import { variantFacts } from "../variant_facts.ts";
import { checkVariant, pageVariants, type VariantFacts } from "../variants.ts";
import type { NewLocalGame } from "./local_game.ts";
import type { CallMode } from "./played_game.ts";
import { type SavedGame, savedGame, savedGames } from "./saved_games.ts";

const DEFAULT_VARIANT = "brandub-globe";
const MODES: readonly string[] = ["off", "auto", "manual"];

/** Returns the saved game that an address names: by its id, or the last one that can go on if it asks for none. */
export function namedGame(isWanted: (game: SavedGame) => boolean): SavedGame | null {
  const named = savedGame(location.hash.slice(1));
  if (named && isWanted(named)) return named;
  const isAsking = new URLSearchParams(location.search).has("variant");
  return isAsking ? null : (savedGames().find((game) => isWanted(game) && !game.outcome) ?? null);
}

/**
 * Returns the game that an address asks for; one of the simplest variant if it names none.
 *
 * Rejects with `NoSuchGame` if there is none of this name, with a `TypeError` if only the server knows its rules and
 * cannot be reached.
 */
export async function requestedGame(): Promise<NewLocalGame> {
  const query = new URLSearchParams(location.search);
  const asked = await requestedVariant(query);
  const facts = asked ?? (pageVariants()[DEFAULT_VARIANT] as VariantFacts);
  const mode = query.get("calls") ?? "auto";
  const start = asked ? query.get("position") : null;
  // A position is for one game; a game from the start has the legs that the rules mention.
  const usualLegs = start || !query.has("variant") ? 1 : facts.match.legs;
  const id = location.hash.slice(1);
  return {
    facts,
    mode: (MODES.includes(mode) ? mode : "auto") as CallMode,
    legs: Number(query.get("legs") ?? usualLegs) === 2 ? 2 : 1,
    start,
    ...(/^[a-z0-9]{4,12}$/.test(id) ? { id } : {}),
  };
}

/** Returns the side that is asked for in a game against the computer, which may be drawn by lot. */
export function requestedSide(asked: string | null): Side {
  if (asked === "lot") return Math.random() < 0.5 ? "attackers" : "defenders";
  return asked === "defenders" ? "defenders" : "attackers";
}

/** Returns the variant of a query with its rules. A page that is kept has those of no query. */
async function requestedVariant(query: URLSearchParams): Promise<VariantFacts | undefined> {
  const wanted = readJson<VariantFacts>("wanted");
  if (wanted) return wanted;
  const variant = query.get("variant") ?? "";
  if (variant !== "") checkVariant(variant);
  const changes = changesOf(query);
  return Object.keys(changes.switches).length > 0 ? variantFacts(variant, changes) : pageVariants()[variant];
}

/**
 * Names a game in the address, so that a reload resumes it; the question stays until the game has begun. A rematch has an
 * entry of its own in the history: Back shows the game before it.
 */
export function nameInAddress({ id }: { readonly id: string }): void {
  const query = savedGame(id) ? "" : location.search;
  const address = `${location.pathname}${query}#${id}`;
  if (address === `${location.pathname}${location.search}${location.hash}`) return;
  const isRematch = savedGame(location.hash.slice(1)) !== null && !location.hash.endsWith(`#${id}`);
  if (isRematch) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}
