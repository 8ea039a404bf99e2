// The wall of a class: a small live board for each game, with the side to move and the result.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { ClassGameView } from "../../messages.ts";
import { LANGUAGE, t } from "../../texts.ts";
import { MiniBoard } from "../../ui/mini_board.tsx";
import { type Act, gameName, nameOf, type Result, type Room, stateOf } from "./room.ts";

const RESULTS: readonly Result[] = ["attackers", "defenders", "draw", "void"];

interface Props {
  readonly games: readonly ClassGameView[];
  readonly hasSeveral: boolean;
  readonly isClosed: boolean;
  readonly room: Room;
  readonly act: Act;
  /** Whether the boards fill the window. */
  readonly isLarge: boolean;
}

/** The gap between boards, the width of the names beside a board in parts of the board, and the least board. */
const GAP = 16;
const NAMES = 0.95;
const LEAST = 72;

/** Makes as many boards as there are fill the window below a list, each as large as possible. */
function useFilled(count: number, isOn: boolean) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element || !isOn) return;
    const fill = () => {
      const width = element.clientWidth;
      const height = innerHeight - element.getBoundingClientRect().top - scrollY - GAP;
      const boardIn = (columns: number) => {
        const rows = Math.ceil(count / columns);
        return Math.min((height - (rows - 1) * GAP) / rows, (width - (columns - 1) * GAP) / columns / (1 + NAMES));
      };
      const choices = Array.from({ length: count }, (_, index) => index + 1);
      const columns = choices.reduce((best, one) => (boardIn(one) > boardIn(best) ? one : best), 1);
      element.style.setProperty("--columns", String(columns));
      element.style.setProperty("--board", `${Math.floor(Math.max(boardIn(columns), LEAST))}px`);
    };
    fill();
    addEventListener("resize", fill);
    return () => removeEventListener("resize", fill);
  }, [count, isOn]);
  return list;
}

/** Shows the games that are played, and those after which nobody has begun another one. */
export function Wall({ games, isLarge, ...rest }: Props) {
  const shown = games.filter(({ position, result }) => position && result !== "void");
  // Those that are played come first.
  const sorted = [...shown].sort((one, other) => Number(one.result !== null) - Number(other.result !== null));
  const list = useFilled(sorted.length, isLarge);
  return (
    <ul class="class-wall" ref={list}>
      {sorted.map((game) => <Card key={game.game} game={game} {...rest} />)}
    </ul>
  );
}

function Card({ game, hasSeveral, isClosed, room, act }: Omit<Props, "games" | "isLarge"> & { readonly game: ClassGameView }) {
  const [attackers, defenders] = game.names.map(nameOf) as [string, string];
  const pair = t("page.class.pair", { first: attackers, second: defenders });
  return (
    <li class={game.result ? "over" : ""}>
      <a href={`/${LANGUAGE}/game/${game.game}`} aria-label={`${pair}. ${stateOf(game)}`}>
        <MiniBoard position={game.position ?? ""} />
        <span class="words">
          <span class="sides">
            <Player side="attackers" name={attackers} game={game} />
            <Player side="defenders" name={defenders} game={game} />
          </span>
          <span class="state">
            {stateOf(game)}
            {hasSeveral && <span class="note"> · {gameName(game.variant)}</span>}
          </span>
        </span>
      </a>
      {!isClosed && (
        <ResultChoice game={game} label={t("page.class.result.of", { pair })} choose={(result) => act(() => room.enter(game.game, result))} isShort />
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
export function ResultChoice({ game, label, choose, isShort = false }: {
  readonly game: ClassGameView;
  readonly label: string;
  readonly choose: (result: Result) => void;
  /** Whether the result is shown elsewhere: the list then shows what it is for. */
  readonly isShort?: boolean;
}) {
  const [attackers, defenders] = game.names.map(nameOf) as [string, string];
  const words: Record<Result, string> = {
    attackers: t("page.class.won", { name: attackers }),
    defenders: t("page.class.won", { name: defenders }),
    draw: t("page.class.draw"),
    void: t("page.class.void"),
  };
  const shown = isShort ? "" : (game.result ?? "");
  const enter = (list: HTMLSelectElement) => {
    choose(list.value as Result);
    list.value = shown;
  };
  return (
    <select aria-label={label} value={shown} onChange={(event) => enter(event.currentTarget)}>
      {shown === "" && <option value="">{t(game.result === null ? "page.class.result.enter" : "page.class.result.change")}</option>}
      {RESULTS.map((result) => (
        <option key={result} value={result}>
          {words[result]}
        </option>
      ))}
    </select>
  );
}
