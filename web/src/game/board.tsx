// The board of the game page: shows a position of the line and passes moves on.

import { useEffect, useRef } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Arrow, Mark } from "../board/types.ts";
import "../entries/board.ts";
import { Refused, type Step } from "../rules.ts";
import { hasText, t, textsOf } from "../texts.ts";
import { now, seenAt } from "./line.ts";
import type { Settings } from "./hooks.ts";
import type { Table } from "./source.ts";

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

  useEffect(() => {
    const board = element.current;
    if (!board || !game) return;
    board.words = textsOf("board.");
    board.shape = game.rules.facts;
  }, [game?.rules]);

  useEffect(() => {
    if (!game) return;
    const state = seenAt(line, at);
    element.current?.show(isNow ? { ...state, legal: game.legal } : state);
  }, [game, isNow, isOver]);

  useEffect(() => {
    if (isNow) element.current?.expect(sent);
  }, [game, isNow, sent?.from, sent?.to]);

  useEffect(() => {
    if (!saying) return;
    const later = setTimeout(() => element.current?.announce(saying), AFTER_THE_MOVE_MS);
    return () => clearTimeout(later);
  }, [saying]);

  useEffect(() => {
    if (element.current) element.current.marks = marks ?? [];
  }, [marks]);

  useEffect(() => {
    if (element.current) element.current.arrows = arrows ?? [];
  }, [arrows]);

  useEffect(() => {
    const board = element.current;
    if (!board || !game) return;
    const onMove = (event: Event) => {
      const { from, to } = (event as CustomEvent<Step>).detail;
      const why = move(`${from}-${to}`);
      if (!why) return;
      event.preventDefault();
      refused(why);
    };
    const onPending = (event: Event) => pending((event as CustomEvent<Step | null>).detail);
    const onRefused = (event: Event) => {
      const { from, to } = (event as CustomEvent<Step>).detail;
      const why = reasonAgainst(() => game.describe(`${from}-${to}`));
      if (why) refused(why);
    };
    board.addEventListener("tafl-move", onMove);
    board.addEventListener("tafl-refused", onRefused);
    board.addEventListener("tafl-pending", onPending);
    return () => {
      board.removeEventListener("tafl-move", onMove);
      board.removeEventListener("tafl-refused", onRefused);
      board.removeEventListener("tafl-pending", onPending);
    };
  }, [game, move, refused, pending]);

  // Attributes by hand: the board has properties of other kinds under some of their names.
  useEffect(() => {
    const board = element.current;
    if (!board) return;
    board.setAttribute("board", settings.board);
    board.setAttribute("pieces", settings.pieces);
    board.setAttribute("movable", isNow ? movable : "none");
    board.toggleAttribute("flip", isFlipped);
    board.toggleAttribute("confirm", table.isSlow ? settings.confirm_slow : settings.confirm);
    board.toggleAttribute("premove", settings.premove && movable !== "both");
    if (settings.coordinates) board.removeAttribute("coordinates");
    else board.setAttribute("coordinates", "none");
  }, [settings, isNow, movable, isFlipped, table.isSlow]);

  return <tafl-board ref={element} />;
}

/** A call is said when the move was: words that took its place at once would be all that a screen reader tells. */
const AFTER_THE_MOVE_MS = 500;

function ignore(): void {}

/** Says in words why the rules refuse something; null if they do not. */
export function reasonAgainst(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusalText(error.refusal.code, error.refusal.facts);
  }
}

/** Puts a refusal of the rules into words, as `hnefi.i18n.explain` does. */
export function refusalText(code: string, facts: Readonly<Record<string, string>>): string {
  const { piece, turn, limit } = facts;
  const words: Record<string, string> = { ...facts };
  if (piece) {
    words["piece"] = t(`piece.${piece}`);
    words["a_piece"] = t(`a_piece.${piece}`);
    words["to_kind"] = t(`to_kind.${piece}`);
  }
  if (turn) {
    words["turn"] = t(`side.${turn}`);
    words["to_turn"] = t(`to_side.${turn}`);
  }
  if (limit) words["squares"] = limit === "1" ? t("count.squares").replace("{n}", limit) : `${limit}`;
  const key = `error.${code}`;
  return hasText(key) ? t(key, words) : t("web.refused.move");
}
