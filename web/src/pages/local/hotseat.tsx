// The page for two people at one device: a new game that the address asks for, or one that is saved in this browser.

import { HotSeat } from "../../game/hotseat.ts";
import { showLocalGame } from "../../game/local_page.tsx";
import { namedGame, requestedGame } from "../../game/requested_game.ts";

async function open(): Promise<HotSeat> {
  const saved = namedGame((game) => !game.computer);
  if (saved) return HotSeat.resume(saved);
  const [first, second] = new URLSearchParams(location.search).getAll("names");
  return HotSeat.begin({ ...(await requestedGame()), ...(first || second ? { names: [first ?? "", second ?? ""] } : {}) });
}

await showLocalGame(open);
