// The user's games at the server: in how many of them it is the user's turn, for the badge of every page.

import { getJson } from "./http.ts";
import type { OwnGame, OwnGames } from "./messages.ts";
import { store, stored } from "./storage.ts";
import { plural } from "./texts.ts";

const PLAYING = "hnefi.playing";
const MOST_NOTED = 100;

/** Notes that the user has a seat in a game at the server, or that the game is over. */
export function notePlaying(game: string, isGoingOn: boolean): void {
  const others = stored<string[]>(PLAYING, []).filter((one) => one !== game);
  store(PLAYING, (isGoingOn ? [game, ...others] : others).slice(0, MOST_NOTED));
}

/** Checks whether this browser may have a game at the server that goes on. */
export function mayBePlaying(): boolean {
  return stored<string[]>(PLAYING, []).length > 0;
}

export function isYourTurn({ status, mover, you }: OwnGame): boolean {
  return status === "playing" && mover !== null && you.includes(mover);
}

function isGoingOn({ status }: OwnGame): boolean {
  return status !== "over" && status !== "aborted";
}

/** Returns the user's games at the server, and updates the badge. */
export async function ownGames(): Promise<OwnGames> {
  const own = await getJson<OwnGames>("/api/games");
  const going = own.games.filter(isGoingOn).map(({ game }) => game);
  store(PLAYING, going.slice(0, MOST_NOTED));
  // The page of a game says itself whose turn it is.
  showBadge(own.games.filter((game) => isYourTurn(game) && !location.pathname.endsWith(`/${game.game}`)).length);
  return own;
}

/** Returns those that go on; first those that wait for a move of the user. */
export async function gamesGoingOn(): Promise<readonly OwnGame[]> {
  const going = (await ownGames()).games.filter(isGoingOn);
  return [...going.filter(isYourTurn), ...going.filter((game) => !isYourTurn(game))];
}

function showBadge(count: number): void {
  const badge = document.querySelector<HTMLElement>("[data-turns]");
  if (badge) {
    badge.hidden = count === 0;
    badge.textContent = String(count);
    badge.ariaLabel = plural("web.turns", count);
  }
  if (!location.pathname.includes("/game/")) countInTitle("turns", count);
}

const counted = new Map<string, number>();

/** Shows in the title of the tab how many games wait. A game to which somebody calls may be one of them. */
export function countInTitle(what: "turns" | "taken", count: number): void {
  counted.set(what, count);
  const waiting = Math.max(...counted.values());
  const title = document.title.replace(/^\(\d+\) /, "");
  document.title = waiting > 0 ? `(${waiting}) ${title}` : title;
}
