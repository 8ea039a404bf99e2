// The board of a lesson. A wrong move slides back.

import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { TaflBoard } from "../../board/element.ts";
import type { Arrow, Mark } from "../../board/types.ts";
import type { Game, Piece } from "../../rules.ts";
import { Board } from "../../ui/board.tsx";

interface Props {
  readonly element: RefObject<TaflBoard | null>;
  readonly game: Game;
  /** Whether a move is expected. */
  readonly isOpen: boolean;
  readonly arrows: readonly Arrow[];
  /** The squares to light up. */
  readonly squares: readonly string[];
  readonly move: (move: string) => boolean;
  readonly refused: (reason: string) => void;
  /** Called when a tap is no part of a move, with the piece on the square. */
  readonly tapped: (piece: Piece | undefined) => void;
}

export function LessonBoard({ element, game, isOpen, arrows, squares, move, refused, tapped }: Props) {
  const state = useMemo(() => (isOpen ? { ...game.state, legal: game.legal } : game.state), [game, isOpen]);
  const named = squares.join(" ");
  const marks = useMemo(() => squares.map((square): Mark => ({ square, kind: "highlight" })), [named]);
  useEffect(() => {
    const board = element.current;
    if (!board || !isOpen) return;
    const onSquare = ({ detail: square }: CustomEvent<string>) => tapped(board.pieces.get(square));
    board.addEventListener("tafl-square", onSquare);
    return () => board.removeEventListener("tafl-square", onSquare);
  }, [isOpen]);
  return (
    <Board
      element={element}
      shape={game.rules.facts}
      state={state}
      movable={isOpen ? "both" : "none"}
      arrows={arrows}
      marks={marks}
      game={game}
      move={move}
      refused={refused}
    />
  );
}
