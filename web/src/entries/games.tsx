// The games of this browser: those at the server, whose turn it is and since when, and those on this device.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { outcomeText } from "../game/callout.tsx";
import { knownGames } from "../game/facts.ts";
import { forget, keptGames, type KeptGame } from "../game/shelf.ts";
import type { OwnGame, OwnGames } from "../messages.ts";
import type { Outcome } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";

const MINUTE = 60_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 1440 * MINUTE],
  ["hour", 60 * MINUTE],
  ["minute", MINUTE],
];

/** Says how long ago something was: "3 hours ago". */
function ago(ms: number): string {
  const gone = Math.max(0, Date.now() - ms);
  const [unit, length] = UNITS.find(([, least]) => gone >= least) ?? ["minute", MINUTE];
  return new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" }).format(-Math.floor(gone / length), unit);
}

function gameName(variant: string): string {
  return knownGames()[variant]?.name ?? variant;
}

function opponentOf({ level, names, you, opponent }: OwnGame): string {
  if (level) return t("web.computer", { level });
  if (opponent === "same_device") return t("page.table.title");
  const other = names.find((_, player) => !you.includes(player));
  return other || t(other === null ? "web.nobody" : "web.guest");
}

function standing({ status, mover, you, outcome }: OwnGame): string {
  if (outcome && status === "over") return outcomeText(outcome as Outcome);
  if (status !== "playing") return t(`web.games.${status}`);
  return t(mover !== null && you.includes(mover) ? "page.home.turn" : "web.games.theirs");
}

function Remote({ game }: { readonly game: OwnGame }) {
  const isYours = game.status === "playing" && game.mover !== null && game.you.includes(game.mover);
  return (
    <li class={isYours ? "yours" : ""}>
      <a href={`/${LANGUAGE}/game/${game.game}`}>{gameName(game.variant)}</a>
      <span>{opponentOf(game)}</span>
      <b>{standing(game)}</b>
      <time dateTime={new Date(game.changed_ms).toISOString()}>{ago(game.changed_ms)}</time>
    </li>
  );
}

function Local({ game, drop }: { readonly game: KeptGame; readonly drop: () => void }) {
  const played = game.legs.at(-1)?.played.length ?? 0;
  return (
    <li>
      <a href={`/${LANGUAGE}/table#${game.id}`}>{game.facts.name}</a>
      <span>{t("page.table.title")}</span>
      <b>{plural("web.games.moves", played)}</b>
      <time dateTime={new Date(game.at).toISOString()}>{ago(game.at)}</time>
      <button type="button" onClick={drop}>
        {t("web.games.forget")}
      </button>
    </li>
  );
}

function Games() {
  const [remote, setRemote] = useState<readonly OwnGame[] | null>(null);
  const [local, setLocal] = useState(keptGames);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    fetch("/api/games")
      .then((response) => response.json() as Promise<OwnGames>)
      .then(({ games }) => setRemote(games))
      .catch(() => setLost(true));
  }, []);
  const drop = (id: string) => {
    forget(id);
    setLocal(keptGames());
  };
  if (remote === null && !isLost) return <p class="waiting">{t("web.games.loading")}</p>;
  return (
    <>
      {isLost && <p role="status">{t("web.no_connection")}</p>}
      {local.length + (remote?.length ?? 0) === 0 && <p>{t("web.games.none")}</p>}
      <ul class="own-games">
        {remote?.map((game) => <Remote key={game.game} game={game} />)}
        {local.map((game) => <Local key={game.id} game={game} drop={() => drop(game.id)} />)}
      </ul>
    </>
  );
}

const place = document.querySelector<HTMLElement>("[data-games]");
if (place) render(<Games />, place);
