// Outcomes of games as sentences.

import type { Outcome } from "../rules.ts";
import { hasText, t } from "../texts.ts";

/** Returns how a game ended: "The king is out. Defenders win." */
export function outcomeText(outcome: Outcome): string {
  const winner = outcome.winner ?? "draw";
  const key = `outcome.${outcome.reason}.${winner}`;
  return hasText(key) ? t(key) : `${t(`reason.${outcome.reason}`)} ${t(`result.${winner}`)}`;
}
