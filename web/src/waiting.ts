// Challenges that were posted in this browser and wait for somebody to sit down; every page knocks.

import { pageAddress } from "./addresses.ts";
import { getJson, postJson } from "./http.ts";
import type { Acted, PeopleView } from "./messages.ts";
import { store, stored } from "./storage.ts";
import { t } from "./texts.ts";
import { countInTitle, notePlaying, ownGames } from "./your_turn.ts";

const WAITING = "hnefi.waiting";
const REPEAT_MS = 5_000;

interface Taken {
  readonly game: string;
  /** The name of whoever sat down; null for a guest. */
  readonly name: string | null;
}

/** The connection by which the server knows that a page is open, also where timers of hidden pages are slow. */
let presence: WebSocket | null = null;

/** Pages of this browser: the first one that learns of it tells the others. */
const pages = new BroadcastChannel("hnefi.knock");

/** Returns the games of challenges that wait. */
export function waitingGames(): readonly string[] {
  return stored<string[]>(WAITING, []);
}

export function rememberWaiting(game: string): void {
  store(WAITING, [...new Set([...waitingGames(), game])]);
  // Somebody may have sat down when the next page is opened.
  notePlaying(game, true);
}

function forget(game: string): void {
  store(WAITING, waitingGames().filter((one) => one !== game));
}

/** Cancels a challenge of one's own. Rejects if somebody has taken it meanwhile. */
export async function cancelChallenge(game: string): Promise<void> {
  await postJson<Acted>(`/api/games/${game}/commands`, { id: `cancel-${game}`, seq: 1, do: "abort" });
  forget(game);
}

/** Stays connected while challenges of this browser wait: quick pairing ends with its last page. */
export function stayPresent(): void {
  const [game] = waitingGames();
  if (!game) {
    presence?.close();
    presence = null;
  } else if (!presence || presence.readyState > WebSocket.OPEN) {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws?game=${game}`);
    socket.addEventListener("open", () => socket.send(JSON.stringify({ type: "hello", v: 1, game, since: null })));
    presence = socket;
  }
}

/** Looks whether somebody has taken a challenge that is not listed any more, and says so. */
export async function lookFor(listed: readonly { readonly game: string }[]): Promise<void> {
  const open = new Set(listed.map(({ game }) => game));
  if (waitingGames().every((one) => open.has(one))) return;
  // One that was deleted is missing in the list of one's games; asked for by itself, it would be an error of the page.
  const own = await ownGames().catch(() => null);
  for (const game of own ? waitingGames().filter((one) => !open.has(one)) : []) {
    forget(game);
    // It has expired if it waits without being listed.
    const found = own?.games.find((one) => one.game === game);
    if (found?.status !== "playing") continue;
    const taken = { game, name: found.names.find((_, seat) => !found.you.includes(seat)) || null };
    pages.postMessage(taken);
    if (isElsewhere(game)) void knock(taken, true);
  }
}

function isElsewhere(game: string): boolean {
  return !location.pathname.endsWith(`/${game}`);
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, properties: Partial<HTMLElementTagNameMap[Name]>): HTMLElement {
  return Object.assign(document.createElement(name), properties);
}

/** Shows that somebody has sat down: over the page, in the title of its tab, and by a sound on one of the pages. */
async function knock({ game, name }: Taken, isHeard: boolean): Promise<void> {
  countInTitle("taken", 1);
  const place = element("div", { className: "row knock cloth", role: "alert" });
  const words = element("p", { textContent: name ? t("web.knock.name", { name }) : t("web.knock") });
  const link = element("a", { className: "button", href: pageAddress(`game/${game}`), textContent: t("web.knock.play") });
  const close = element("button", { type: "button", className: "quiet", textContent: t("web.close") });
  close.addEventListener("click", () => {
    place.remove();
    countInTitle("taken", 0);
  });
  place.append(words, link, close);
  document.querySelector(".knock")?.remove();
  document.body.append(place);
  // It may be one's turn there.
  void ownGames().catch(() => undefined);
  if (!isHeard) return;
  const { Sounds } = await import("./sounds.ts");
  new Sounds().play("knock");
}

/** Knocks on this page when another one learns of it. */
export function listenForKnocks(): void {
  // A listener that is added again is not called twice.
  pages.addEventListener("message", hear);
}

function hear({ data }: MessageEvent<Taken>): void {
  if (isElsewhere(data.game)) void knock(data, false);
}

/** Knocks on this page as long as challenges of this browser wait. */
export function knockWhenTaken(): void {
  listenForKnocks();
  const look = async () => {
    stayPresent();
    if (waitingGames().length === 0) return;
    const people = await getJson<PeopleView>("/api/people").catch(() => null);
    if (people) await lookFor(people.challenges);
    setTimeout(() => void look(), REPEAT_MS);
  };
  void look();
}
