// A game that the server judges. Its moves are played again by the rules here, so that the page knows all about them.

import type { Command, EventMessage, GameView, LegView, ServerMessage } from "../messages.ts";
import type { Outcome, Step } from "../rules.ts";
import { hasText, t } from "../texts.ts";
import { bestMove } from "./analysis.ts";
import type { GameFacts } from "./facts.ts";
import { type Line, beginLine, now, playOn } from "./line.ts";
import { Socket } from "./socket.ts";
import type { ActionName, Source, Table } from "./source.ts";
import { actionsIn, claimableIn, type Known, movableIn, offerIn, scoreIn, seatOf } from "./standing.ts";
import { refusalText } from "./wiring.ts";

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
  /** The position from which every leg begins. */
  readonly #begun: Line;
  #line: Line;
  /** The leg that is looked at, from 0; null for the last one. */
  #shown: number | null = null;
  #isOpen = true;
  #trouble: string | null = null;
  #hint: Step | null = null;
  #isThinking = false;
  #ahead_ms: number;
  #metAt = performance.now();
  #claimTimer = 0;

  private constructor(view: GameView, facts: GameFacts, begun: Line) {
    this.view = view;
    this.#facts = facts;
    this.#begun = begun;
    this.#line = lineOf(begun, view.legs.at(-1));
    this.#ahead_ms = view.now_ms - performance.now();
    this.#socket = new Socket(view.game, {
      greet: () => ({ type: "hello", v: 1, game: view.game, since: this.view.seq }),
      hear: (message) => this.#hear(message),
      changed: (isOpen) => {
        this.#isOpen = isOpen;
        this.#lay();
      },
    });
    this.#lay();
  }

  /** Opens a game; `seen` is which leg to look at, from 1, if not the last. */
  static async open(view: GameView, facts: GameFacts, seen: number | null = null): Promise<RemoteGame> {
    const { calls, start } = view.created;
    const source = new RemoteGame(view, facts, await beginLine(facts, calls, start ?? undefined));
    if (seen !== null) source.showLeg(seen);
    return source;
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
    // What has been asked for is asked once, however often it is clicked until the answer is there.
    if (order && this.#socket.waiting.some((message) => message.type === "command" && message.do === order)) return;
    this.#trouble = null;
    if (order) this.#socket.ask({ type: "command", id: newId(), seq: this.view.seq, do: order });
    else if (name === "hint") void this.#think();
  }

  showLeg(number: number): void {
    const { legs } = this.view;
    this.#shown = number >= 1 && number < legs.length ? number - 1 : null;
    this.#line = lineOf(this.#begun, this.#leg);
    this.#lay();
  }

  get #leg(): LegView | undefined {
    return this.view.legs.at(this.#shown ?? -1);
  }

  #hear(message: ServerMessage): void {
    if (message.type === "state") this.#become(message);
    else if (message.type === "event") this.#take(message);
    else if (message.type === "reject") this.#trouble = rejection(message.code, message.facts);
    else if (message.type === "presence") this.#meet(message.present, message.away_ms, message.watching);
    this.#lay();
  }

  #become(view: GameView): void {
    if (view.legs.length > this.view.legs.length) this.#shown = null;
    this.view = view;
    this.#ahead_ms = view.now_ms - performance.now();
    this.#metAt = performance.now();
    this.#hint = null;
    this.#line = lineOf(this.#begun, this.#leg);
  }

  /** Takes an event. A move that follows is played on; for everything else the whole state is asked for. */
  #take({ seq, ply, after, t_ms, body, actor }: EventMessage): void {
    if (seq <= this.view.seq) return;
    const leg = this.view.legs.at(-1);
    if (body.kind === "declined" && actor !== null && !this.view.you.includes(actor)) {
      this.#trouble = t(`web.declined.${body.what}`);
    }
    if (seq !== this.view.seq + 1 || !ply || !leg || after.outcome || this.#shown !== null) {
      this.#socket.say({ type: "hello", v: 1, game: this.view.game, since: null });
      return;
    }
    // What took long on its way says nothing about the clocks: the fastest message does.
    this.#ahead_ms = Math.max(this.#ahead_ms, t_ms - performance.now());
    this.#line = playOn(this.#line, ply.move, asCall(ply.call));
    this.#hint = null;
    this.#trouble = null;
    const legs = [...this.view.legs.slice(0, -1), { ...leg, plies: [...leg.plies, ply], turn: after.turn }];
    const { status, clocks, offers, score, verdict } = after;
    this.view = { ...this.view, seq, legs, status, clocks, offers, score, verdict };
  }

  #meet(present: readonly boolean[], away_ms: readonly number[], watching: number): void {
    const players = this.view.players.map(
      (player, seat) => player && { ...player, present: present[seat] ?? false, away_ms: away_ms[seat] ?? 0 },
    );
    this.view = { ...this.view, players, watching };
    this.#metAt = performance.now();
  }

  async #think(): Promise<void> {
    const line = this.#line;
    this.#isThinking = true;
    this.#lay();
    const { variant, switches, start } = this.view.created;
    const found = await bestMove({ variant, switches, start }, line).catch(() => null);
    this.#isThinking = false;
    if (line === this.#line) {
      this.#hint = found;
      if (!found) this.#trouble = t("web.hint.none");
    }
    this.#lay();
  }

  get #known(): Known {
    return { view: this.view, leg: this.#leg, ahead_ms: this.#ahead_ms, metAt: this.#metAt };
  }

  #lay(): void {
    const known = this.#known;
    const { created, watching, you, legs } = this.view;
    this.table = {
      facts: this.#facts,
      line: this.#line,
      mode: created.calls,
      seats: { attackers: seatOf(known, "attackers"), defenders: seatOf(known, "defenders") },
      movable: movableIn(known),
      actions: actionsIn(known),
      score: scoreIn(known),
      notice: this.#notice(known),
      pending: this.#pending(),
      hint: this.#hint,
      isWaiting: this.view.status === "waiting",
      isSlow: created.clock.kind === "days",
      watching: you.length > 0 ? watching : Math.max(0, watching - 1),
      legs: { shown: this.#leg?.number ?? 1, count: legs.length },
    };
    this.#awaitClaim(known);
    for (const tell of this.#told) tell();
  }

  #notice(known: Known): string | null {
    if (!this.#isOpen) return t(this.view.you.length > 0 ? "web.reconnecting" : "web.reconnecting.watching");
    if (this.#isThinking) return t("web.hint.thinking");
    return this.#trouble ?? offerIn(known);
  }

  /** The move that was sent and is not answered yet, if it can still be what happens next. */
  #pending(): Step | null {
    const asked = this.#socket?.waiting.findLast((message) => message.type === "move");
    if (asked?.type !== "move" || this.#shown !== null) return null;
    try {
      const { from, to } = now(this.#line).describe(asked.move);
      return { from, to };
    } catch {
      return null;
    }
  }

  /** Lays the table again when the game of somebody who has gone can be claimed. */
  #awaitClaim(known: Known): void {
    clearTimeout(this.#claimTimer);
    const left = claimableIn(known);
    if (left) this.#claimTimer = window.setTimeout(() => this.#lay(), left + 50);
  }
}

/** Plays a leg again. */
function lineOf(begun: Line, leg: LegView | undefined): Line {
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
