// Scores as sentences, like those of `hnefi analyse`.

import { type AnalysisLineView, SCORE_BOUNDS } from "../../messages.ts";
import { plural, t } from "../../texts.ts";

/** Returns which side is better, or which side wins in how many plies. */
export function scoreText({ chances, spread, win_in }: AnalysisLineView): string {
  if (win_in !== null) return plural(`score.wins.${win_in > 0 ? "attackers" : "defenders"}`, Math.abs(win_in));
  const better = Math.max(chances, 1 - chances);
  if (better < SCORE_BOUNDS.even) return t("score.even");
  // Chances that were not measured claim less: see `Score.size` of the library.
  const much = better < SCORE_BOUNDS.slight ? "slight" : better < SCORE_BOUNDS.better || spread === null ? "better" : "winning";
  return t(`score.${much}.${chances > 0.5 ? "attackers" : "defenders"}`);
}

/** Returns the attackers' chances in percent: 0 or 100 only for a proven win. */
export function attackersPercent({ chances, win_in }: AnalysisLineView): number {
  const percent = Math.round(100 * chances);
  return win_in === null ? Math.min(Math.max(percent, 1), 99) : percent;
}

/** Returns the chances of the better side in percent, with their spread; null if they are only an estimate. */
export function percentText(line: AnalysisLineView): string | null {
  const attackers = attackersPercent(line);
  const percent = Math.max(attackers, 100 - attackers);
  if (line.win_in !== null) return t("web.analysis.percent", { percent });
  if (line.spread === null) return null;
  return t("web.analysis.percent.spread", { percent, spread: Math.max(1, Math.round(100 * line.spread)) });
}
