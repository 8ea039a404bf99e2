// The page of a game against the computer that this browser keeps and plays.

import { ComputerGame } from "../../game/computer_game.ts";
import { showLocalGame } from "../../game/local_page.tsx";
import { namedGame, requestedGame } from "../../game/requested_game.ts";
import { lastLevel } from "../../new_game.ts";
import type { Side } from "../../rules.ts";

const MOST_LEVEL = 10;

function requestedSide(asked: string | null): Side {
  if (asked === "lot") return Math.random() < 0.5 ? "attackers" : "defenders";
  return asked === "defenders" ? "defenders" : "attackers";
}

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
