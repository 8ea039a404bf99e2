// What screen readers are told besides the moves, and where the focus goes when what had it is gone.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import { plural, t } from "../texts.ts";
import { now, plies } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

/** Screen readers read the move first: a sentence that came at once would replace it. */
const AFTER_MOVE_MS = 500;

/** Tells sentences once each, when they are new. */
export function useAnnouncer(element: RefObject<TaflBoard | null>, sentences: readonly string[]): void {
  const told = useRef<readonly string[]>([]);
  const waiting = useRef<readonly string[]>([]);
  useEffect(() => {
    waiting.current = sentences.filter((one) => waiting.current.includes(one) || !told.current.includes(one));
    told.current = sentences;
    if (waiting.current.length === 0) return;
    const timer = setTimeout(() => {
      element.current?.announce(waiting.current.join(" "));
      waiting.current = [];
    }, AFTER_MOVE_MS);
    return () => clearTimeout(timer);
  }, [sentences.join("\n")]);
}

interface Shown {
  readonly at: number;
  readonly plies: number;
  readonly isOver: boolean;
  readonly isWaiting: boolean;
}

/** Returns what has happened that is no move: moves taken back, a new game, a player who came, a look at an earlier position. */
export function useEvent(snapshot: Snapshot, at: number): string {
  const { line } = snapshot;
  const [event, setEvent] = useState("");
  const before = useRef<Shown | null>(null);
  useLayoutEffect(() => {
    const shown = {
      at,
      plies: line.games.length - 1,
      isOver: now(line).state.outcome !== null,
      isWaiting: snapshot.isWaiting ?? false,
    };
    if (before.current) setEvent(eventBetween(before.current, shown, snapshot));
    before.current = shown;
  }, [line, at, snapshot.isWaiting]);
  return event;
}

function eventBetween(before: Shown, shown: Shown, snapshot: Snapshot): string {
  const { line, seats } = snapshot;
  const { turn } = now(line).state;
  const mover = turn ? t(seats[turn].isYou ? "web.now.yours" : `web.analysis.to_move.${turn}`) : "";
  if (before.isWaiting && !shown.isWaiting && !snapshot.cancelled) {
    const other = seats.attackers.isYou ? seats.defenders : seats.attackers;
    return `${t("web.voice.joined", { name: other.name })} ${mover}`;
  }
  if (before.isOver && !shown.isOver && shown.plies === 0) return `${t("web.voice.begins")} ${mover}`;
  const last = plies(line)[shown.at - 1];
  const place = last ? t("web.voice.after", { move: `${last.from}–${last.to}` }) : t("web.analysis.start");
  if (shown.plies < before.plies) return `${plural("web.voice.taken_back", before.plies - shown.plies)} ${place}. ${mover}`;
  if (before.at < before.plies && shown.at === shown.plies && !shown.isOver) return `${t("web.voice.present")} ${mover}`;
  if (shown.at < before.at) return `${place}. ${shown.isOver ? "" : earlierPosition()}`.trim();
  return "";
}

/** Returns what is said of an earlier position, on which nothing can be played. */
export function earlierPosition(): string {
  return t("web.now.past", { button: t("web.step.last") });
}

/** Gives the focus to the end of the game, or to the board, in the same task in which the button or field that had it goes. */
export function useKeptFocus(): void {
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
