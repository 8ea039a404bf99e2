// A game to go on with, on its board in place of the guided one: one at the server where it is your turn, or a saved one.

import { pageAddress } from "../addresses.ts";
import type { Shape } from "../board/types.ts";
import type { Side } from "../rules.ts";
import { sizeOf } from "../positions.ts";
import { savedGames, sideOfUser } from "./saved_games.ts";
import { computerName, plural, t } from "../texts.ts";
import { opponentOf } from "../ui/opponent.ts";
import { gameTitle } from "../variants.ts";
import { gamesGoingOn, isYourTurn, mayBePlaying } from "../your_turn.ts";

interface Resumable {
  readonly title: string;
  readonly facts: readonly string[];
  readonly address: string;
  readonly position: string;
  readonly shape: Shape;
  /** The side of the user; null for two at one device. */
  readonly side: Side | null;
}

/** Returns the first of the games at the server that wait for a move of this player. */
async function yourTurn(): Promise<Resumable | null> {
  const waiting = (await gamesGoingOn().catch(() => [])).filter(isYourTurn);
  const [first] = waiting;
  if (!first) return null;
  const { game, position, shape, attackers, you } = first;
  const side = you.length > 1 ? null : you[0] === attackers ? "attackers" : "defenders";
  const facts = [opponentOf(first), ...(waiting.length > 1 ? [plural("page.home.resume.games", waiting.length)] : [])];
  return { title: t("page.home.resume.yours"), facts, address: `game/${game}`, position, shape, side };
}

/** Returns the latest game of this browser that is not over. */
function leftOff(): Resumable | null {
  const game = savedGames().find(({ outcome, position }) => !outcome && position);
  if (!game?.position) return null;
  const { id, computer, facts, legs, position } = game;
  const turn: Side = position.split(" ")[1] === "a" ? "attackers" : "defenders";
  const side = computer ? sideOfUser(game) : null;
  const theirs = computer ? t("web.now.theirs", { name: computerName(computer.level) }) : t(`web.analysis.to_move.${turn}`);
  const moves = plural("web.games.moves", legs.at(-1)?.played.length ?? 0);
  return {
    title: t(turn === side ? "page.home.resume.yours" : "page.home.resume"),
    facts: [gameTitle(facts), moves, ...(turn === side ? [] : [theirs])],
    address: `${computer ? "computer" : "table"}#${id}`,
    position,
    shape: game.shape ?? { size: sizeOf(position) },
    side,
  };
}

/** Returns a board with the position, as the page of the game shows it. */
async function boardOf({ position, shape, side }: Resumable): Promise<HTMLElement> {
  const [{ applyLook, readSettings }] = await Promise.all([import("../ui/settings.ts"), import("../board/register.ts")]);
  const board = document.createElement("tafl-board");
  applyLook(board, readSettings());
  board.setAttribute("movable", "none");
  board.toggleAttribute("flip", side === "defenders");
  board.shape = shape;
  board.state = { position, turn: null };
  return board;
}

interface Places {
  readonly coach: HTMLElement;
  readonly panel: HTMLElement;
  readonly board: HTMLElement;
  /** The buttons for a new game: none is the main one while the panel is shown, whose button is. */
  readonly begin: readonly HTMLElement[];
}

/** Shows the game in place of the guided one, until the user asks for that. */
export async function offerResuming({ coach, panel, board, begin }: Places): Promise<void> {
  let isPlaying = false;
  board.addEventListener("click", () => (isPlaying = true), { once: true });
  // A game at the server comes first: somebody waits there.
  const found = (mayBePlaying() ? await yourTurn() : null) ?? leftOff();
  if (!found) return;
  const place = document.createElement("div");
  place.className = "board first-board";
  place.append(await boardOf(found));
  if (isPlaying) return;
  const [title, text] = panel.querySelectorAll("h2, p");
  const link = panel.querySelector("a") as HTMLAnchorElement;
  title?.replaceChildren(found.title);
  text?.replaceChildren(found.facts.join(" · "));
  link.href = pageAddress(found.address);
  place.onclick = () => link.click();
  const show = (isShown: boolean) => {
    for (const guided of [coach, board]) guided.hidden = isShown;
    panel.hidden = !isShown;
    for (const button of begin) button.classList.toggle("main", !isShown);
  };
  panel.querySelector("button")?.addEventListener("click", () => {
    place.remove();
    show(false);
    board.querySelector<HTMLElement>("[tabindex='0']")?.focus();
  });
  board.after(place);
  show(true);
}
