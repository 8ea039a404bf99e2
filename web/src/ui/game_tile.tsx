// A game of one's own in a list: a small board that leads to it.

import type { ComponentChildren } from "preact";
import type { Shape } from "../board/types.ts";
import { t } from "../texts.ts";
import { MiniBoard } from "./mini_board.tsx";

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
