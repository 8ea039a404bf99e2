// The page of a game against the computer that this browser keeps and plays.

import { ComputerGame } from "../../game/computer_game.ts";
import { showLocalGame } from "../../game/local_page.tsx";
import { namedGame, requestedGame, requestedSide } from "../../game/requested_game.ts";
import { lastLevel } from "../../new_game.ts";

const MOST_LEVEL = 10;

async function open(): Promise<ComputerGame> {
  const saved = namedGame((game) => game.computer !== undefined);
  if (saved) return ComputerGame.resume(saved);
  const query = new URLSearchParams(location.search);
  const level = Number(query.get("level"));
  return ComputerGame.begin({
    ...(await requestedGame()),
    side: requestedSide(query.get("side")),
    level: level >= 1 && level <= MOST_LEVEL ? Math.floor(level) : lastLevel(),
  });
}

await showLocalGame(open);
