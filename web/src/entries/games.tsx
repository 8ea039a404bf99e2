// The games of this browser: those at the server with whose turn it is, and those at this device.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { deleteGame, type SavedGame, savedGames } from "../game/saved_games.ts";
import { failureText, getJson } from "../http.ts";
import type { OwnGame, OwnGames, SetAsideGame } from "../messages.ts";
import type { Outcome } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";
import { outcomeText } from "../ui/outcome.ts";
import { pageVariants } from "../variants.ts";

const MINUTE = 60_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 1440 * MINUTE],
  ["hour", 60 * MINUTE],
  ["minute", MINUTE],
];

/** Formats a time in the past: "3 hours ago", "just now". */
function agoText(ms: number): string {
  const elapsed = Math.max(0, Date.now() - ms);
  const [unit, length] = UNITS.find(([, least]) => elapsed >= least) ?? ["minute", 0];
  if (length === 0) return t("web.games.just_now");
  return new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" }).format(-Math.floor(elapsed / length), unit);
}

function gameName(variant: string): string {
  return pageVariants()[variant]?.name ?? variant;
}

function opponentOf({ level, names, you, opponent }: OwnGame | SetAsideGame): string {
  if (level) return t("web.computer", { level });
  if (opponent === "same_device") return t("page.table.title");
  const other = names.find((_, player) => !you.includes(player));
  return other || t(other === null ? "web.nobody" : "web.guest");
}

function stateText({ status, mover, you, outcome }: OwnGame): string {
  if (outcome && status === "over") return outcomeText(outcome as Outcome);
  if (status !== "playing") return t(`web.games.${status}`);
  return t(mover !== null && you.includes(mover) ? "page.home.turn" : "web.games.theirs");
}

function ServerGame({ game }: { readonly game: OwnGame }) {
  const isYours = game.status === "playing" && game.mover !== null && game.you.includes(game.mover);
  return (
    <li class={isYours ? "yours" : ""}>
      <a href={`/${LANGUAGE}/game/${game.game}`}>{gameName(game.variant)}</a>
      <span>{opponentOf(game)}</span>
      <b>{stateText(game)}</b>
      <time dateTime={new Date(game.changed_ms).toISOString()}>{agoText(game.changed_ms)}</time>
    </li>
  );
}

/** A damaged game: it cannot be opened, so it is no link. */
function DamagedGame({ game }: { readonly game: SetAsideGame }) {
  const { variant } = game;
  return (
    <li class="damaged">
      <strong>{variant === null ? t("web.games.unknown") : gameName(variant)}</strong>
      <span>{variant !== null && opponentOf(game)}</span>
      <b>{t("web.games.damaged")}</b>
      <time dateTime={new Date(game.changed_ms).toISOString()}>{agoText(game.changed_ms)}</time>
      <p>{t("error.damaged_game", { game: game.game })}</p>
    </li>
  );
}

function LocalGame({ game, remove }: { readonly game: SavedGame; readonly remove: () => void }) {
  const played = game.legs.at(-1)?.played.length ?? 0;
  return (
    <li>
      <a href={`/${LANGUAGE}/table#${game.id}`}>{game.facts.name}</a>
      <span>{t("page.table.title")}</span>
      <b>{plural("web.games.moves", played)}</b>
      <time dateTime={new Date(game.at).toISOString()}>{agoText(game.at)}</time>
      <button type="button" onClick={remove}>
        {t("web.games.forget")}
      </button>
    </li>
  );
}

function Games() {
  const [remote, setRemote] = useState<OwnGames | null>(null);
  const [local, setLocal] = useState(savedGames);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    getJson<OwnGames>("/api/games").then(setRemote, (error: unknown) => setFailure(failureText(error)));
  }, []);
  const remove = (id: string) => {
    deleteGame(id);
    setLocal(savedGames());
  };
  if (remote === null && failure === null) return <p class="waiting">{t("web.games.loading")}</p>;
  const { games = [], set_aside: damaged = [] } = remote ?? {};
  return (
    <>
      {failure && <p role="status">{failure}</p>}
      {local.length + games.length + damaged.length === 0 && <p>{t("web.games.none")}</p>}
      <ul class="game-list">
        {games.map((game) => <ServerGame key={game.game} game={game} />)}
        {damaged.map((game) => <DamagedGame key={game.game} game={game} />)}
        {local.map((game) => <LocalGame key={game.id} game={game} remove={() => remove(game.id)} />)}
      </ul>
    </>
  );
}

const place = document.querySelector<HTMLElement>("[data-games]");
if (place) render(<Games />, place);
