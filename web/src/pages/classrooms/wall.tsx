// The wall of a class: a numbered, small live board for each game, with its players and what it needs.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { ClassGameView, ClassMemberView } from "../../messages.ts";
import { LANGUAGE, t } from "../../texts.ts";
import { MiniBoard } from "../../ui/mini_board.tsx";
import { type ClassProps, gameName, nameOf, type Result, stateOf } from "./room.ts";

const RESULTS: readonly Result[] = ["attackers", "defenders", "draw", "void"];

interface Props extends ClassProps {
  /** Whether the boards fill the window. */
  readonly isLarge: boolean;
}

/** The gap between boards, and the least width of a board. */
const GAP = 12;
const LEAST = 96;

/** Makes all boards of a list fit into the window, each as large as possible; anew when `key` changes. */
function useFilled(key: string) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const fill = () => {
      const top = element.getBoundingClientRect().top + scrollY;
      const words = [...element.querySelectorAll<HTMLElement>(".words")];
      /** Returns how large the boards are in so many columns, in which the words take what they need. */
      const boardIn = (columns: number) => {
        element.style.setProperty("--columns", String(columns));
        const rows: number[] = [];
        words.forEach(({ offsetHeight }, index) => {
          const row = Math.floor(index / columns);
          rows[row] = Math.max(rows[row] ?? 0, offsetHeight);
        });
        const high = innerHeight - top - rows.reduce((sum, one) => sum + one + GAP, 0);
        return Math.min(high / rows.length, (element.clientWidth + GAP) / columns - GAP);
      };
      const most = Math.max(1, Math.floor((element.clientWidth + GAP) / (LEAST + GAP)));
      const sizes = Array.from({ length: Math.min(words.length, most) }, (_, index) => boardIn(index + 1));
      const largest = Math.max(LEAST, ...sizes);
      element.style.setProperty("--columns", String(Math.max(0, sizes.indexOf(largest)) + 1 || most));
      element.style.setProperty("--board", `${Math.floor(largest)}px`);
    };
    fill();
    addEventListener("resize", fill);
    return () => removeEventListener("resize", fill);
  }, [key]);
  return list;
}

/** Shows the games that are played, and those after which nobody has begun another one. */
export function Wall({ isLarge, ...rest }: Props) {
  const { games, members, is_closed: isClosed } = rest.view;
  const all = games.filter(({ position, result }) => position && result !== "void");
  // Where results are entered, a board keeps its place when its game ends.
  const shown = isLarge ? all.toSorted((one, other) => Number(one.result !== null) - Number(other.result !== null)) : all;
  const away = (game: ClassGameView) => (isClosed || game.result !== null ? undefined : awayFrom(game, members));
  const list = useFilled([isLarge, ...shown.map((game) => `${game.game} ${away(game) ?? stateOf(game)}`)].join());
  return (
    <ul class="class-wall" ref={list}>
      {shown.map((game) => <Card key={game.game} game={game} number={all.indexOf(game) + 1} away={away(game)} {...rest} />)}
    </ul>
  );
}

/** Returns the name of a player whose device is gone: the game needs the host. */
function awayFrom({ attackers, defenders }: ClassGameView, members: readonly ClassMemberView[]): string | undefined {
  return members.find(({ number, here }) => !here && (number === attackers || number === defenders))?.name;
}

interface CardProps extends ClassProps {
  readonly game: ClassGameView;
  readonly number: number;
  readonly away: string | undefined;
}

function Card({ game, number, away, view, room, act }: CardProps) {
  const [attackers, defenders] = game.names.map(nameOf) as [string, string];
  const gone = away === undefined ? "" : t("page.class.gone", { name: away });
  return (
    <li class={game.result ? "over" : ""}>
      <a href={`/${LANGUAGE}/game/${game.game}`} aria-label={`${number}. ${pairText(game)}. ${stateOf(game)}${gone && `. ${gone}`}`}>
        <MiniBoard position={game.position ?? ""} shape={game.shape} />
        <span class="stack words">
          <span class="row sides">
            <i>{number}</i>
            <Player side="attackers" name={attackers} game={game} />
            <Player side="defenders" name={defenders} game={game} />
          </span>
          <span class="state">
            <span class={gone ? "needs-host" : ""}>{gone || stateOf(game)}</span>
            {view.variants.length > 1 && <span class="note"> · {gameName(game.variant)}</span>}
          </span>
        </span>
      </a>
      {!view.is_closed && <ResultChoice game={game} room={room} act={act} isShort />}
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

function pairText({ names }: ClassGameView): string {
  const [first, second] = names.map(nameOf) as [string, string];
  return t("page.class.pair", { first, second });
}

/** Chooses the result of a game, also instead of the one it has. */
export function ResultChoice({ game, room, act, isShort = false }: Omit<ClassProps, "view"> & {
  readonly game: ClassGameView;
  /** Whether the result is shown elsewhere. */
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
    const result = list.value as Result | "";
    if (result) act(() => room.enter(game.game, result));
    list.value = shown;
  };
  return (
    <select aria-label={t("page.class.result.of", { pair: pairText(game) })} value={shown} onChange={(event) => enter(event.currentTarget)}>
      {shown === "" && <option value="">{t("page.class.result.enter")}</option>}
      {RESULTS.map((result) => (
        <option key={result} value={result}>
          {words[result]}
        </option>
      ))}
    </select>
  );
}
