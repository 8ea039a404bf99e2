// Scores as sentences, like those of `hnefi analyse`.

import { type AnalysisLineView, SCORE_BOUNDS } from "../messages.ts";
import { plural, t } from "../texts.ts";

/** Returns which side is better, or which side wins in how many plies. */
export function scoreText({ chances, win_in }: AnalysisLineView): string {
  if (win_in !== null) return plural(`score.wins.${win_in > 0 ? "attackers" : "defenders"}`, Math.abs(win_in));
  const better = Math.max(chances, 1 - chances);
  if (better < SCORE_BOUNDS.even) return t("score.even");
  const much = better < SCORE_BOUNDS.slight ? "slight" : better < SCORE_BOUNDS.better ? "better" : "winning";
  return t(`score.${much}.${chances > 0.5 ? "attackers" : "defenders"}`);
}

/** Returns the attackers' chances in percent: 0 or 100 only for a proven win. */
export function attackersPercent({ chances, win_in }: AnalysisLineView): number {
  const percent = Math.round(100 * chances);
  return win_in === null ? Math.min(Math.max(percent, 1), 99) : percent;
}

/** Returns the chances of the better side in percent. */
export function betterPercent(line: AnalysisLineView): number {
  const percent = attackersPercent(line);
  return Math.max(percent, 100 - percent);
}
