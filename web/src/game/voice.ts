// What screen readers are told besides the moves, and where the focus goes when what had it is gone.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural, t } from "../texts.ts";
import { placeText } from "../ui/announcer.ts";
import { ownSide } from "./ending.ts";
import { now } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

interface Shown {
  readonly at: number;
  readonly plies: number;
  readonly isOver: boolean;
  readonly isWaiting: boolean;
  readonly isLost: boolean;
}

/** Returns what has happened besides moves: a game that begins, the user's turn, moves taken back, a player or a
 * connection that came, a step to another position. */
export function useEvent(snapshot: Snapshot, at: number): string {
  const { line } = snapshot;
  const [event, setEvent] = useState("");
  const before = useRef<Shown | null>(null);
  const isWaiting = snapshot.isWaiting ?? false;
  const isLost = (snapshot.lost ?? null) !== null;
  useLayoutEffect(() => {
    const shown = { at, plies: line.games.length - 1, isOver: now(line).state.outcome !== null, isWaiting, isLost };
    const isBack = before.current?.isLost && !isLost;
    setEvent([isBack && t("web.reconnected"), eventBetween(before.current, shown, snapshot)].filter(Boolean).join(" "));
    before.current = shown;
  }, [line, at, isWaiting, isLost]);
  return event;
}

function eventBetween(before: Shown | null, shown: Shown, snapshot: Snapshot): string {
  const { line, seats } = snapshot;
  const { turn } = now(line).state;
  const own = ownSide(snapshot);
  const mover = turn ? t(seats[turn].isYou ? "web.now.yours" : `web.analysis.to_move.${turn}`) : "";
  const roles = own ? `${t(`web.voice.side.${own}`)} ${mover}` : mover;
  if (!before) return isBegun(snapshot) ? roles : "";
  if (before.isWaiting && !shown.isWaiting && !snapshot.cancelled) {
    const other = seats.attackers.isYou ? seats.defenders : seats.attackers;
    return `${t("web.voice.joined", { name: other.name })} ${roles}`;
  }
  if (before.isOver && !shown.isOver && shown.plies === 0) return `${t("web.voice.begins")} ${roles}`;
  const place = placeText(line.games[shown.at]?.state.last);
  if (shown.plies < before.plies) return `${plural("web.voice.taken_back", before.plies - shown.plies)} ${place} ${mover}`;
  // A move tells whose it was; not that the next one is the user's.
  if (shown.plies > before.plies) return turn === own ? mover : "";
  if (shown.at === before.at) return "";
  return shown.at === shown.plies && !shown.isOver ? `${t("web.voice.present")} ${place} ${mover}` : place;
}

/** Checks whether the user, who has one side, has come to a game without moves. */
function isBegun(snapshot: Snapshot): boolean {
  const { games } = snapshot.line;
  return ownSide(snapshot) !== null && !snapshot.isWaiting && games.length === 1 && games[0]?.state.turn !== null;
}

/** Returns what is said of an earlier position, on which nothing can be played. */
export function earlierPosition(): string {
  return t("web.now.past", { button: t("web.step.last") });
}

/** Gives the focus to the heading of a game that begins; to that of its end, or to the board, in the same task in which the
 * button or field that had it goes. */
export function useKeptFocus(snapshot: Snapshot): void {
  useLayoutEffect(() => {
    if (isBegun(snapshot) && document.activeElement === document.body) document.querySelector("h1")?.focus({ preventScroll: true });
  }, []);
  const hasFocus = useRef(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("focusin", () => (hasFocus.current = true), { signal });
    // A click beside everything takes the focus away on purpose.
    document.addEventListener("pointerdown", () => (hasFocus.current = false), { signal });
    return () => stop.abort();
  }, []);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    // What is hidden loses the focus only with the next frame.
    if (!hasFocus.current || (activeElement !== body && activeElement?.checkVisibility())) return;
    const board = document.querySelector("tafl-board");
    const heading = document.getElementById("ending");
    if (heading) heading.focus();
    else board?.focusSquare(board.state?.last?.to ?? board.state?.king ?? "a1");
  });
}
