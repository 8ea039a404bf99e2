// The board of the game page: shows a position of the line and passes moves on.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow, Mark } from "../board/types.ts";
import "../entries/board.ts";
import type { Step } from "../rules.ts";
import { textsOf } from "../texts.ts";
import { now, seenAt } from "./line.ts";
import type { Settings } from "./hooks.ts";
import type { Table } from "./source.ts";
import { dress, listen } from "./wiring.ts";

interface Props {
  readonly table: Table;
  readonly at: number;
  readonly settings: Settings;
  readonly isFlipped: boolean;
  readonly marks?: readonly Mark[];
  readonly arrows?: readonly Arrow[];
  /** Plays a move; gives what is wrong with it, if something is. */
  readonly move: (move: string) => string | null;
  /** Says why a move was refused. */
  readonly refused: (why: string) => void;
  /** A move waits to be confirmed, or no longer. */
  readonly pending?: (step: Step | null) => void;
  /** What is to be said to those who do not see it. */
  readonly saying: string | null;
}

export function Board(props: Props) {
  const { table, at, settings, isFlipped, marks, arrows, move, refused, pending = ignore, saying } = props;
  const element = useRef<TaflBoard>(null);
  const { line, movable, pending: sent } = table;
  const game = line.games[at];
  const isNow = at === line.games.length - 1;
  const isOver = now(line).state.outcome !== null;

  useLayoutEffect(() => {
    const board = element.current;
    if (!board || !game) return;
    board.words = textsOf("board.");
    board.shape = game.rules.facts;
  }, [game?.rules]);

  useLayoutEffect(() => {
    if (!game) return;
    const state = seenAt(line, at);
    element.current?.show(isNow ? { ...state, legal: game.legal } : state);
  }, [game, isNow, isOver]);

  useLayoutEffect(() => {
    if (isNow) element.current?.expect(sent);
  }, [game, isNow, sent?.from, sent?.to]);

  useEffect(() => {
    if (!saying) return;
    const later = setTimeout(() => element.current?.announce(saying), AFTER_THE_MOVE_MS);
    return () => clearTimeout(later);
  }, [saying]);

  useLayoutEffect(() => {
    if (element.current) element.current.marks = marks ?? [];
  }, [marks]);

  useLayoutEffect(() => {
    if (element.current) element.current.arrows = arrows ?? [];
  }, [arrows]);

  useLayoutEffect(() => {
    const board = element.current;
    if (!board || !game) return;
    const played = (step: string) => {
      const why = move(step);
      if (why) refused(why);
      return !why;
    };
    return listen(board, () => game, { move: played, refused, pending });
  }, [game, move, refused, pending]);

  // Attributes by hand: the board has properties of other kinds under some of their names.
  useLayoutEffect(() => {
    const board = element.current;
    if (!board) return;
    dress(board, settings);
    board.setAttribute("movable", isNow ? movable : "none");
    board.toggleAttribute("flip", isFlipped);
    board.toggleAttribute("confirm", table.isSlow ? settings.confirm_slow : settings.confirm);
    board.toggleAttribute("input", settings.typed && movable !== "none");
    board.toggleAttribute("premove", settings.premove && movable !== "both");
  }, [settings, isNow, movable, isFlipped, table.isSlow]);

  return <tafl-board ref={element} />;
}

/** A call is said when the move was: words that took its place at once would be all that a screen reader tells. */
const AFTER_THE_MOVE_MS = 500;

function ignore(): void {}
