// A game that the server judges. Its moves are played again by the rules here, so that the page knows all about them.

import type { ClocksView, Command, EventMessage, GameView, LegView, ServerMessage } from "../messages.ts";
import type { Outcome, Side } from "../rules.ts";
import { hasText, t } from "../texts.ts";
import { refusalText } from "./board.tsx";
import type { GameFacts } from "./facts.ts";
import { type Line, beginLine, now, playOn } from "./line.ts";
import { Socket } from "./socket.ts";
import type { Action, ActionName, Score, Seat, SeatClock, Source, Table } from "./source.ts";

const ORDERS: Partial<Record<ActionName, Command["do"]>> = {
  undo: "offer_takeback",
  draw: "offer_draw",
  resign: "resign",
  abort: "abort",
  claim: "claim",
  accept_draw: "accept_draw",
  decline_draw: "decline_draw",
  accept_takeback: "accept_takeback",
  decline_takeback: "decline_takeback",
  next_leg: "next_leg",
  rematch: "offer_rematch",
  accept_rematch: "accept_rematch",
};

export class RemoteGame implements Source {
  table: Table | null = null;
  view: GameView;
  readonly #facts: GameFacts;
  readonly #socket: Socket;
  readonly #told = new Set<() => void>();
  #line: Line;
  #isOpen = true;
  #trouble: string | null = null;
  /** What the server's clock shows, less what this browser's does. */
  #ahead_ms: number;

