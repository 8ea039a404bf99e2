// What screen readers are told besides the moves, and where the focus goes when what had it is gone.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
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
  }, [snapshot.line, at, snapshot.isWaiting, isLost, isAsked(snapshot)]);
  return event;
}

function eventBetween(before: Shown | null, shown: Shown): string {
  const { line, seats, at } = shown;
  const { turn } = now(line).state;
  const own = ownSide(shown);
  const mover = turn ? t(seats[turn].isYou ? "web.now.yours" : `web.analysis.to_move.${turn}`) : "";
  const wasGoingOn = before && now(before.line).state.turn;
  if (isFirst(shown) && (before ? before.isWaiting || !wasGoingOn : own)) {
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
  if (turn && !wasGoingOn) return `${t("web.voice.goes_on")} ${mover}`;
  if (turn && isAsked(before) && !isAsked(shown)) return t("web.voice.declined");
  if (at === before.at) return "";
  return at === line.games.length - 1 && turn ? `${t("web.voice.present")} ${place} ${mover}` : place;
}

/** Checks whether the user has to answer an offer. */
function isAsked({ actions }: Snapshot): boolean {
  return actions.some(({ name }) => name.startsWith("decline"));
}

/** Checks whether a game has begun, and has no moves yet. */
function isFirst({ line, isWaiting, cancelled }: Snapshot): boolean {
  return !isWaiting && !cancelled && line.games.length === 1 && now(line).state.turn !== null;
}

/** Returns what is said of an earlier position, on which nothing can be played. */
export function earlierPosition(): string {
  return t("web.now.past", { button: t("web.step.last") });
}

/** Checks whether a game of the user's begins. */
export function isBeginning(snapshot: Snapshot): boolean {
  return isFirst(snapshot) && ownSide(snapshot) !== null;
}
