// A game embedded in another site: it can be watched and stepped through, but not played.

import { useState } from "preact/hooks";
import { announcementAt } from "../../game/announcement.tsx";
import { GameBoard } from "../../game/board.tsx";
import { fetchGame, RemoteGame } from "../../game/remote_game.ts";
import { useSnapshot } from "../../game/source.ts";
import { failureText } from "../../http.ts";
import { LANGUAGE, t } from "../../texts.ts";
import { renderInPlace } from "../../ui/render.ts";
import { readSettings } from "../../ui/settings.ts";
import { StepButtons, stepTargets } from "../../ui/step_buttons.tsx";
import { gameTitle } from "../../variants.ts";

const place = document.getElementById("main") as HTMLElement;
const id = place.dataset["game"] ?? "";
const query = new URLSearchParams(location.search);

function EmbeddedGame({ source, opened }: { readonly source: RemoteGame; readonly opened: number | null }) {
  const snapshot = useSnapshot(source);
  const [viewed, setViewed] = useState(opened);
  const last = snapshot.line.games.length - 1;
  const at = Math.min(viewed ?? last, last);
  const announcement = announcementAt(snapshot, at);
  const { attackers, defenders } = snapshot.seats;
  return (
    <>
      <h1>
        {gameTitle(snapshot.facts)} <span>{attackers.name} – {defenders.name}</span>
      </h1>
      <GameBoard
        snapshot={{ ...snapshot, movable: "none" }}
        at={at}
        settings={{ ...readSettings(), sounds: false }}
        isFlipped={false}
        move={() => null}
        refused={() => undefined}
        announced={[announcement?.title, announcement?.words]}
      />
      <StepButtons at={at} targets={stepTargets(at, last)} go={(to) => setViewed(to >= last ? null : Math.max(0, to))}>
        <a class="open" href={`/${LANGUAGE}/game/${id}?leg=${snapshot.legs?.shown ?? 1}&ply=${at}`} target="_blank" rel="noopener">
          {t("web.embed.open")}
        </a>
      </StepButtons>
      <p class="announcement">
        {announcement ? `${announcement.title} ${announcement.words}` : " "}
      </p>
    </>
  );
}

try {
  // Players of the game are spectators here, too.
  const view = { ...(await fetchGame(id)), you: [] };
  const number = (name: string) => (/^\d{1,4}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : null);
  const source = await RemoteGame.open(view, number("leg"));
  renderInPlace(place, <EmbeddedGame source={source} opened={number("ply")} />);
} catch (error) {
  place.textContent = failureText(error);
}
