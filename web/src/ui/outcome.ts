// Outcomes of games as sentences.

import type { Outcome } from "../rules.ts";
import { t } from "../texts.ts";

/** Reasons of ends that come from the players, the clock or the host of a class, not from the board. */
export const BY_PLAYERS: readonly string[] = ["agreement", "resignation", "time", "abandoned", "adjudication"];

/** Returns how a game ended: "The king has escaped. The king’s side wins." */
export function outcomeText({ reason, winner }: Outcome): string {
  return t(`outcome.${reason}.${winner ?? "draw"}`);
}
