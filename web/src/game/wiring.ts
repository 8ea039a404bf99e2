// What every page does with its board: how it looks, and what follows from what is done on it.

import type { TaflBoard } from "../board/element.ts";
import { type Game, Refused, type Step } from "../rules.ts";
import { hasText, t } from "../texts.ts";
import type { Settings } from "./hooks.ts";

/** What is made of what is done on a board. */
export interface Answers {
  /** Plays a move; gives whether it was played: a piece whose move was not slides back. */
  readonly move: (move: string) => boolean;
  /** Says why the rules refuse a move. */
  readonly refused: (why: string) => void;
  /** A move waits to be confirmed, or no longer. */
  readonly pending?: (step: Step | null) => void;
}

/** Gives a board the look that was chosen. */
export function dress(board: TaflBoard, look: Pick<Settings, "board" | "pieces" | "coordinates">): void {
  board.setAttribute("board", look.board);
  board.setAttribute("pieces", look.pieces);
  if (look.coordinates) board.removeAttribute("coordinates");
  else board.setAttribute("coordinates", "none");
}

/**
 * Listens to a board on which a game is played, or nothing yet; gives what ends it.
 *
 * Pages call it, and show what was played, in `useLayoutEffect`: an effect that waits for the next frame would
 * judge a quick move by what was chosen before.
 */
export function listen(board: TaflBoard, game: () => Game | null, answers: Answers): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const onMove = (event: CustomEvent<Step>) => {
    const { from, to } = event.detail;
    if (!answers.move(`${from}-${to}`)) event.preventDefault();
  };
  const onRefused = ({ detail: { from, to } }: CustomEvent<Step>) => {
    const why = reasonAgainst(() => game()?.describe(`${from}-${to}`));
    if (why) answers.refused(why);
  };
  board.addEventListener("tafl-move", onMove, { signal });
  board.addEventListener("tafl-refused", onRefused, { signal });
  board.addEventListener("tafl-pending", ({ detail }) => answers.pending?.(detail), { signal });
  return () => ending.abort();
}

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
