// The board of a lesson. A wrong move slides back.

import type { RefObject } from "preact";
import { useMemo } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow } from "../board/types.ts";
import type { Game } from "../rules.ts";
import { Board } from "../ui/board.tsx";

interface Props {
  readonly element: RefObject<TaflBoard | null>;
  readonly game: Game;
  /** Whether a move is expected. */
  readonly isOpen: boolean;
  readonly arrows: readonly Arrow[];
  readonly move: (move: string) => boolean;
  readonly refused: (reason: string) => void;
}

export function LessonBoard({ element, game, isOpen, arrows, move, refused }: Props) {
  const state = useMemo(() => (isOpen ? { ...game.state, legal: game.legal } : game.state), [game, isOpen]);
  return (
    <Board
      element={element}
      shape={game.rules.facts}
      state={state}
      movable={isOpen ? "both" : "none"}
      arrows={arrows}
      game={game}
      move={move}
      refused={refused}
    />
  );
}
