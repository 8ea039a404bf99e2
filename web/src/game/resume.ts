// A game to go on with, in the coach's place on the home page: one at the server where it is your turn, or a saved one.

import { pageAddress } from "../addresses.ts";
import { savedGames } from "./saved_games.ts";
import { plural, t } from "../texts.ts";
import { numbersOf } from "../ui/move_numbers.ts";
import { gamesGoingOn, isYourTurn, mayBePlaying } from "../your_turn.ts";

interface Resumable {
  readonly title: string;
  readonly text: string;
  readonly address: string;
}

/** Returns the games at the server that wait for a move of this player. */
async function yourTurn(): Promise<Resumable | null> {
  const waiting = (await gamesGoingOn().catch(() => [])).filter(isYourTurn);
  const [first] = waiting;
  if (!first) return null;
  return {
    title: t("page.home.resume.yours"),
    text: plural("page.home.resume.games", waiting.length),
    address: waiting.length === 1 ? `game/${first.game}` : "games",
  };
}

/** Returns the latest game of this browser that is not over. */
function leftOff(): Resumable | null {
  const game = savedGames().find(({ outcome }) => !outcome);
  if (!game) return null;
  const moves = plural("web.games.moves", numbersOf(game.legs.at(-1)?.played.length ?? 0));
  const page = game.computer ? "computer" : "table";
  return { title: t("page.home.resume"), text: `${game.facts.name} · ${moves}`, address: `${page}#${game.id}` };
}

interface Places {
  readonly coach: HTMLElement;
  readonly panel: HTMLElement;
  readonly board: HTMLElement;
  /** The button for a new game: it is not the main one while the panel is shown, whose button is. */
  readonly begin: HTMLElement;
}

/** Shows the panel in place of the coach, until the user plays on the board. */
export async function offerResuming({ coach, panel, board, begin }: Places): Promise<void> {
  let isPlaying = false;
  const show = (isShown: boolean) => {
    panel.hidden = !isShown;
    coach.hidden = isShown;
    begin.classList.toggle("main", !isShown);
  };
  board.addEventListener("click", () => {
    isPlaying = true;
    show(false);
  }, { once: true });
  // A game at the server comes first: somebody waits there.
  const found = (mayBePlaying() ? await yourTurn() : null) ?? leftOff();
  if (!found || isPlaying) return;
  const [title, text] = panel.querySelectorAll("h2, p");
  const link = panel.querySelector("a");
  if (!title || !text || !link) return;
  title.textContent = found.title;
  text.textContent = found.text;
  link.href = pageAddress(found.address);
  show(true);
}
