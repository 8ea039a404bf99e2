// Two people at one device.

import { render } from "preact";
import { knownGames, type GameFacts } from "../game/facts.ts";
import { HotSeat, type Wanted } from "../game/hotseat.ts";
import type { CallMode } from "../game/line.ts";
import { Onward } from "../game/onward.tsx";
import { GamePage } from "../game/page.tsx";
import { Review } from "../game/review.tsx";
import { keptGame, keptGames } from "../game/shelf.ts";
import { readJson } from "../texts.ts";

const USUAL = "brandub-globe";
const USUAL_LEVEL = 3;
const MODES: readonly string[] = ["off", "auto", "manual"];

/** What the address asks for; null if it asks for nothing new. */
function wanted(query: URLSearchParams): Wanted | null {
  const games = knownGames();
  const facts = readJson<GameFacts>("wanted") ?? games[query.get("variant") ?? ""];
  if (!query.has("variant") || !facts) return null;
  const mode = query.get("calls") ?? "auto";
  return {
    facts,
    mode: (MODES.includes(mode) ? mode : "auto") as CallMode,
    legs: query.get("legs") === "2" ? 2 : 1,
    start: query.get("position"),
  };
}

async function open(): Promise<HotSeat> {
  const asked = wanted(new URLSearchParams(location.search));
  const kept = asked ? null : (keptGame(location.hash.slice(1)) ?? keptGames()[0]);
  if (kept) return HotSeat.resume(kept);
  const facts = knownGames()[USUAL] as GameFacts;
  return HotSeat.begin(asked ?? { facts, mode: "auto", legs: 1, start: null });
}

const place = document.getElementById("main") as HTMLElement;
const source = await open();
// From here on the address names the game: a reload goes on with it.
history.replaceState(null, "", `${location.pathname}#${source.id}`);
place.replaceChildren();
render(
  <GamePage
    source={source}
    leave={() => location.assign(place.dataset["new"] ?? "/")}
    after={(table, at, go) => (
      <div class="after">
        <Review table={table} ground={source.ground} at={at} go={go} />
        <Onward table={table} ground={source.ground} at={at} side={null} level={USUAL_LEVEL} />
      </div>
    )}
  />,
  place,
);
