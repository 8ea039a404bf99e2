// Refusals of moves and positions as sentences; `hnefi.i18n.explain` does the same in Python.

import { type Refusal, Refused } from "../rules.ts";
import { hasText, plural, t } from "../texts.ts";
import { outcomeText } from "./outcome.ts";

/** Runs a callback; returns the refusal of the rules as a sentence, or null if there is none. */
export function refusalOf(attempt: () => unknown): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refusalText(error.refusal);
  }
}

/** Returns the sentence that explains a refusal in the language of the page. */
export function refusalText({ code, facts }: Refusal): string {
  const { piece, turn, limit } = facts;
  const words: Record<string, string> = { ...facts };
  if (piece) {
    words["piece"] = t(`piece.${piece}`);
    words["a_piece"] = t(`a_piece.${piece}`);
    words["to_kind"] = t(`to_kind.${piece.split("_")[0]}`);
  }
  if (turn) {
    words["turn"] = t(`side.${turn}`);
    words["to_turn"] = t(`to_side.${turn}`);
  }
  if (limit) words["squares"] = plural("count.squares", Number(limit));
  const key = `error.${code}`;
  return hasText(key) ? t(key, words) : t("web.refused.move");
}

/** Returns the faults of a position as a sentence. */
export function positionFaultText({ code, facts }: Refusal): string {
  const special = `error.${code}.${facts["part"]}`;
  if (hasText(special)) return t(special, facts);
  if (code !== "game_over") return refusalText({ code, facts });
  const { winner, reason = "" } = facts;
  const side = winner === "attackers" || winner === "defenders" ? winner : null;
  return t("error.game_over", { outcome: outcomeText({ winner: side, reason }) });
}
