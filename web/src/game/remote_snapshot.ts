// What a snapshot of a game at the server contains for this user: seats, actions, offers, score.

import type { ClocksView, GameView, LegView } from "../messages.ts";
import type { Side } from "../rules.ts";
import { t } from "../texts.ts";
import type { Score } from "./match.ts";
import type { Action, ActionName, Seat, SeatClock, Snapshot } from "./source.ts";

/** The last state from the server, and when it came. */
export interface RemoteState {
  readonly view: GameView;
  /** The leg that is shown. */
  readonly leg: LegView | undefined;
  /** The server's clock minus this browser's (`performance.now()`). */
  readonly clockOffset_ms: number;
  /** When the server last said who is connected, by this browser's clock. */
  readonly presenceAt: number;
}

const SIDES: readonly Side[] = ["attackers", "defenders"];

export function playerOf(side: Side, leg: LegView | undefined): number {
  const attackers = leg?.attackers ?? 0;
  return side === "attackers" ? attackers : 1 - attackers;
}

/** Returns the name of a player. Two guests without names are numbered. */
function nameOf({ players, you }: GameView, player: number): string {
  const found = players[player];
  if (found?.level) return t("web.computer", { level: found.level });
  if (you.length === 1 && you.includes(player)) return found?.name || t("web.you");
  if (found?.name || !found) return found?.name ?? t("web.nobody");
  const isAlone = you.length === 1 || players.some((other, seat) => seat !== player && (other?.level || other?.name));
  return isAlone ? t("web.guest") : t(player === 0 ? "web.player.first" : "web.player.second");
}

export function seatOf(state: RemoteState, side: Side): Seat {
  const { view, leg } = state;
  const player = playerOf(side, leg);
  const found = view.players[player];
  const clock = view.clocks && leg === view.legs.at(-1) ? clockOf(state, view.clocks, side) : null;
  return {
    name: nameOf(view, player),
    isYou: view.you.includes(player),
    isAway: view.status === "playing" && found?.level === null && !found.present,
    ...(clock ? { clock } : {}),
  };
}

function clockOf({ view, clockOffset_ms }: RemoteState, clocks: ClocksView, side: Side): SeatClock {
  const left_ms = side === "attackers" ? clocks.attackers_ms : clocks.defenders_ms;
  const isRunning = clocks.running === side && view.status === "playing";
  return { left_ms, at: clocks.at_ms + clocks.free_ms - clockOffset_ms, isRunning };
}

/** Returns whose pieces the user moves. */
export function movableIn({ view, leg }: RemoteState): Snapshot["movable"] {
  if (!leg || view.status !== "playing" || leg !== view.legs.at(-1)) return "none";
  const mine = SIDES.filter((side) => view.you.includes(playerOf(side, leg)));
  return mine.length === 2 ? "both" : (mine[0] ?? "none");
}

export function actionsIn(state: RemoteState): Action[] {
  const { status, you, rematch } = state.view;
  if (you.length === 0) return [];
  if (status === "over" || status === "aborted") {
    return [{ name: rematch ? "to_rematch" : rematchName(state.view), isEnabled: mayRematch(state.view) }, { name: "new_game", isEnabled: true }];
  }
  if (status === "between_legs") return [{ name: "next_leg", isEnabled: true }];
  if (status === "waiting") return [{ name: "abort", isEnabled: true, needsConfirmation: true }];
  return playing(state);
}

function rematchName(view: GameView): ActionName {
  return isTheirs(view, "rematch") ? "accept_rematch" : "rematch";
}

function mayRematch(view: GameView): boolean {
  return view.rematch !== null || (view.status === "over" && !isOurs(view, "rematch"));
}

function playing(state: RemoteState): Action[] {
  const { view, leg } = state;
  if (isTheirs(view, "draw")) return choice("accept_draw", "decline_draw");
  if (isTheirs(view, "takeback")) return choice("accept_takeback", "decline_takeback");
  const played = leg?.plies.length ?? 0;
  const mine = leg?.plies.some((ply) => view.you.includes(playerOf(ply.side, leg))) ?? false;
  const isEarly = played < 2 && leg?.number === 1;
  const undo: Action = { name: "undo", isEnabled: mine && !isOurs(view, "takeback") };
  const last: Action = mayClaim(state)
    ? { name: "claim", isEnabled: true, needsConfirmation: true }
    : { name: isEarly ? "abort" : "resign", isEnabled: true, needsConfirmation: true };
  if (view.created.opponent === "computer") {
    return [undo, { name: "hint", isEnabled: leg?.turn === movableIn(state) }, last];
  }
  return [undo, { name: "draw", isEnabled: !isOurs(view, "draw"), needsConfirmation: true }, last];
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

/** Returns in how many milliseconds the game can be claimed; null if it cannot as things are. */
export function claimableIn({ view, leg, presenceAt }: RemoteState): number | null {
  const { status, you, players, created } = view;
  if (status !== "playing" || !leg?.turn || you.length !== 1) return null;
  if (created.opponent !== "friend" || created.clock.kind === "days") return null;
  const seat = playerOf(leg.turn, leg);
  const player = players[seat];
  if (!player || you.includes(seat) || player.present) return null;
  return Math.max(0, view.claim_after_ms - player.away_ms - (performance.now() - presenceAt));
}

function mayClaim(state: RemoteState): boolean {
  return claimableIn(state) === 0;
}

/** Returns a sentence about an open offer, or null. */
export function offerIn({ view }: RemoteState): string | null {
  if (view.you.length === 0) return null;
  const theirs = Object.keys(view.offers).find((what) => isTheirs(view, what));
  if (theirs) return t(`web.offered.${theirs}`);
  return Object.keys(view.offers).length > 0 ? t("web.offering") : null;
}

/** Returns the score of a match of two legs; null for a single game. */
export function scoreIn({ view, leg }: RemoteState): Score | null {
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
