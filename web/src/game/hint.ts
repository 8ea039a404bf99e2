// What a suggested move does, in a sentence.

import type { Game, Move, Side } from "../rules.ts";
import { t } from "../texts.ts";

/** Returns a hint as a sentence: "Hint: f4–f2 captures on f3." */
export function hintText(game: Game, { from, to }: Move): string {
  const { turn } = game.state;
  if (!turn) return "";
  const move = `${from}-${to}`;
  const squares = game.describe(move).captures.map(({ square }) => square).join(", ");
  const what = effect(game, move, turn);
  return t(`web.hint.${what}`, { move: `${from}–${to}`, squares });
}

/** Returns what a move does, as the end of the key of its text. */
function effect(game: Game, move: string, side: Side): string {
  const before = game.state;
  const { state } = game.play(move);
  if (state.outcome) return state.outcome.winner === side ? "wins" : "plain";
  // Players who call manually have to find the open roads.
  const hasRoads = before.calls.mode !== "manual";
  const isSaved = before.danger?.threatened === true && state.danger?.threatened === false;
  if (side === "attackers" && hasRoads && before.roads.length > 0 && state.roads.length === 0) return "shuts";
  if (side === "defenders" && isSaved) return "saves";
  if ((state.last?.captures.length ?? 0) > 0) return "captures";
  if (side === "defenders" && hasRoads && state.roads.length > before.roads.length) return "opens";
  if (side === "attackers" && state.danger?.threatened && !before.danger?.threatened) return "threatens";
  return "plain";
}
