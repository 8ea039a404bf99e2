// One sentence for a tap that is no part of a move.

import type { Movable } from "../board/types.ts";
import type { Piece, Side } from "../rules.ts";
import { t } from "../texts.ts";

/** Returns why a tap on a square selects nothing; null if there is nothing to say. */
export function tapText(piece: Piece | undefined, movable: Movable, turn: Side | null): string | null {
  if (turn === null || movable === "none") return null;
  const side = piece && (piece.startsWith("a") ? "attackers" : "defenders");
  if (movable !== "both" && turn !== movable) return side ? t("web.tap.wait") : null;
  if (!side) return t("web.lesson.tap.empty");
  if (side === turn) return null;
  return t(movable === "both" ? `web.tap.turn.${turn}` : `web.lesson.tap.not_yours.${turn}`);
}
