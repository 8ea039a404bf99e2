// The page for two people at one device: a new game that the address asks for, or one that is saved in this browser.

import { render } from "preact";
import { Continuation } from "../game/continuation.tsx";
import { HotSeat, type NewHotSeatGame } from "../game/hotseat.ts";
import type { CallMode } from "../game/played_game.ts";
import { GamePage } from "../game/page.tsx";
import { Review } from "../game/review.tsx";
import { savedGame, savedGames } from "../game/saved_games.ts";
import { readJson } from "../texts.ts";
import { pageVariants, type VariantFacts } from "../variants.ts";

const DEFAULT_VARIANT = "brandub-globe";
const DEFAULT_LEVEL = 3;
const MODES: readonly string[] = ["off", "auto", "manual"];

/** Returns the game that an address asks for, or null. */
function requestedGame(query: URLSearchParams): NewHotSeatGame | null {
  const facts = readJson<VariantFacts>("wanted") ?? pageVariants()[query.get("variant") ?? ""];
  if (!query.has("variant") || !facts) return null;
  const mode = query.get("calls") ?? "auto";
  const start = query.get("position");
  // A position is for one game; a game from the start has the legs that the rules mention.
  const usualLegs = start ? 1 : facts.match.legs;
  return {
    facts,
    mode: (MODES.includes(mode) ? mode : "auto") as CallMode,
    legs: Number(query.get("legs") ?? usualLegs) === 2 ? 2 : 1,
    start,
  };
}

async function open(): Promise<HotSeat> {
  const requested = requestedGame(new URLSearchParams(location.search));
  const saved = requested ? null : (savedGame(location.hash.slice(1)) ?? savedGames()[0]);
  if (saved) return HotSeat.resume(saved);
  const facts = pageVariants()[DEFAULT_VARIANT] as VariantFacts;
  return HotSeat.begin(requested ?? { facts, mode: "auto", legs: 1, start: null });
}

const place = document.getElementById("main") as HTMLElement;
const source = await open();
// The address names the game from now on: a reload resumes it.
history.replaceState(null, "", `${location.pathname}#${source.id}`);
place.replaceChildren();
render(
  <GamePage
    source={source}
    leave={() => location.assign(place.dataset["new"] ?? "/")}
    after={(snapshot, at, go) => (
      <div class="after-game">
        <Review snapshot={snapshot} setup={source.setup} at={at} go={go} />
        <Continuation snapshot={snapshot} setup={source.setup} at={at} side={null} level={DEFAULT_LEVEL} />
      </div>
    )}
  />,
  place,
);
