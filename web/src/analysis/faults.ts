// What is wrong with a position, in words, as `hnefi.i18n.explain` says it.

import { refusalText } from "../game/wiring.ts";
import { outcomeText } from "../game/callout.tsx";
import type { Refusal } from "../rules.ts";
import { hasText, t } from "../texts.ts";

/** Says what the rules have against a position. */
export function faultText({ code, facts }: Refusal): string {
  const special = `error.${code}.${facts["part"]}`;
  if (hasText(special)) return t(special, facts);
  if (code !== "game_over") return refusalText(code, facts);
  const { winner, reason = "" } = facts;
  const side = winner === "attackers" || winner === "defenders" ? winner : null;
  return t("error.game_over", { outcome: outcomeText({ winner: side, reason }) });
}
