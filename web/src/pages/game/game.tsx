// The page of a game at the server: against the computer, with a friend, or as a spectator.

import { render } from "preact";
import { useState } from "preact/hooks";
import { pageAddress } from "../../addresses.ts";
import { classOf, showClassOf } from "../../classroom_of_game.ts";
import { Continuation } from "../../game/continuation.tsx";
import { dateOf } from "../../game/replay_link.ts";
import { Invitation, InvitationCard, inviteLink } from "../../game/invitation.tsx";
import { GamePage } from "../../game/page.tsx";
import { fetchGame, RemoteGame } from "../../game/remote_game.ts";
import { playerOf } from "../../game/remote_snapshot.ts";
import { seenGame } from "../../game/seen_games.ts";
import { ShareDialog } from "../../game/share_dialog.tsx";
import { type ActionName, useSnapshot } from "../../game/source.ts";
import { failureText, postJson } from "../../http.ts";
import { inviteOf } from "../../invites.ts";
import type { GameView } from "../../messages.ts";
import { DEFAULT_LEVEL } from "../../new_game.ts";
import { t } from "../../texts.ts";
import { showErrorPage } from "../../ui/error_page.tsx";
import { renderInPlace } from "../../ui/render.ts";
import { variantFacts } from "../../variant_facts.ts";
import { gameTitle } from "../../variants.ts";
import { notePlaying } from "../../your_turn.ts";

const place = document.getElementById("main") as HTMLElement;
const look = place.className;
// A page that is kept for use offline is that of no game in particular.
const id = location.pathname.split("/").at(-1) ?? "";
/** The secret of the seat in the address with which the page was opened. */
const brought = location.hash.slice(1);
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href$="/game/any"]')) {
  link.href = link.href.replace(/any$/, id);
}

function Game({ source }: { readonly source: RemoteGame }) {
  const snapshot = useSnapshot(source);
  const [sharedPly, setSharedPly] = useState<number | null>(null);
  const { view, setup, facts } = source;
  const leg = view.legs[(snapshot.legs?.shown ?? 1) - 1];
  const mine = (["attackers", "defenders"] as const).filter((side) => view.you.includes(playerOf(side, leg, view.created)));
  const side = (mine.length === 1 && mine[0]) || null;
  const canGoOn = !["over", "aborted"].includes(view.status) || "rematch" in view.offers;
  const invite = inviteOf(id);
  const leave = (name: ActionName) => {
    const path = name === "to_rematch" ? `game/${view.rematch}` : name === "to_people" ? "people" : "new";
    location.assign((name === "to_class" && classOf(id)) || pageAddress(path));
  };
  const waiting =
    view.status === "waiting" && view.you.length > 0 ? (
      <Invitation link={invite && inviteLink(id, invite)} view={view} />
    ) : (
      <Seatless view={view} />
    );
  return (
    <>
      <GamePage
        source={source}
        leave={leave}
        waiting={waiting}
        opened={numberIn("ply")}
        {...(view.legs.length > 0 ? { share: setSharedPly } : {})}
        setup={setup}
        after={(shown, at) => (
          <>
            <Continuation snapshot={shown} setup={setup} game={id} date={dateOf(leg?.plies[0]?.t_ms ?? view.now_ms)} at={at} side={side} level={view.created.level ?? DEFAULT_LEVEL} />
            {view.seed && <LotProof view={view} />}
          </>
        )}
      />
      <ShareDialog
        isOpen={sharedPly !== null}
        close={() => setSharedPly(null)}
        game={id}
        title={gameTitle(facts)}
        leg={leg?.number ?? 1}
        at={sharedPly ?? 0}
        hasSeat={view.you.length > 0 && canGoOn}
      />
    </>
  );
}

