// The parts of the snapshot of a game at the server: seats, actions, offers, score.

import { classOf } from "../classroom_of_game.ts";
import type { ActionName as CommandName, ClocksView, GameView, LegView } from "../messages.ts";
import type { Side } from "../rules.ts";
import { computerName, recordName, t } from "../texts.ts";
import { withoutCaptures } from "../ui/written_move.ts";
import type { Score } from "./match.ts";
import type { Action, ActionName, Seat, SeatClock, Snapshot } from "./source.ts";

/** The last state from the server, and when it came. */
export interface RemoteState {
  readonly view: GameView;
  /** The leg that is shown. */
  readonly leg: LegView | undefined;
  /** The server's clock minus this browser's (`performance.now()`). */
  readonly clockOffset_ms: number;
  /** The time of the last presence message, by this browser's clock. */
  readonly presenceAt: number;
  /** Whether this is what was seen last, before the server has answered. */
  readonly isSeen: boolean;
}

const OFFERS: Partial<Record<ActionName, CommandName>> = { undo: "offer_takeback", draw: "offer_draw", rematch: "offer_rematch" };

/** Returns the command that an action sends to the server; other commands than offers have the names of actions. */
export function commandOf(name: ActionName): CommandName {
  return OFFERS[name] ?? (name as CommandName);
}

const SIDES: readonly Side[] = ["attackers", "defenders"];

/** Returns the index of the player who has a side in a leg; before the first one, by what the creator chose. */
export function playerOf(side: Side, leg: LegView | undefined, { side: chosen }: GameView["created"]): number {
  const attackers = leg?.attackers ?? (chosen === "defenders" ? 1 : 0);
  return side === "attackers" ? attackers : 1 - attackers;
}

/** Returns the name of a player. Guests without names are numbered at one device, and for spectators of a match. */
function nameOf({ players, you, status, created }: GameView, player: number): string {
  const view = players[player];
  if (view?.level) return computerName(view.level);
  if (you.length === 1 && you.includes(player)) return view?.name || t("web.you");
  if (!view) return t(status === "aborted" ? "web.nobody.joined" : "web.nobody");
  if (view.name) return view.name;
  if (you.length === 1) return t("web.your_opponent");
  if (you.length === 0 && created.form === "single") return t("web.guest");
  return t(player === 0 ? "web.player.first" : "web.player.second");
}

export function seatOf(state: RemoteState, side: Side): Seat {
  const { view, leg } = state;
  const player = playerOf(side, leg, view.created);
  const seated = view.players[player];
  const isTimed = leg === view.legs.at(-1) && view.status !== "aborted";
  const clock = view.clocks && isTimed ? clockOf(state, view.clocks, side) : null;
  return {
    name: nameOf(view, player),
    recordName: seated?.level ? recordName(seated.level) : (seated?.name ?? ""),
    ...(seated?.level ? { nickname: t(`level.named.${seated.level}`) } : {}),
    isYou: view.you.includes(player),
    isDrawn: leg === undefined && view.created.side === "lot",
    isAway: view.status === "playing" && seated?.level === null && !seated.present,
    ...(clock ? { clock } : {}),
  };
}

function clockOf({ view, clockOffset_ms, isSeen }: RemoteState, clocks: ClocksView, side: Side): SeatClock {
  const left_ms = side === "attackers" ? clocks.attackers_ms : clocks.defenders_ms;
  const isRunning = clocks.running === side && view.status === "playing" && !isSeen;
  return { left_ms, at: clocks.at_ms + clocks.free_ms - clockOffset_ms, isRunning };
}

/** Returns whose pieces the user moves. */
export function movableIn({ view, leg, isSeen }: RemoteState): Snapshot["movable"] {
  if (isSeen || !leg || view.status !== "playing" || leg !== view.legs.at(-1)) return "none";
  const mine = SIDES.filter((side) => view.you.includes(playerOf(side, leg, view.created)));
  return mine.length === 2 ? "both" : (mine[0] ?? "none");
}