  private constructor(view: GameView, facts: GameFacts, line: Line) {
    this.view = view;
    this.#facts = facts;
    this.#line = line;
    this.#ahead_ms = view.now_ms - performance.now();
    this.#lay();
    this.#socket = new Socket(view.game, {
      greet: () => ({ type: "hello", v: 1, game: view.game, since: null }),
      hear: (message) => void this.#hear(message),
      changed: (isOpen) => {
        this.#isOpen = isOpen;
        this.#lay();
      },
    });
  }

  static async open(view: GameView, facts: GameFacts): Promise<RemoteGame> {
    return new RemoteGame(view, facts, await lineOf(view, facts));
  }

  subscribe(told: () => void): () => void {
    this.#told.add(told);
    return () => this.#told.delete(told);
  }

  move(move: string, call: 0 | 1 | 2): void {
    now(this.#line).describe(move);
    this.#trouble = null;
    this.#socket.ask({ type: "move", id: newId(), seq: this.view.seq, move, call });
    this.#lay();
  }

  act(name: ActionName): void {
    const order = ORDERS[name];
    if (order) this.#socket.ask({ type: "command", id: newId(), seq: this.view.seq, do: order });
  }

  async #hear(message: ServerMessage): Promise<void> {
    if (message.type === "state") {
      this.view = message;
      this.#ahead_ms = message.now_ms - performance.now();
      this.#line = await lineOf(message, this.#facts);
    } else if (message.type === "event") this.#take(message);
    else if (message.type === "reject") this.#trouble = rejection(message.code, message.facts);
    else if (message.type === "presence") this.#meet(message.present, message.away_ms);
    this.#lay();
  }

  /** Takes an event. A move that follows is played on; for everything else the whole state is asked for. */
  #take({ seq, ply, after, t_ms }: EventMessage): void {
    if (seq <= this.view.seq) return;
    const isNext = seq === this.view.seq + 1;
    const leg = this.view.legs.at(-1);
    if (!isNext || !ply || !leg || after.outcome) {
      this.#socket.say({ type: "hello", v: 1, game: this.view.game, since: null });
      return;
    }
    this.#ahead_ms = Math.max(this.#ahead_ms, t_ms - performance.now());
    this.#line = playOn(this.#line, ply.move, asCall(ply.call));
    const legs = [...this.view.legs.slice(0, -1), { ...leg, plies: [...leg.plies, ply], turn: after.turn }];
    const { status, clocks, offers, score, verdict } = after;
    this.view = { ...this.view, seq, legs, status, clocks, offers, score, verdict };
  }

  #meet(present: readonly boolean[], away_ms: readonly number[]): void {
    const players = this.view.players.map(
      (player, seat) => player && { ...player, present: present[seat] ?? false, away_ms: away_ms[seat] ?? 0 },
    );
    this.view = { ...this.view, players };
  }

  #lay(): void {
    const leg = this.view.legs.at(-1);
    this.table = {
      facts: this.#facts,
      line: this.#line,
      mode: this.view.created.calls,
      seats: { attackers: this.#seat("attackers", leg), defenders: this.#seat("defenders", leg) },
      movable: this.#movable(leg),
      actions: this.#actions(leg),
      score: this.view.created.form === "two_legs" ? this.#score() : null,
      notice: this.#isOpen ? (this.#trouble ?? this.#offer()) : t("web.reconnecting"),
      isPending: this.#socket?.isWaiting ?? false,
      isSlow: this.view.created.clock.kind === "days",
    };
    for (const tell of this.#told) tell();
  }

  #playerOf(side: Side, leg: LegView | undefined): number {
    const attackers = leg?.attackers ?? 0;
    return side === "attackers" ? attackers : 1 - attackers;
  }

  #name(player: number): string {
    const found = this.view.players[player];
    if (found?.level) return t("web.computer", { level: found.level });
    if (this.view.you.length === 1 && this.view.you.includes(player)) return found?.name || t("web.you");
    return found?.name || t(found ? "web.guest" : "web.nobody");
  }

  #seat(side: Side, leg: LegView | undefined): Seat {
    const player = this.#playerOf(side, leg);
    const found = this.view.players[player];
    const clock = this.view.clocks && this.#clock(side, this.view.clocks);
    return {
      name: this.#name(player),
      isYou: this.view.you.includes(player),
      isAway: this.view.status === "playing" && found?.level === null && !found.present,
      ...(clock ? { clock } : {}),
    };
  }

  #clock(side: Side, clocks: ClocksView): SeatClock {
    const left_ms = side === "attackers" ? clocks.attackers_ms : clocks.defenders_ms;
    const isRunning = clocks.running === side && this.view.status === "playing";
    return { left_ms, at: clocks.at_ms + clocks.free_ms - this.#ahead_ms, isRunning };
  }

  #movable(leg: LegView | undefined): Table["movable"] {
    if (!leg || this.view.status !== "playing") return "none";
    const mine = (["attackers", "defenders"] as const).filter((side) =>
      this.view.you.includes(this.#playerOf(side, leg)),
    );
    return mine.length === 2 ? "both" : (mine[0] ?? "none");
  }

  #actions(leg: LegView | undefined): Action[] {
    const { status, you, offers } = this.view;
    if (you.length === 0) return [];
    const isTheirs = (what: string) => what in offers && !you.includes(offers[what] as number);
    const isOurs = (what: string) => what in offers && you.includes(offers[what] as number);
    if (status === "over" || status === "aborted") {
      const rematch: Action = isTheirs("rematch")
        ? { name: "accept_rematch", isEnabled: true }
        : { name: "rematch", isEnabled: status === "over" && !isOurs("rematch") };
      return [rematch, { name: "new_game", isEnabled: true }];
    }
    if (status === "between_legs") return [{ name: "next_leg", isEnabled: true }];
    if (status === "waiting") return [{ name: "abort", isEnabled: true, asks: true }];
    if (isTheirs("draw")) return choice("accept_draw", "decline_draw");
    if (isTheirs("takeback")) return choice("accept_takeback", "decline_takeback");
    const played = leg?.plies.length ?? 0;
    const leaving: Action = { name: played < 2 ? "abort" : "resign", isEnabled: true, asks: true };
    const last: Action = this.#mayClaim() ? { name: "claim", isEnabled: true } : leaving;
    return [
      { name: "undo", isEnabled: played > 0 && !isOurs("takeback") },
      { name: "draw", isEnabled: !isOurs("draw"), asks: true },
      last,
    ];
  }

  #mayClaim(): boolean {
    return this.view.players.some(
      (player, seat) =>
        player !== null &&
        player.level === null &&
        !this.view.you.includes(seat) &&
        !player.present &&
        player.away_ms >= this.view.claim_after_ms,
    );
  }

  #offer(): string | null {
    const found = Object.entries(this.view.offers).find(([, player]) => !this.view.you.includes(player));
    if (found) return t(`web.offered.${found[0]}`);
    return Object.keys(this.view.offers).length > 0 ? t("web.offering") : null;
  }

  #score(): Score {
    const { score, verdict } = this.view;
    const winner = verdict?.winner ?? null;
    return {
      leg: Math.max(1, this.view.legs.length),
      legs: 2,
      players: [this.#name(0), this.#name(1)],
      points: [score[0] ?? 0, score[1] ?? 0],
      ...(verdict ? { verdict: { winner: winner === null ? null : winner === 0 ? 0 : 1, by: verdict.decision } } : {}),
    };
  }
}

function choice(yes: ActionName, no: ActionName): Action[] {
  return [
    { name: yes, isEnabled: true },
    { name: no, isEnabled: true },
  ];
}

/** Plays the last leg of a game again. */
async function lineOf({ created, legs }: GameView, facts: GameFacts): Promise<Line> {
  const begun = await beginLine(facts, created.calls, created.start ?? undefined);
  const leg = legs.at(-1);
  if (!leg) return begun;
  const played = leg.plies.reduce((line, ply) => playOn(line, ply.move, asCall(ply.call)), begun);
  const outcome = leg.outcome as Outcome | null;
  if (!outcome || now(played).state.outcome) return played;
  const over = now(played).end(outcome.winner, outcome.reason);
  return { ...played, games: [...played.games.slice(0, -1), over] };
}

function asCall(call: number): 0 | 1 | 2 {
  return call === 1 || call === 2 ? call : 0;
}

function rejection(code: string, facts: Readonly<Record<string, string>>): string {
  return hasText(`error.${code}`) ? refusalText(code, facts) : t("web.rejected");
}

function newId(): string {
  return crypto.randomUUID?.() ?? Math.random().toString(36).slice(2);
}
