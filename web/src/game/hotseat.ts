// Two people at one device: this browser validates the moves and saves the game.

import { playersHere, savePlayersHere } from "../invites.ts";
import type { Side } from "../rules.ts";
import { t } from "../texts.ts";
import { sideName } from "../variants.ts";
import { LocalGame, type NewLocalGame, newSavedGame } from "./local_game.ts";
import { now } from "./played_game.ts";
import type { Action, Snapshot } from "./source.ts";

interface NewHotSeatGame extends NewLocalGame {
  /** The names of the players, the one with the attackers first; those of the last game if missing. */
  readonly names?: readonly [string, string];
}

export class HotSeat extends LocalGame {
  static begin(wanted: NewHotSeatGame): Promise<HotSeat> {
    const [first = "", second = ""] = wanted.names ?? playersHere();
    return HotSeat.resume({ ...newSavedGame(wanted), names: [first, second] });
  }

  /** Names a player, also for the next games. */
  rename(player: 0 | 1, name: string): void {
    const [first, second] = this.saved.names ?? ["", ""];
    const names: [string, string] = player === 0 ? [name, second] : [first, name];
    savePlayersHere(names);
    this.keep({ names });
  }

  protected override nameOf(player: 0 | 1, side: Side): string {
    const name = this.saved.names?.[player];
    if (name) return name;
    if (this.saved.legCount > 1) return t(player === 0 ? "web.player.first" : "web.player.second");
    return sideName(side);
  }

  protected override get shown(): Pick<Snapshot, "movable" | "notice"> {
    return { movable: now(this.line).state.outcome ? "none" : "both", notice: null };
  }

  protected override get actions(): readonly Action[] {
    const undo: readonly Action[] = this.leg.played.length > 0 ? [{ name: "undo", isEnabled: true }] : [];
    const { turn, outcome } = now(this.line).state;
    if (!outcome) {
      const ending = (["draw", "resign"] as const).map((name) => ({ name, isEnabled: true, needsConfirmation: true }));
      const question = turn ? t(`web.ask.resign.${turn}`) : "";
      return [...undo, ...ending.map((one) => (one.name === "resign" && turn ? { ...one, question } : one))];
    }
    if (!this.isLastLeg) return [...undo, { name: "next_leg", isEnabled: true }];
    return [...undo, { name: "rematch", isEnabled: true }, { name: "new_game", isEnabled: true }];
  }
}
