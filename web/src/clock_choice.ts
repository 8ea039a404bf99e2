// The values of clocks in lists of choices.

import type { Clock } from "./messages.ts";

const MINUTE_S = 60;

/** Parses the value of a choice: `5+3` minutes and seconds, `1d` days, or `none`. */
export function clockOf(value: string): Clock {
  if (value.endsWith("d")) return { kind: "days", days: Number.parseInt(value, 10) };
  const [minutes, seconds] = value.split("+").map(Number);
  if (minutes === undefined || seconds === undefined) return { kind: "none" };
  return { kind: "fischer", initial_s: minutes * MINUTE_S, increment_s: seconds };
}
