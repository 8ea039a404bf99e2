// Whose turn it is, in the title of the tab and on the icon of the installed application.

import { useEffect } from "preact/hooks";
import { t } from "../texts.ts";
import { gameTitle } from "../variants.ts";
import { now } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

interface Badges {
  setAppBadge?(count: number): Promise<void>;
  clearAppBadge?(): Promise<void>;
}

/** Checks whether a game waits for the user. Two people at one device see whose turn it is on the board. */
export function isYourTurn({ line, seats, movable, isWaiting }: Snapshot): boolean {
  const { turn } = now(line).state;
  return turn !== null && !isWaiting && movable === turn && seats[turn].isYou;
}

export function useTabTitle(snapshot: Snapshot | null): void {
  const name = snapshot ? gameTitle(snapshot.facts) : undefined;
  const isYours = snapshot !== null && isYourTurn(snapshot);
  useEffect(() => {
    if (name === undefined) return;
    document.title = `${isYours ? `${t("web.title.turn")} · ` : ""}${name} · Hnefi`;
    const badges = navigator as Badges;
    // A browser may refuse: then there is no badge.
    const change = isYours ? badges.setAppBadge?.(1) : badges.clearAppBadge?.();
    change?.catch(() => undefined);
  }, [name, isYours]);
}
