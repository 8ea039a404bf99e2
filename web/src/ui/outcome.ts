// Outcomes of games as sentences.

import type { Outcome } from "../rules.ts";
import { t } from "../texts.ts";

/** Returns how a game ended: "The king has escaped. The defenders win." */
export function outcomeText({ reason, winner }: Outcome): string {
  return t(`outcome.${reason}.${winner ?? "draw"}`);
}
