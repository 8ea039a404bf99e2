// How long ago something was, in words.

import { LANGUAGE, t } from "../texts.ts";

const MINUTE = 60_000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 1440 * MINUTE],
  ["hour", 60 * MINUTE],
  ["minute", MINUTE],
];

/** Formats a time in the past: "3 hours ago", "just now". */
export function agoText(ms: number): string {
  const elapsed = Math.max(0, Date.now() - ms);
  const [unit, length] = UNITS.find(([, least]) => elapsed >= least) ?? ["minute", 0];
  if (length === 0) return t("web.games.just_now");
  return new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" }).format(-Math.floor(elapsed / length), unit);
}
