// A player: name, side, what is left of his men as pegs in a tray, what he is after, and his clock.

import { useEffect, useState } from "preact/hooks";
import type { Piece, Side } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";
import { sideName } from "./hotseat.ts";
import { PieceDrawing } from "./icons.tsx";
import { lost, now, standingAt } from "./line.ts";
import type { SeatClock, Table } from "./source.ts";

interface Props {
  readonly table: Table;
  readonly side: Side;
  readonly at: number;
  readonly isTop: boolean;
  readonly isTurned: boolean;
}

export function Player({ table, side, at, isTop, isTurned }: Props) {
  const { facts, seats } = table;
  const seat = seats[side];
  const isTheirs = now(table.line).state.turn === side && !table.isWaiting;
  const role = sideName(facts, side);
  const classes = ["player", isTop ? "top-player" : "near-player", isTheirs ? "to-move" : "", isTurned ? "turned" : ""];
  return (
    <section class={classes.join(" ").trim()} aria-label={role}>
      <PieceDrawing piece={side === "attackers" ? "attacker" : "king"} />
      <div class="who">
        <b>{seat.name}</b>
        <Role name={seat.name} role={role} usual={facts.usual?.[side] ?? null} />
        {isTheirs && <span class="turn-mark">{seat.isYou ? t("web.turn.you") : t("web.turn")}</span>}
        {seat.isAway && <span class="away">{t("web.away")}</span>}
        <Tray table={table} side={side} at={at} />
      </div>
      {seat.clock && <Clock clock={seat.clock} />}
      <span class="goal">{facts.goals[side]}</span>
    </section>
  );
}

/** The side where the name does not say it, and what the text's own word for it means. */
function Role({ name, role, usual }: { readonly name: string; readonly role: string; readonly usual: string | null }) {
  if (name === role) return usual ? <span class="role">{usual}</span> : null;
  return <span class="role">{usual ? t("web.explained", { phrase: role, usual }) : role}</span>;
}

/** More than so many could not be told apart: they are counted. */
const MOST_PEGS = 24;

/** One peg, or the hole of one, in front of their number. */
function Pegs({ piece }: { readonly piece: Piece | null }) {
  return (
    <svg viewBox="0 0 13 18" width="13" height="18" aria-hidden="true">
      {piece ? <use href={`#piece-${piece}`} x={-1} y={1} width={15} height={15} /> : <circle class="hole" cx={6.5} cy={10} r={3.2} />}
    </svg>
  );
}

/** The men of a side as pegs; where one has been captured, its hole is left. */
function Tray({ table, side, at }: { readonly table: Table; readonly side: Side; readonly at: number }) {
  const piece: Piece = side === "attackers" ? "attacker" : "defender";
  const men = standingAt(table.line, piece);
  const gone = lost(table.line, at)[piece];
  const label = `${plural("web.tray.left", men - gone)}, ${plural("web.tray.lost", gone)}`;
  const width = men * 13;
  if (men > MOST_PEGS) {
    return (
      <span class="tray counted" role="img" aria-label={label}>
        <Pegs piece={piece} />
        {men - gone}
        {gone > 0 && (
          <>
            <Pegs piece={null} />
            {gone}
          </>
        )}
      </span>
    );
  }
  return (
    <span class="tray" role="img" aria-label={label}>
      <svg viewBox={`0 0 ${width} 18`} width={width} height="18" aria-hidden="true">
        {Array.from({ length: men }, (_, index) =>
          index < men - gone ? (
            <use key={index} href={`#piece-${piece}`} x={index * 13 - 1} y={1} width={15} height={15} />
          ) : (
            <circle key={index} class="hole" cx={index * 13 + 6.5} cy={10} r={3.2} />
          ),
        )}
      </svg>
    </span>
  );
}

const TICK_MS = 100;
const LITTLE_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WHEN = new Intl.DateTimeFormat(LANGUAGE, { weekday: "long", day: "numeric", month: "long", hour: "numeric", minute: "2-digit" });

function Clock({ clock }: { readonly clock: SeatClock }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!clock.isRunning) return;
    const timer = setInterval(() => tick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [clock]);
  const gone = clock.isRunning ? Math.max(0, performance.now() - clock.at) : 0;
  const left = Math.max(0, clock.left_ms - gone);
  const isLong = left >= HOUR_MS;
  const kinds = [clock.isRunning && "running", left < LITTLE_MS && "little", left >= DAY_MS && "long"];
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

/** Writes a time that is left: days and hours, hours and minutes, minutes and seconds, tenths at the end. */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const pad = (value: number) => String(value).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  if (days > 0) return plural("web.clock.days", days, { hours: hours % 24 });
  if (hours > 0) return `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
  if (ms < LITTLE_MS) return `0:${pad(seconds)}.${Math.floor((ms % 1000) / 100)}`;
  return `${minutes}:${pad(seconds % 60)}`;
}
