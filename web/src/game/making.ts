// Making a game at the server, and going to it.

import type { Failure, GameMade, NewGameRequest } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";
import { rememberInvite } from "./invites.ts";

/** After so long a page that is still there may ask again. */
const LEAVING_MS = 10_000;

let isLeaving = false;
const stay = () => {
  isLeaving = false;
};
// A page that is come back to may be the very one that was left.
addEventListener("pageshow", stay);

/**
 * Makes a game and goes to it; says in words what is wrong if that cannot be.
 *
 * Asked again before the page is gone, it is the same wish: a double click makes one game.
 */
export async function goToGame(request: NewGameRequest, fail: (why: string) => void): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  try {
    const { game, invite } = await makeGame(request);
    if (invite) rememberInvite(game, invite);
    location.assign(`/${LANGUAGE}/game/${game}`);
    setTimeout(stay, LEAVING_MS);
  } catch (error) {
    stay();
    fail((error as Error).message);
  }
}

/** Makes a game at the server; throws what is wrong in words. */
async function makeGame(request: NewGameRequest): Promise<GameMade> {
  const response = await fetch("/api/games", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(request),
  }).catch(() => null);
  if (!response) throw new Error(t("web.no_connection"));
  if (!response.ok) throw new Error(((await response.json()) as Partial<Failure>).message ?? t("web.rejected"));
  return (await response.json()) as GameMade;
}