/** Returns the buttons that the user sees. What the server permits is enabled. */
export function actionsIn(state: RemoteState): Action[] {
  const { view, leg, isSeen } = state;
  if (isSeen) return [];
  const permitted = permittedIn(view);
  const isPermitted = (name: ActionName) => permitted.has(commandOf(name));
  const action = (name: ActionName): Action => ({ name, isEnabled: isPermitted(name) });
  const confirmed = (name: ActionName): Action => ({ ...action(name), needsConfirmation: true });
  const leaving = (name: ActionName): Action => ({ name, isEnabled: true });
  const isDone = view.status === "over" || view.status === "aborted";
  // The next game of a class is the one that its host pairs.
  if (isDone && classOf(view.game)) return [leaving("to_class")];
  const beyond = [...(view.rematch ? [leaving("to_rematch")] : []), leaving("new_game")];
  if (view.status === "aborted") return view.created.open ? [leaving("to_people"), ...beyond] : beyond;
  if (view.you.length === 0) return isDone ? beyond : [];
  if (view.status === "over") {
    if (view.rematch) return beyond;
    if (isPermitted("accept_rematch")) return [action("accept_rematch"), action("decline_rematch"), ...beyond];
    return [action("rematch" in view.offers ? "rematch_offered" : "rematch"), ...beyond];
  }
  if (view.status === "between_legs") return [action("next_leg")];
  if (view.status === "waiting") return [confirmed("abort")];
  if (isPermitted("accept_draw")) return [action("accept_draw"), action("decline_draw")];
  if (isPermitted("accept_takeback")) return [action("accept_takeback"), action("decline_takeback")];
  const draw: Action = { ...confirmed("draw"), question: t("web.ask.offer_draw") };
  const hint: Action = { name: "hint", isEnabled: leg?.turn === movableIn(state) };
  const ending = claimableIn(state) === 0 ? "claim" : isPermitted("abort") ? "abort" : "resign";
  return [action("undo"), view.created.opponent === "computer" ? hint : draw, confirmed(ending)];
}

/** Returns whether a game was cancelled, and when or by whom. */
export function cancelledIn({ status, legs, adjudicated }: GameView): NonNullable<Snapshot["cancelled"]> | null {
  if (status !== "aborted") return null;
  return adjudicated ? "host" : legs.length > 0 ? "begun" : "waiting";
}

/** Returns what the server permits the user; on a shared device both players may do the same. */
function permittedIn({ actions, you }: GameView): ReadonlySet<CommandName> {
  return new Set(you.flatMap((player) => actions[player] ?? []));
}

/** Returns in how many milliseconds the game can be claimed; null if it cannot as things are. */
export function claimableIn({ view, presenceAt }: RemoteState): number | null {
  const opponent = view.players[1 - (view.you[0] ?? 0)];
  if (!permittedIn(view).has("claim") || !opponent || opponent.present) return null;
  return Math.max(0, view.claim_after_ms - opponent.away_ms - (performance.now() - presenceAt));
}

/** Returns what to do about an opponent who has not come to a game between strangers; null otherwise. */
export function absentIn({ view }: RemoteState): string | null {
  const isMissed = view.players[1 - (view.you[0] ?? 0)]?.present === false;
  return view.created.open && isMissed && permittedIn(view).has("abort") ? t("web.absent") : null;
}

/** Returns a sentence about an open offer, or null. */
export function offerIn({ view }: RemoteState): string | null {
  const { offers, you, legs } = view;
  if (you.length === 0) return null;
  const all = Object.entries(offers);
  const [what, player] = all.find(([, one]) => !you.includes(one)) ?? [];
  if (player === undefined) return all.length > 0 ? t("web.offering") : null;
  const { attackers, plies = [] } = legs.at(-1) ?? {};
  const own = plies.findLastIndex(({ side }) => (side === "attackers") === (player === attackers));
  const moves = plies.slice(own).map(({ move }) => withoutCaptures(move)).join(", ");
  return t(`web.offered.${what}`, { name: nameOf(view, player), moves });
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
