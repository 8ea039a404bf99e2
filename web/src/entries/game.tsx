// The page of a game at the server: against the computer, with a friend, or as a spectator.

import { render } from "preact";
import { useState } from "preact/hooks";
import { Continuation } from "../game/continuation.tsx";
import { Invitation, InvitationCard, inviteLink } from "../game/invitation.tsx";
import { GamePage } from "../game/page.tsx";
import { fetchGame, RemoteGame } from "../game/remote_game.ts";
import { playerOf } from "../game/remote_snapshot.ts";
import { Review } from "../game/review.tsx";
import { ShareDialog } from "../game/share_dialog.tsx";
import { type ActionName, useSnapshot } from "../game/source.ts";
import { failureText, postJson } from "../http.ts";
import { inviteOf } from "../invites.ts";
import type { GameView } from "../messages.ts";
import type { Side } from "../rules.ts";
import { LANGUAGE, t } from "../texts.ts";
import { showErrorPage } from "../ui/error_page.tsx";
import { variantFacts } from "../variants.ts";

const DEFAULT_LEVEL = 3;
const place = document.getElementById("main") as HTMLElement;
const id = place.dataset["game"] ?? "";

interface Props {
  readonly source: RemoteGame;
  /** The ply that is shown first. */
  readonly opened: number | null;
}

function Game({ source, opened }: Props) {
  const snapshot = useSnapshot(source);
  const [sharedPly, setSharedPly] = useState<number | null>(null);
  const { view, setup, facts } = source;
  const leg = view.legs[(snapshot?.legs?.shown ?? 1) - 1];
  const mine = (["attackers", "defenders"] as const).filter((side) => view.you.includes(playerOf(side, leg)));
  const side: Side | null = mine.length === 1 ? (mine[0] ?? null) : null;
  const invite = inviteOf(id);
  const leave = (name: ActionName) =>
    location.assign(name === "to_rematch" ? `/${LANGUAGE}/game/${view.rematch}` : (place.dataset["new"] ?? "/"));
  const waiting = view.status === "waiting" && view.you.length > 0 && (
    <Invitation link={invite && inviteLink(id, invite)} />
  );
  return (
    <>
      <GamePage
        source={source}
        leave={leave}
        waiting={waiting}
        opened={opened}
        share={setSharedPly}
        after={(shown, at, go) => (
          <div class="after-game">
            <Review snapshot={shown} setup={setup} at={at} go={go} />
            <Continuation snapshot={shown} setup={setup} at={at} side={side} level={view.created.level ?? DEFAULT_LEVEL} />
            {view.seed && <LotProof view={view} />}
          </div>
        )}
      />
      <ShareDialog
        isOpen={sharedPly !== null}
        close={() => setSharedPly(null)}
        game={id}
        name={facts.name}
        leg={leg?.number ?? 1}
        at={sharedPly ?? 0}
        hasSeat={view.you.length > 0}
      />
    </>
  );
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

/** Returns a number from the query, or null. */
function numberIn(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? "";
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}

async function show(view: GameView): Promise<void> {
  const secret = location.hash.slice(1);
  if (view.status === "waiting" && view.you.length === 0 && secret) {
    const facts = await variantFacts(view.created.variant, view.created.switches);
    const takeSeat = (name: string) => accept(secret, name);
    place.replaceChildren();
    render(<InvitationCard view={view} facts={facts} accept={takeSeat} watch={() => void open(view)} />, place);
    return;
  }
  await open(view);
}

async function open(view: GameView): Promise<void> {
  const query = new URLSearchParams(location.search);
  const source = await RemoteGame.open(view, numberIn(query, "leg"));
  let known = view.rematch;
  source.subscribe(() => {
    const next = source.view.rematch;
    if (!next || next === known) return;
    // Players who are here when the rematch begins go there, once. Those who come later came for this game.
    known = next;
    if (source.view.you.length > 0) location.assign(`/${LANGUAGE}/game/${next}`);
  });
  render(null, place);
  place.replaceChildren();
  render(<Game source={source} opened={numberIn(query, "ply")} />, place);
}

/** Takes the free seat. Returns the reason if that fails. */
async function accept(invite: string, name: string): Promise<string | null> {
  try {
    const view = await postJson<GameView>(`/api/games/${id}/join`, { invite, name });
    history.replaceState(null, "", location.pathname);
    await show(view);
    return null;
  } catch (error) {
    return failureText(error);
  }
}

try {
  await show(await fetchGame(id));
} catch (error) {
  showErrorPage(place, failureText(error));
}
