// What every page tells: that somebody took a challenge of one's own, and in how many games it is one's turn.
//
// The page loads it only if this browser has a challenge or a game at the server.

import { knockWhenTaken, listenForKnocks } from "../waiting.ts";
import { gamesGoingOn, mayBePlaying } from "../your_turn.ts";

const REPEAT_MS = 60_000;

// The page of open challenges has the lists itself.
if (document.querySelector("[data-lobby]")) listenForKnocks();
else knockWhenTaken();

/** Counts the games where it is the user's turn, now and as long as the page is seen. */
async function count(): Promise<void> {
  if (!document.hidden && mayBePlaying()) await gamesGoingOn().catch(() => undefined);
}

document.addEventListener("visibilitychange", () => void count());
setInterval(() => void count(), REPEAT_MS);
void count();
