// A game at the server: with the computer, with a friend far away, or to look on.

import { render } from "preact";
import { useState } from "preact/hooks";
import { factsOf, viewOf } from "../game/fetching.ts";
import type { GameFacts } from "../game/facts.ts";
import { useTable } from "../game/hooks.ts";
import { Card, Invitation, inviteLink } from "../game/inviting.tsx";
import { inviteOf } from "../game/invites.ts";
import { Onward } from "../game/onward.tsx";
import { GamePage } from "../game/page.tsx";
import { showPlain } from "../game/plain.tsx";
import { RemoteGame } from "../game/remote.ts";
import { Review } from "../game/review.tsx";
import { SharingDialog } from "../game/sharing.tsx";
import type { ActionName } from "../game/source.ts";
import { playerOf } from "../game/standing.ts";
import type { Failure, GameView } from "../messages.ts";
import type { Side } from "../rules.ts";
import { LANGUAGE, t } from "../texts.ts";

const USUAL_LEVEL = 3;
const place = document.getElementById("main") as HTMLElement;
const id = place.dataset["game"] ?? "";

interface Props {
  readonly source: RemoteGame;
  readonly facts: GameFacts;
  readonly opened: number | null;
}

function Game({ source, facts, opened }: Props) {
  useTable(source);
  const [shared, setShared] = useState<number | null>(null);
  const { view } = source;
  const { variant, switches, start } = view.created;
  const ground = { variant, switches, start };
  const leg = view.legs[(source.table?.legs?.shown ?? 1) - 1];
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
        share={setShared}
        after={(table, at, go) => (
          <div class="after">
            <Review table={table} ground={ground} at={at} go={go} />
            <Onward table={table} ground={ground} at={at} side={side} level={view.created.level ?? USUAL_LEVEL} />
            {view.seed && <Lots view={view} />}
          </div>
        )}
      />
      <SharingDialog
        isOpen={shared !== null}
        close={() => setShared(null)}
        game={id}
        name={facts.name}
        leg={leg?.number ?? 1}
        at={shared ?? 0}
        hasSeat={view.you.length > 0}
      />
    </>
  );
}

/** The lots that were drawn, so that nobody has to believe it. */
function Lots({ view }: { readonly view: GameView }) {
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

/** A number that the address names; null if it names none. */
function numberIn(query: URLSearchParams, name: string): number | null {
  const found = query.get(name) ?? "";
  return /^\d{1,4}$/.test(found) ? Number(found) : null;
}

async function show(view: GameView): Promise<void> {
  const facts = await factsOf(view);
  const secret = location.hash.slice(1);
  if (view.status === "waiting" && view.you.length === 0 && secret) {
    place.replaceChildren();
    render(<Card view={view} facts={facts} accept={(name) => accept(secret, name)} watch={() => void open(view, facts)} />, place);
    return;
  }
  await open(view, facts);
}

async function open(view: GameView, facts: GameFacts): Promise<void> {
  const query = new URLSearchParams(location.search);
  const source = await RemoteGame.open(view, facts, numberIn(query, "leg"));
  let known = view.rematch;
  source.subscribe(() => {
    const next = source.view.rematch;
    if (!next || next === known) return;
    // Who was here when the next game began goes there with the other, once; who comes later or back came for this one.
    known = next;
    if (source.view.you.length > 0) location.assign(`/${LANGUAGE}/game/${next}`);
  });
  render(null, place);
  place.replaceChildren();
  render(<Game source={source} facts={facts} opened={numberIn(query, "ply")} />, place);
}

/** Takes the free seat; gives what is wrong if that cannot be. */
async function accept(invite: string, name: string): Promise<string | null> {
  const response = await fetch(`/api/games/${id}/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ invite, name }),
  }).catch(() => null);
  if (!response) return t("web.no_connection");
  if (!response.ok) return ((await response.json()) as Partial<Failure>).message ?? t("web.rejected");
  history.replaceState(null, "", location.pathname);
  await show((await response.json()) as GameView);
  return null;
}

try {
  await show(await viewOf(id));
} catch (error) {
  showPlain(place, error instanceof TypeError ? t("web.no_connection") : (error as Error).message);
}
