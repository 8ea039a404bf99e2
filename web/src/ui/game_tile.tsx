// A game of one's own in a list: a small board that leads to it.

import type { ComponentChildren } from "preact";
import type { Shape } from "../board/types.ts";
import { pageAddress } from "../addresses.ts";
import type { OwnGame } from "../messages.ts";
import { t } from "../texts.ts";
import { isYourTurn } from "../your_turn.ts";
import { MiniBoard } from "./mini_board.tsx";
import { opponentOf } from "./opponent.ts";

interface Props {
  readonly address: string;
  /** None if it is not known. */
  readonly position: string | null | undefined;
  readonly shape: Shape | undefined;
  readonly opponent: string;
  readonly game: string;
  /** How it stands, or ended. */
  readonly state: string;
  /** Whether it waits for a move of the user, which is said instead of the state. */
  readonly isYours: boolean;
  /** Whether the user can do nothing in it now. */
  readonly isStill: boolean;
  readonly children?: ComponentChildren;
}

interface OwnProps extends Pick<Props, "children"> {
  readonly game: OwnGame;
  /** What is played. */
  readonly name: string;
  /** How it ended; null if it goes on. */
  readonly result?: string | null;
}

/** A game at the server. */
export function OwnGameTile({ game, name, result, children }: OwnProps) {
  const { status } = game;
  const isYours = isYourTurn(game);
  return (
    <GameTile
      address={pageAddress(`game/${game.game}`)}
      position={game.position}
      shape={game.shape}
      opponent={status === "waiting" ? t("web.games.friend") : opponentOf(game)}
      game={name}
      state={result ?? t(`web.games.${status === "playing" ? "theirs" : status}`)}
      isYours={isYours}
      isStill={!isYours}
    >
      {children}
    </GameTile>
  );
}

export function GameTile({ address, position, shape, opponent, game, state, isYours, isStill, children }: Props) {
  return (
    <li class={isStill ? "still" : ""}>
      <a href={address}>
        {position && <MiniBoard position={position} shape={shape} />}
        <b>{opponent}</b>
        <span class="note">{game}</span>
        {isYours ? <span class="turn">{t("page.home.resume.yours")}</span> : <span class="note">{state}</span>}
      </a>
      {children}
    </li>
  );
}
