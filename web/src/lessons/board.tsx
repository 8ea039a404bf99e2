// The board of a lesson: a wrong move slides back.

import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow } from "../board/types.ts";
import "../entries/board.ts";
import { reasonAgainst } from "../game/board.tsx";
import { readSettings } from "../game/hooks.ts";
import type { Game, Step } from "../rules.ts";
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
  useEffect(() => {
    const board = element.current;
    if (!board) return;
    board.words = textsOf("board.");
    board.shape = game.rules.facts;
    board.setAttribute("board", LOOK.board);
    board.setAttribute("pieces", LOOK.pieces);
    if (!LOOK.coordinates) board.setAttribute("coordinates", "none");
  }, [game.rules]);

  useEffect(() => {
    element.current?.setAttribute("movable", isOpen ? "both" : "none");
    element.current?.show(isOpen ? { ...game.state, legal: game.legal } : game.state);
  }, [game, isOpen]);

  useEffect(() => {
    if (element.current) element.current.arrows = arrows;
  }, [arrows]);

  useEffect(() => {
    const board = element.current;
    if (!board) return;
    const onMove = (event: Event) => {
      const { from, to } = (event as CustomEvent<Step>).detail;
      if (!move(`${from}-${to}`)) event.preventDefault();
    };
    const onRefused = (event: Event) => {
      const { from, to } = (event as CustomEvent<Step>).detail;
      const why = reasonAgainst(() => game.describe(`${from}-${to}`));
      if (why) refused(why);
    };
    board.addEventListener("tafl-move", onMove);
    board.addEventListener("tafl-refused", onRefused);
    return () => {
      board.removeEventListener("tafl-move", onMove);
      board.removeEventListener("tafl-refused", onRefused);
    };
  }, [game, move, refused]);

  return <tafl-board ref={element} />;
}
