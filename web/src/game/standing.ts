// How a game at the server stands for the one who looks at it: seats, what can be done, what there is to say.

import type { ClocksView, GameView, LegView } from "../messages.ts";
import type { Side } from "../rules.ts";
import { t } from "../texts.ts";
import type { Action, ActionName, Score, Seat, SeatClock, Table } from "./source.ts";

/** What is known of a game, and when it was heard. */
export interface Known {
  readonly view: GameView;
  /** The leg that is looked at. */
  readonly leg: LegView | undefined;
  /** What the server's clock shows, less what this browser's does. */
  readonly ahead_ms: number;
  /** When it was heard who is there, by this browser's clock. */
  readonly metAt: number;
}

const SIDES: readonly Side[] = ["attackers", "defenders"];

export function playerOf(side: Side, leg: LegView | undefined): number {
  const attackers = leg?.attackers ?? 0;
  return side === "attackers" ? attackers : 1 - attackers;
}

/** The name of a player; guests who give none are told apart where both are. */
export function nameOf({ players, you }: GameView, player: number): string {
  const found = players[player];
  if (found?.level) return t("web.computer", { level: found.level });
  if (you.length === 1 && you.includes(player)) return found?.name || t("web.you");
  if (found?.name || !found) return found?.name ?? t("web.nobody");
  const isAlone = you.length === 1 || players.some((other, seat) => seat !== player && (other?.level || other?.name));
  return isAlone ? t("web.guest") : t(player === 0 ? "web.player.first" : "web.player.second");
}

export function seatOf(known: Known, side: Side): Seat {
  const { view, leg } = known;
  const player = playerOf(side, leg);
  const found = view.players[player];
  const clock = view.clocks && leg === view.legs.at(-1) ? clockOf(known, view.clocks, side) : null;
  return {
    name: nameOf(view, player),
    isYou: view.you.includes(player),
    isAway: view.status === "playing" && found?.level === null && !found.present,
    ...(clock ? { clock } : {}),
  };
}

function clockOf({ view, ahead_ms }: Known, clocks: ClocksView, side: Side): SeatClock {
  const left_ms = side === "attackers" ? clocks.attackers_ms : clocks.defenders_ms;
  const isRunning = clocks.running === side && view.status === "playing";
  return { left_ms, at: clocks.at_ms + clocks.free_ms - ahead_ms, isRunning };
}

/** Whose pieces the one who looks at it moves. */
export function movableIn({ view, leg }: Known): Table["movable"] {
  if (!leg || view.status !== "playing" || leg !== view.legs.at(-1)) return "none";
  const mine = SIDES.filter((side) => view.you.includes(playerOf(side, leg)));
  return mine.length === 2 ? "both" : (mine[0] ?? "none");
}

export function actionsIn(known: Known): Action[] {
  const { status, you, rematch } = known.view;
  if (you.length === 0) return [];
  if (status === "over" || status === "aborted") {
    return [{ name: rematch ? "to_rematch" : rematchName(known.view), isEnabled: mayRematch(known.view) }, { name: "new_game", isEnabled: true }];
  }
  if (status === "between_legs") return [{ name: "next_leg", isEnabled: true }];
  if (status === "waiting") return [{ name: "abort", isEnabled: true, asks: true }];
  return playing(known);
}

function rematchName(view: GameView): ActionName {
  return isTheirs(view, "rematch") ? "accept_rematch" : "rematch";
}

function mayRematch(view: GameView): boolean {
  return view.rematch !== null || (view.status === "over" && !isOurs(view, "rematch"));
}

function playing(known: Known): Action[] {
  const { view, leg } = known;
  if (isTheirs(view, "draw")) return choice("accept_draw", "decline_draw");
  if (isTheirs(view, "takeback")) return choice("accept_takeback", "decline_takeback");
  const played = leg?.plies.length ?? 0;
  const mine = leg?.plies.some((ply) => view.you.includes(playerOf(ply.side, leg))) ?? false;
  const isEarly = played < 2 && leg?.number === 1;
  const undo: Action = { name: "undo", isEnabled: mine && !isOurs(view, "takeback") };
  const last: Action = mayClaim(known)
    ? { name: "claim", isEnabled: true, asks: true }
    : { name: isEarly ? "abort" : "resign", isEnabled: true, asks: true };
  if (view.created.opponent === "computer") {
    return [undo, { name: "hint", isEnabled: leg?.turn === movableIn(known) }, last];
  }
  return [undo, { name: "draw", isEnabled: !isOurs(view, "draw"), asks: true }, last];
}

function isTheirs({ offers, you }: GameView, what: string): boolean {
  return what in offers && !you.includes(offers[what] as number);
}

function isOurs({ offers, you }: GameView, what: string): boolean {
  return what in offers && you.includes(offers[what] as number);
}

function choice(yes: ActionName, no: ActionName): Action[] {
  return [
    { name: yes, isEnabled: true },
    { name: no, isEnabled: true },
  ];
}

/** How long it takes until the game can be claimed, 0 for now, null for never as things stand. */
export function claimableIn({ view, leg, metAt }: Known): number | null {
  const { status, you, players, created } = view;
  if (status !== "playing" || !leg?.turn || you.length !== 1) return null;
  if (created.opponent !== "friend" || created.clock.kind === "days") return null;
  const seat = playerOf(leg.turn, leg);
  const player = players[seat];
  if (!player || you.includes(seat) || player.present) return null;
  return Math.max(0, view.claim_after_ms - player.away_ms - (performance.now() - metAt));
}

function mayClaim(known: Known): boolean {
  return claimableIn(known) === 0;
}

/** What is offered, and by whom; null for nothing. */
export function offerIn({ view }: Known): string | null {
  if (view.you.length === 0) return null;
  const theirs = Object.keys(view.offers).find((what) => isTheirs(view, what));
  if (theirs) return t(`web.offered.${theirs}`);
  return Object.keys(view.offers).length > 0 ? t("web.offering") : null;
}

/** How the two players stand; null if it is no match of two legs. */
export function scoreIn({ view, leg }: Known): Score | null {
  if (view.created.form !== "two_legs") return null;
  const { score, verdict } = view;
  const winner = verdict?.winner ?? null;
  return {
    leg: leg?.number ?? 1,
    legs: 2,
    players: [nameOf(view, 0), nameOf(view, 1)],
    points: [score[0] ?? 0, score[1] ?? 0],
    ...(verdict ? { verdict: { winner: winner === null ? null : winner === 0 ? 0 : 1, by: verdict.decision } } : {}),
  };
}
