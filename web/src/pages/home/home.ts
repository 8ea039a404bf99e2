// The home page: the guided first game. Everything else is loaded after the first move, or when it is asked for.

import type { PeopleView } from "../../messages.ts";
import { type GuidedFacts, GuidedGame } from "./guided_game.ts";

function part<E extends HTMLElement = HTMLElement>(name: string): E {
  return document.querySelector(`[data-${name}]`) as E;
}

/** Remembers on this device that the guided game was won. */
const GUIDED_KEY = "hnefi.guided";

/** The main button leads to a whole game, no longer to the guided one. */
function offerWholeGame(): void {
  part("computer").hidden = true;
  part("full").hidden = false;
}

/** Fetches what a whole game needs, when the browser has nothing else to do; the engine, the largest, last. */
function prefetch(): void {
  // Who saves data loads it with the game.
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  const addresses = part("full").dataset["needs"]?.split(" ") ?? [];
  (window.requestIdleCallback ?? setTimeout)(() => {
    for (const href of addresses) document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href }));
  });
}

/** Shows how many games there are to watch, if there are any. */
async function offerWatching(link: HTMLElement): Promise<void> {
  const answer = await fetch("/api/people").catch(() => null);
  const { games } = answer?.ok ? ((await answer.json()) as PeopleView) : { games: [] };
  link.textContent = link.dataset["watch"]?.replace("{n}", String(games.length)) ?? "";
  link.hidden = games.length === 0;
}

/**
 * Checks whether this browser may have a game. Storage is read here, not in storage.ts: with an import, the script would
 * be two files, one after the other.
 */
function hasPlayed(): boolean {
  return ["hnefi.tables", "hnefi.invites", "hnefi.name", "hnefi.playing"].some(isStored);
}

function isStored(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function rememberGuided(): void {
  try {
    localStorage.setItem(GUIDED_KEY, "won");
  } catch {
    // Without storage, the guided game is offered first again.
  }
}

const board = part("first-board");
// The server leaves the facts out if the rules of the variant do not allow the guided game.
const facts = document.getElementById("guided")?.textContent;
if (facts) new GuidedGame(JSON.parse(facts) as GuidedFacts, board, part("coach"));
board.addEventListener("guided-move", prefetch, { once: true });
board.addEventListener("guided-end", () => {
  offerWholeGame();
  part("again").hidden = false;
  rememberGuided();
});
// Who has won the guided game may play it again, but need not.
if (isStored(GUIDED_KEY)) offerWholeGame();
const watch = document.querySelector<HTMLElement>("[data-watch]");
if (watch && navigator.onLine) (window.requestIdleCallback ?? setTimeout)(() => void offerWatching(watch));
// A browser that has played before may have a game to go on with.
if (hasPlayed()) {
  const places = { coach: part("coach"), panel: part("resume"), board, begin: [part("computer"), part("full")] };
  void import("../../game/resume.ts").then(({ offerResuming }) => offerResuming(places));
}