/** Says that one watches; to somebody who came to play, and has no seat, how to get one. */
function Seatless({ view }: { readonly view: GameView }) {
  const { status, you, created } = view;
  if (you.length > 0) return null;
  if (isOffered(view)) {
    return (
      <div class="notice">
        {t("web.seatless.free")}
        <div class="buttons">
          <button type="button" class="main" onClick={() => location.reload()}>
            {t("web.seatless.take")}
          </button>
        </div>
      </div>
    );
  }
  const isGuest = created.level === null && (brought || !created.open) && !classOf(id);
  const key = status === "playing" ? (isGuest ? "taken" : "watching") : isGuest && !brought && status === "waiting" && status;
  return key ? <p class="notice">{t(`web.seatless.${key}`)}</p> : null;
}

/** Checks whether the user may take the free seat. */
function isOffered({ status, you, created }: GameView): boolean {
  return status === "waiting" && you.length === 0 && (created.open || location.hash.length > 1);
}

/** Shows the seed of the lot, so that the players can check how the sides were drawn. */
function LotProof({ view }: { readonly view: GameView }) {
  return (
    <details class="lots">
      <summary>{t("web.lots")}</summary>
      <p>{t("web.lots.check")}</p>
      <p>
        <code>{view.created.lot}</code> = SHA-256(<code>{view.seed}</code>)
      </p>
    </details>
  );
}

/** Returns a number from the query of the address, or null. */
function numberIn(name: string): number | null {
  const text = new URLSearchParams(location.search).get(name) ?? "";
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}

async function show(view: GameView): Promise<void> {
  const secret = location.hash.slice(1);
  const own = inviteOf(id);
  // The address that its creator copies from the browser invites, as long as the seat is free.
  if (view.status === "waiting" && view.you.length > 0 && own) history.replaceState(null, "", `#${own}`);
  if (isOffered(view)) {
    const facts = await variantFacts(view.created.variant, view.created);
    const takeSeat = (name: string) => accept(secret, name);
    renderInPlace(place, <InvitationCard view={view} facts={facts} accept={takeSeat} watch={() => void open(view)} />);
    return;
  }
  await open(view);
}

async function open(view: GameView): Promise<void> {
  showGame(await RemoteGame.open(view, numberIn("leg")));
}

/** Shows the game as it was seen last; it goes on by itself. Returns whether it was seen before. */
async function openSeen(): Promise<boolean> {
  const seen = seenGame(id);
  if (seen) showGame(await RemoteGame.openSeen(seen, numberIn("leg")));
  return seen !== null;
}

function showGame(source: RemoteGame): void {
  let known = source.view.rematch;
  noteState(source.view);
  source.subscribe(() => {
    noteState(source.view);
    const next = source.view.rematch;
    if (!next || next === known) return;
    // Players who are here when the rematch begins go there, once. Those who come later came for this game.
    known = next;
    if (source.view.you.length > 0) location.assign(pageAddress(`game/${next}`));
  });
  render(null, place);
  renderInPlace(place, <Game source={source} />);
}

/** Notes for the badge of other pages whether the game goes on, and takes the used secret out of the address. */
function noteState({ status, you }: GameView): void {
  if (status !== "waiting" && location.hash) history.replaceState(null, "", location.pathname + location.search);
  if (you.length > 0) notePlaying(id, status !== "over" && status !== "aborted");
}

/** Takes the free seat; shows the game if it is not free any more. Returns the reason if neither is possible. */
async function accept(invite: string, name: string): Promise<string | null> {
  try {
    await show(await postJson(`/api/games/${id}/join`, invite ? { invite, name } : { name }));
  } catch (error) {
    const view = await fetchGame(id).catch(() => null);
    if (!view || view.status === "waiting") return failureText(error);
    await show(view);
  }
  return null;
}

/** Shows the game; while the server cannot be reached as it was seen last, or why there is none until the connection is back. */
async function begin(): Promise<void> {
  try {
    const view = await fetchGame(id);
    place.className = look;
    await show(view);
  } catch (error) {
    // `fetch` rejects with a TypeError if the server cannot be reached.
    const isLost = error instanceof TypeError;
    if (isLost && (await openSeen())) return;
    showErrorPage(place, failureText(error));
    // The page does not load itself again: that could win against the way to another page.
    if (isLost) addEventListener("online", begin, { once: true });
  }
}

await begin();
showClassOf(id);
