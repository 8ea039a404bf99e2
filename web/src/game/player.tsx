// A player: name, side, the pieces that are left, the aim, and the clock.

import { useEffect, useState } from "preact/hooks";
import type { Piece, Side } from "../rules.ts";
import { DATE_LOCALE, plural, t } from "../texts.ts";
import { PieceDrawing } from "../ui/icons.tsx";
import { sideName } from "../variants.ts";
import { capturedUpTo, now, startCount } from "./played_game.ts";
import type { SeatClock, Snapshot } from "./source.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly side: Side;
  readonly at: number;
  readonly isTop: boolean;
  /** Whether the text is turned upside down, for a player opposite. */
  readonly isTurned: boolean;
}

export function Player({ snapshot, side, at, isTop, isTurned }: Props) {
  const { facts, seats } = snapshot;
  const seat = seats[side];
  const isToMove = now(snapshot.line).state.turn === side && !snapshot.isWaiting && !snapshot.cancelled;
  const role = sideName(side);
  const classes = ["player", isTop ? "top-player" : "near-player", isToMove ? "to-move" : "", isTurned ? "turned" : ""];
  return (
    <section class={classes.join(" ").trim()} aria-label={role}>
      <PieceDrawing piece={side === "attackers" ? "attacker" : "king"} />
      <div class="who">
        <b>{seat.name}</b>
        {seat.name !== role && <span class="role">{seat.isDrawn ? t("web.side.drawn") : role}</span>}
        {isToMove && <span class="turn-mark">{seat.isYou ? t("web.turn.you") : t("web.turn")}</span>}
        {seat.isAway && <span class="away">{t("web.away")}</span>}
        <PieceCount snapshot={snapshot} side={side} at={at} />
      </div>
      {seat.clock && <Clock clock={seat.clock} />}
      {!seat.isDrawn && <span class="goal">{facts.goals[side]}</span>}
    </section>
  );
}

/** More pegs than this could not be told apart: a number replaces them. */
const MOST_PEGS = 24;

/** Pegs for pieces, and after them the empty holes of those that were captured. */
function Pegs({ piece, left, captured }: { readonly piece: Piece; readonly left: number; readonly captured: number }) {
  const width = (left + captured) * 13;
  return (
    <svg viewBox={`0 0 ${width} 18`} width={width} height="18" aria-hidden="true">
      {Array.from({ length: left + captured }, (_, index) =>
        index < left ? (
          <use key={index} href={`#piece-${piece}`} x={index * 13 - 1} y={1} width={15} height={15} />
        ) : (
          <circle key={index} class="hole" cx={index * 13 + 6.5} cy={10} r={3.2} />
        ),
      )}
    </svg>
  );
}

/** The soldiers of a side as pegs. A captured one leaves an empty hole. */
function PieceCount({ snapshot, side, at }: Pick<Props, "snapshot" | "side" | "at">) {
  const piece: Piece = side === "attackers" ? "attacker" : "defender";
  const captured = capturedUpTo(snapshot.line, at)[piece];
  const left = startCount(snapshot.line, piece) - captured;
  const label = `${plural("web.tray.left", left)}, ${plural("web.tray.lost", captured)}`;
  if (left + captured <= MOST_PEGS) {
    return (
      <span class="tray" role="img" aria-label={label}>
        <Pegs piece={piece} left={left} captured={captured} />
      </span>
    );
  }
  return (
    <span class="pair tray counted" role="img" aria-label={label}>
      <Pegs piece={piece} left={1} captured={0} />
      {left}
      {captured > 0 && (
        <>
          <Pegs piece={piece} left={0} captured={1} />
          {captured}
        </>
      )}
    </span>
  );
}

const TICK_MS = 100;
const LOW_TIME_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WHEN = new Intl.DateTimeFormat(DATE_LOCALE, { dateStyle: "full", timeStyle: "short" });

function Clock({ clock }: { readonly clock: SeatClock }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!clock.isRunning) return;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [clock]);
  const elapsed = clock.isRunning ? Math.max(0, performance.now() - clock.at) : 0;
  const left = Math.max(0, clock.left_ms - elapsed);
  const isLong = left >= HOUR_MS;
  const kinds = [clock.isRunning && "running", left < LOW_TIME_MS && "little", left >= DAY_MS && "long"];
  return (
    <time
      class={["clock", ...kinds].filter(Boolean).join(" ")}
      role="timer"
      title={isLong && clock.isRunning ? t("web.clock.until", { when: WHEN.format(Date.now() + left) }) : undefined}
    >
      {clockText(left)}
    </time>
  );
}

/** Formats the time that is left: with days, with hours, or with minutes; the last ten seconds with tenths. */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const pad = (value: number) => String(value).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  if (days > 0) return plural("web.clock.days", days, { hours: hours % 24 });
  if (hours > 0) return `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
  if (ms < LOW_TIME_MS) return `0:${pad(seconds)}.${Math.floor((ms % 1000) / 100)}`;
  return `${minutes}:${pad(seconds % 60)}`;
}
