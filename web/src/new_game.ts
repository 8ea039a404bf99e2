// Creates a game at the server and opens its page.

import { failureText, postJson } from "./http.ts";
import { saveInvite } from "./invites.ts";
import type { GameCreated, NewGameRequest } from "./messages.ts";
import { storedText, storeText } from "./storage.ts";
import { LANGUAGE } from "./texts.ts";

/** A page that is still there after this time may create another game. */
const NAVIGATION_MS = 10_000;
/** The level of the computer that is offered first, as on the page of a new game. */
export const DEFAULT_LEVEL = 2;

let isLeaving = false;
const stay = () => {
  isLeaving = false;
};
// The browser may restore this very page from its back-forward cache.
addEventListener("pageshow", stay);

/**
 * Creates a game and opens its page; reports a failure as a sentence.
 *
 * Does nothing while the page is already being left: a double click creates one game.
 */
export async function openNewGame(request: NewGameRequest, fail: (reason: string) => void): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  try {
    const { game, invite } = await postJson<GameCreated>("/api/games", request);
    if (invite) saveInvite(game, invite);
    // The address invites from the first moment: it may be copied before the page is there.
    location.assign(`/${LANGUAGE}/game/${game}${invite ? `#${invite}` : ""}`);
    setTimeout(stay, NAVIGATION_MS);
  } catch (error) {
    stay();
    fail(failureText(error));
  }
}

const LAST_CHOICE = "hnefi.new";

/** Returns the settings of the last new game, as the query of the page for new games. */
export function lastChoice(): URLSearchParams {
  return new URLSearchParams(storedText(LAST_CHOICE) ?? "");
}

export function saveChoice(query: URLSearchParams): void {
  storeText(LAST_CHOICE, query.toString());
}

/** Returns the level of the computer that was chosen last. */
export function lastLevel(): number {
  return Number(lastChoice().get("level")) || DEFAULT_LEVEL;
}
