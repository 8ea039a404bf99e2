// Scores in words, as `hnefi analyse` says them.

import type { AnalysisLineView } from "../messages.ts";
import { plural, t } from "../texts.ts";

// From even to nearly won, by what the better side can expect.
const EVEN = 0.57;
const SLIGHT = 0.7;
const BETTER = 0.87;

/** Says who stands better, or who wins in how many plies. */
export function scoreWords({ chances, win_in }: AnalysisLineView): string {
  if (win_in !== null) return plural(`score.wins.${win_in > 0 ? "attackers" : "defenders"}`, Math.abs(win_in));
  const better = Math.max(chances, 1 - chances);
  if (better < EVEN) return t("score.even");
  const much = better < SLIGHT ? "slight" : better < BETTER ? "better" : "winning";
  return t(`score.${much}.${chances > 0.5 ? "attackers" : "defenders"}`);
}

/** What the attackers may expect, in percent; what is not proven is never certain. */
export function percentOf({ chances, win_in }: AnalysisLineView): number {
  const percent = Math.round(100 * chances);
  return win_in === null ? Math.min(Math.max(percent, 1), 99) : percent;
}

/** What the side that stands better may expect: the words say which it is. */
export function betterPercent(line: AnalysisLineView): number {
  const percent = percentOf(line);
  return Math.max(percent, 100 - percent);
}
