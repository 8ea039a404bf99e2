// The wall of a class: a small live board for each game, with the side to move and the result.

import type { ClassGameView } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";
import { MiniBoard } from "../ui/mini_board.tsx";
import { type Act, gameName, nameOf, type Result, type Room, stateOf } from "./room.ts";

const RESULTS: readonly Result[] = ["attackers", "defenders", "draw", "void"];

interface Props {
  readonly games: readonly ClassGameView[];
  readonly hasSeveral: boolean;
  readonly isClosed: boolean;
  readonly room: Room;
  readonly act: Act;
}

/** Shows the games that are played, and those after which nobody has begun another one. */
export function Wall({ games, ...rest }: Props) {
  const shown = games.filter(({ position, result }) => position && result !== "void");
  // Those that are played come first.
  const sorted = [...shown].sort((one, other) => Number(one.result !== null) - Number(other.result !== null));
  return (
    <ul class="class-wall">
      {sorted.map((game) => <Card key={game.game} game={game} {...rest} />)}
    </ul>
  );
}

function Card({ game, hasSeveral, isClosed, room, act }: Omit<Props, "games"> & { readonly game: ClassGameView }) {
  const [attackers, defenders] = game.names.map(nameOf) as [string, string];
  const pair = t("page.class.pair", { first: attackers, second: defenders });
  return (
    <li class={game.result ? "over" : ""}>
      <a href={`/${LANGUAGE}/game/${game.game}`} aria-label={`${pair}. ${stateOf(game)}`}>
        <MiniBoard position={game.position ?? ""} />
        <span class="sides">
          <Player side="attackers" name={attackers} game={game} />
          <Player side="defenders" name={defenders} game={game} />
        </span>
        <span class="state">
          {stateOf(game)}
          {hasSeveral && <span class="note"> · {gameName(game.variant)}</span>}
        </span>
      </a>
      {!isClosed && (
        <ResultChoice game={game} label={t("page.class.result.of", { pair })} choose={(result) => act(() => room.enter(game.game, result))} />
      )}
    </li>
  );
}

function Player({ side, name, game }: { readonly side: "attackers" | "defenders"; readonly name: string; readonly game: ClassGameView }) {
  const piece = side === "attackers" ? "attacker" : "king";
  const isMoving = game.result === null && game.turn === side;
  return (
    <b class={isMoving ? "turn" : game.result === side ? "winner" : ""}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <use href={`#piece-${piece}`} width="100" height="100" />
      </svg>
      {name}
    </b>
  );
}

/** Chooses the result of a game, also instead of the one it has. */
export function ResultChoice({ game, label, choose }: {
  readonly game: ClassGameView;
  readonly label: string;
  readonly choose: (result: Result) => void;
}) {
  const [attackers, defenders] = game.names.map(nameOf) as [string, string];
  const words: Record<Result, string> = {
    attackers: t("page.class.won", { name: attackers }),
    defenders: t("page.class.won", { name: defenders }),
    draw: t("page.class.draw"),
    void: t("page.class.void"),
  };
  return (
    <select aria-label={label} value={game.result ?? ""} onChange={(event) => choose(event.currentTarget.value as Result)}>
      {game.result === null && <option value="">{t("page.class.result.enter")}</option>}
      {RESULTS.map((result) => (
        <option key={result} value={result}>
          {words[result]}
        </option>
      ))}
    </select>
  );
}
