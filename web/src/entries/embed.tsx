// A game in a frame on somebody else's page: to be looked at, followed and stepped through, not to be played.

import { render } from "preact";
import { useState } from "preact/hooks";
import { Board } from "../game/board.tsx";
import { sayingAt } from "../game/callout.tsx";
import { factsOf, viewOf } from "../game/fetching.ts";
import { readSettings, useTable } from "../game/hooks.ts";
import { Steps, waysAlong } from "../game/steps.tsx";
import { RemoteGame } from "../game/remote.ts";
import { LANGUAGE, t } from "../texts.ts";

const place = document.getElementById("main") as HTMLElement;
const id = place.dataset["game"] ?? "";
const query = new URLSearchParams(location.search);

function Frame({ source, opened }: { readonly source: RemoteGame; readonly opened: number | null }) {
  const table = useTable(source);
  const [viewed, setViewed] = useState(opened);
  if (!table) return null;
  const last = table.line.games.length - 1;
  const at = Math.min(viewed ?? last, last);
  const saying = sayingAt(table, at);
  const { attackers, defenders } = table.seats;
  return (
    <>
      <h1>
        {table.facts.name} <span>{attackers.name} – {defenders.name}</span>
      </h1>
      <Board
        table={{ ...table, movable: "none" }}
        at={at}
        settings={{ ...readSettings(), sounds: false }}
        isFlipped={false}
        move={() => null}
        refused={() => undefined}
        saying={saying?.title ?? null}
      />
      <Steps at={at} ways={waysAlong(at, last)} go={(to) => setViewed(to >= last ? null : Math.max(0, to))}>
        <a class="open" href={`/${LANGUAGE}/game/${id}?leg=${table.legs?.shown ?? 1}&ply=${at}`} target="_blank" rel="noopener">
          {t("web.embed.open")}
        </a>
      </Steps>
      <p class="said" role="status">
        {saying ? `${saying.title} ${saying.words}` : " "}
      </p>
    </>
  );
}

try {
  // Whoever has a seat in the game looks on here like anybody else.
  const view = { ...(await viewOf(id)), you: [] };
  const number = (name: string) => (/^\d{1,4}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : null);
  const source = await RemoteGame.open(view, await factsOf(view), number("leg"));
  place.replaceChildren();
  render(<Frame source={source} opened={number("ply")} />, place);
} catch (error) {
  place.textContent = error instanceof TypeError ? t("web.no_connection") : (error as Error).message;
}
