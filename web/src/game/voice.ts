// What screen readers are told besides the moves, and where the focus goes when what had it is gone.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural, t } from "../texts.ts";
import { placeText } from "../ui/announcer.ts";
import { ownSide } from "./ending.ts";
import { now } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

/** What was shown before. */
type Shown = Snapshot & { readonly at: number };

/** Returns what has happened besides moves: a game that begins, the user's turn, moves taken back, a player or a
 * connection that came, a step to another position. */
export function useEvent(snapshot: Snapshot, at: number): string {
  const [event, setEvent] = useState("");
  const before = useRef<Shown | null>(null);
  const isLost = !!snapshot.lost;
  useLayoutEffect(() => {
    const isBack = before.current?.lost && !isLost;
    setEvent(`${isBack ? t("web.reconnected") : ""} ${eventBetween(before.current, { ...snapshot, at })}`.trim());
    before.current = { ...snapshot, at };
  }, [snapshot.line, at, snapshot.isWaiting, isLost]);
  return event;
}

function eventBetween(before: Shown | null, shown: Shown): string {
  const { line, seats, at } = shown;
  const { turn } = now(line).state;
  const own = ownSide(shown);
  const mover = turn ? t(seats[turn].isYou ? "web.now.yours" : `web.analysis.to_move.${turn}`) : "";
  if (isFirst(shown) && (before ? before.isWaiting || !now(before.line).state.turn : own)) {
    const { name } = seats.attackers.isYou ? seats.defenders : seats.attackers;
    const how = before?.isWaiting ? t("web.voice.joined", { name }) : before && t("web.voice.begins");
    return [how, own && t(`web.voice.side.${own}`), mover].filter(Boolean).join(" ");
  }
  if (!before) return "";
  const more = line.games.length - before.line.games.length;
  // A move tells whose it was; not that the next one is the user's.
  if (more > 0) return turn === own ? mover : "";
  const place = placeText(line.games[at]?.state.last);
  if (more < 0) return `${plural("web.voice.taken_back", -more)} ${place} ${mover}`;
  if (at === before.at) return "";
  return at === line.games.length - 1 && turn ? `${t("web.voice.present")} ${place} ${mover}` : place;
}

/** Checks whether a game has begun, and has no moves yet. */
function isFirst({ line, isWaiting, cancelled }: Snapshot): boolean {
  return !isWaiting && !cancelled && line.games.length === 1 && now(line).state.turn !== null;
}

/** Returns what is said of an earlier position, on which nothing can be played. */
export function earlierPosition(): string {
  return t("web.now.past", { button: t("web.step.last") });
}

/** Gives the focus to the heading of a game that begins; to that of its end, or to the board, in the same task in which the
 * button or field that had it goes. */
export function useKeptFocus(snapshot: Snapshot): void {
  useLayoutEffect(() => {
    const hasCome = isFirst(snapshot) && ownSide(snapshot) !== null;
    if (hasCome && document.activeElement === document.body) document.querySelector("h1")?.focus({ preventScroll: true });
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
