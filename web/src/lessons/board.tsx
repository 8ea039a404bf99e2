// The board of a lesson: a wrong move slides back.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow } from "../board/types.ts";
import "../entries/board.ts";
import { readSettings } from "../game/hooks.ts";
import { dress, listen } from "../game/wiring.ts";
import type { Game } from "../rules.ts";
import { textsOf } from "../texts.ts";

const LOOK = readSettings();

interface Props {
  readonly element: RefObject<TaflBoard | null>;
  readonly game: Game;
  readonly isOpen: boolean;
  readonly arrows: readonly Arrow[];
  /** Judges a move; false sends the piece back. */
  readonly move: (move: string) => boolean;
  /** Says why the rules refuse a move. */
  readonly refused: (why: string) => void;
}

export function LessonBoard({ element, game, isOpen, arrows, move, refused }: Props) {
  useLayoutEffect(() => {
    const board = element.current;
    if (!board) return;
    board.words = textsOf("board.");
    board.shape = game.rules.facts;
    dress(board, LOOK);
  }, [game.rules]);

  useLayoutEffect(() => {
    element.current?.setAttribute("movable", isOpen ? "both" : "none");
    element.current?.show(isOpen ? { ...game.state, legal: game.legal } : game.state);
  }, [game, isOpen]);

  useLayoutEffect(() => {
    if (element.current) element.current.arrows = arrows;
  }, [arrows]);

  useLayoutEffect(() => {
    const board = element.current;
    if (!board) return;
    return listen(board, () => game, { move, refused });
  }, [game, move, refused]);

  return <tafl-board ref={element} />;
}
