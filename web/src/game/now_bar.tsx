// Whose turn it is, and what was played last: between the opponent and the moves.

import type { Side } from "../rules.ts";
import { t } from "../texts.ts";
import { sideName } from "../variants.ts";
import { now } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

export function NowBar({ snapshot }: { readonly snapshot: Snapshot }) {
  const { turn, last } = now(snapshot.line).state;
  if (turn === null || snapshot.isWaiting || snapshot.cancelled) return null;
  const { name, isYou } = snapshot.seats[turn];
  const squares = last?.captures.map(({ square }) => square).join(", ") ?? "";
  return (
    <p class={isYou ? "now yours" : "now"}>
      <b>{isYou ? t("web.now.yours") : theirTurn(name, turn)}</b>
      {last && <span>{squares ? t("web.now.captured", { squares }) : t("web.now.last", { move: `${last.from}–${last.to}` })}</span>}
    </p>
  );
}

/** Returns whose turn it is. A player without a name has that of the side, which is a plural. */
function theirTurn(name: string, side: Side): string {
  return name === sideName(side) ? t(`web.analysis.to_move.${side}`) : t("web.now.theirs", { name });
}
