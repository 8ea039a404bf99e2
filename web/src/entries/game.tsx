// A game at the server: with the computer, with a friend far away, or to look on.

import { render } from "preact";
import { type GameFacts, knownGames } from "../game/facts.ts";
import { Card, Invitation, inviteLink } from "../game/inviting.tsx";
import { inviteOf } from "../game/invites.ts";
import { GamePage } from "../game/page.tsx";
import { RemoteGame } from "../game/remote.ts";
import type { Failure, GameView, LinkMade } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";

const place = document.getElementById("main") as HTMLElement;
const id = place.dataset["game"] ?? "";

const SEAT = "seat=";

async function ask<T>(address: string, body?: object): Promise<T> {
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(address, body ? sent : {});
  if (!response.ok) throw new Error(((await response.json()) as Partial<Failure>).message ?? t("web.rejected"));
  return (await response.json()) as T;
}

/** The variant as it is played in a game; with switches its rules come from the server. */
async function factsOf({ created }: GameView): Promise<GameFacts> {
  const known = knownGames()[created.variant];
  if (known && Object.keys(created.switches).length === 0) return known;
  const rules = Object.entries(created.switches).map(([key, value]) => [`rule.${key}`, value]);
  return ask(`/${LANGUAGE}/facts?${new URLSearchParams([["variant", created.variant], ...rules])}`);
}

async function show(view: GameView): Promise<void> {
  const facts = await factsOf(view);
  const secret = location.hash.slice(1);
  if (view.status === "waiting" && view.you.length === 0 && secret) {
    render(<Card view={view} facts={facts} accept={() => accept(secret)} />, place);
    return;
  }
  const source = await RemoteGame.open(view, facts);
  const invite = inviteOf(id);
  const draw = () => {
    const { status, rematch } = source.view;
    if (rematch && source.view.you.length > 0) location.assign(`/${LANGUAGE}/game/${rematch}`);
    const waiting = status === "waiting" && <Invitation link={invite && inviteLink(id, invite)} />;
    const leave = () => location.assign(place.dataset["new"] ?? "/");
    const seat = source.view.you.length > 0 ? carry : undefined;
    render(<GamePage source={source} leave={leave} waiting={waiting} carry={seat} />, place);
  };
  source.subscribe(draw);
  place.replaceChildren();
  draw();
}

/** Gives the link that carries the own seat to another device. */
async function carry(): Promise<string> {
  const { secret } = await ask<LinkMade>(`/api/games/${id}/links`, {});
  return `${location.origin}/game/${id}#${SEAT}${secret}`;
}

/** The game, with the seat that the address carries if it carries one. */
async function open(): Promise<GameView> {
  const secret = location.hash.slice(1);
  if (!secret.startsWith(SEAT)) return ask(`/api/games/${id}`);
  const view = await ask<GameView>("/api/links", { secret: secret.slice(SEAT.length) });
  history.replaceState(null, "", location.pathname);
  return view;
}

/** Takes the free seat; gives what is wrong if that cannot be. */
async function accept(invite: string): Promise<string | null> {
  try {
    const view = await ask<GameView>(`/api/games/${id}/join`, { invite });
    history.replaceState(null, "", location.pathname);
    render(null, place);
    await show(view);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

try {
  await show(await open());
} catch (error) {
  place.textContent = error instanceof TypeError ? t("web.no_connection") : (error as Error).message;
  place.className = "plain";
}
