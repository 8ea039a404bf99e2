// The games of this browser: those at the server with whose turn it is, and those at this device.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { HAS_SERVER, pageAddress } from "../../addresses.ts";
import { deleteGame, type SavedGame, savedGames, sideOfUser } from "../../game/saved_games.ts";
import { seenGames } from "../../game/seen_games.ts";
import { failureText } from "../../http.ts";
import type { OwnGame, OwnGames, SetAsideGame } from "../../messages.ts";
import type { Outcome, Side } from "../../rules.ts";
import { computerName, plural, t } from "../../texts.ts";
import { agoText } from "../../ui/ago.ts";
import { GameTile, OwnGameTile } from "../../ui/game_tile.tsx";
import { MiniBoard } from "../../ui/mini_board.tsx";
import { opponentOf } from "../../ui/opponent.ts";
import { outcomeText } from "../../ui/outcome.ts";
import { gameTitle, pageVariants } from "../../variants.ts";
import { isYourTurn, ownGames } from "../../your_turn.ts";

const NO_GAMES: OwnGames = { games: [], set_aside: [] };

function gameName(variant: string): string {
  return pageVariants()[variant]?.name ?? variant;
}

function wonText(winner: string, side: Side): string {
  return t(winner === side ? "web.games.won" : "web.games.lost");
}

/** Returns how a game ended, and whether the user won: not for a draw, and for two people at one device. */
function resultText({ status, outcome, you, attackers }: OwnGame): string | null {
  if (!outcome || status !== "over") return null;
  const how = outcomeText(outcome as Outcome);
  if (!outcome.winner || you.length !== 1 || attackers === null) return how;
  return `${wonText(outcome.winner, you[0] === attackers ? "attackers" : "defenders")} ${how}`;
}

function localResult(game: SavedGame, outcome: Outcome): string {
  if (!game.computer || !outcome.winner) return outcomeText(outcome);
  return `${wonText(outcome.winner, sideOfUser(game))} ${outcomeText(outcome)}`;
}

function Changed({ at }: { readonly at: number }) {
  return (
    <time class="note" dateTime={new Date(at).toISOString()}>
      {agoText(at)}
    </time>
  );
}

function ServerGame({ game }: { readonly game: OwnGame }) {
  return (
    <OwnGameTile game={game} name={gameTitle({ ...game, name: gameName(game.variant) })} result={resultText(game)}>
      <Changed at={game.changed_ms} />
    </OwnGameTile>
  );
}

/** A damaged game: it cannot be opened, so it is no link. */
function DamagedGame({ game }: { readonly game: SetAsideGame }) {
  const { variant } = game;
  return (
    <li class="damaged">
      <b>{variant === null ? t("web.games.unknown") : opponentOf(game)}</b>
      <span class="note">{variant !== null && gameName(variant)}</span>
      <strong>{t("web.games.damaged")}</strong>
      <p class="note">{t("error.damaged_game", { game: game.game })}</p>
      <Changed at={game.changed_ms} />
    </li>
  );
}

function LocalGame({ game, remove }: { readonly game: SavedGame; readonly remove: () => void }) {
  const played = game.legs.at(-1)?.played.length ?? 0;
  const { computer, names = ["", ""] } = game;
  const isNamed = names.every((name) => name !== "");
  const opponent = computer ? computerName(computer.level) : isNamed ? names.join(" – ") : t("page.table.title");
  const title = gameTitle(game.facts);
  return (
    <GameTile
      address={pageAddress(`${computer ? "computer" : "table"}#${game.id}`)}
      position={game.position}
      shape={game.shape}
      opponent={opponent}
      game={title}
      state={game.outcome ? localResult(game, game.outcome) : plural("web.games.moves", played)}
      isYours={false}
      isStill={game.outcome !== undefined}
    >
      <Changed at={game.at} />
      <button type="button" class="quiet" onClick={remove} aria-label={t("web.games.forget.game", { opponent, game: title })}>
        {t("web.games.forget")}
      </button>
    </GameTile>
  );
}

/** The games at the server that this browser has seen, where the server cannot be reached. */
function SeenGames() {
  return (
    <ul class="game-tiles">
      {seenGames().map(({ view, facts }) => (
        <li key={view.game}>
          <a href={pageAddress(`game/${view.game}`)}>
            <MiniBoard position={view.legs.at(-1)?.position ?? ""} />
            <b>{gameTitle(facts)}</b>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Games() {
  const [remote, setRemote] = useState<OwnGames | null>(HAS_SERVER ? null : NO_GAMES);
  const [local, setLocal] = useState(savedGames);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (HAS_SERVER) ownGames().then(setRemote, (error: unknown) => setFailure(failureText(error)));
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
      {failure && seenGames().length > 0 && <SeenGames />}
      {!failure && local.length + games.length + damaged.length === 0 && <p>{t("web.games.none")}</p>}
      {games.length + damaged.length + local.length > 0 && <ul class="game-tiles">
        {[...games].sort((one, other) => Number(isYourTurn(other)) - Number(isYourTurn(one))).map((game) => <ServerGame key={game.game} game={game} />)}
        {damaged.map((game) => <DamagedGame key={game.game} game={game} />)}
        {local.map((game) => <LocalGame key={game.id} game={game} remove={() => remove(game.id)} />)}
      </ul>}
    </>
  );
}

const place = document.querySelector<HTMLElement>("[data-games]");
if (place) render(<Games />, place);
