// A game whose moves the server validates. They are replayed here by the rules, so that the page knows every position.

import { getJson } from "../http.ts";
import type { EventMessage, GameView, LegView, ServerMessage } from "../messages.ts";
import type { Move, Outcome } from "../rules.ts";
import { hasText, plural, t } from "../texts.ts";
import type { Call } from "../ui/call_choice.tsx";
import { refusalText } from "../ui/refusals.ts";
import { variantFacts } from "../variant_facts.ts";
import type { VariantFacts } from "../variants.ts";
import { bestMove } from "./engine.ts";
import { hintText } from "./hint.ts";
import { beginPlayedGame, ended, type PlayedGame, now, playOn } from "./played_game.ts";
import { absentIn, actionsIn, cancelledIn, claimableIn, commandOf, movableIn, offerIn, type RemoteState, scoreIn, seatOf } from "./remote_snapshot.ts";
import { keepSeen, type SeenGame } from "./seen_games.ts";
import { type Connection, Socket } from "./socket.ts";
import type { ActionName, GameSetup, GameSource, Snapshot } from "./source.ts";

/** Gets a game from the server, as the user may see it. */
export function fetchGame(game: string): Promise<GameView> {
  return getJson(`/api/games/${game}`);
}

/** The computer's answer is shown after this time at least, and up to this much later. */
const LEAST_ANSWER_MS = 600;
const SPREAD_MS = 200;
/** Changes of a game within this time are kept together. */
const KEEP_MS = 300;

/** Up to how many seconds a time to wait is told in seconds, and up to how many minutes in minutes (`refusal.py`). */
const [SECONDS, MINUTES] = [60, 120];

export class RemoteGame implements GameSource {
  snapshot!: Snapshot;
  view: GameView;
  readonly facts: VariantFacts;
  readonly #socket: Socket;
  readonly #listeners = new Set<() => void>();
  /** The position that every leg begins from. */
  readonly #start: PlayedGame;
  #line: PlayedGame;
  /** The index of the leg that is shown; null for the last one. */
  #shown: number | null = null;
  #connection: Connection = "open";
  /** Whether the game is shown as it was seen last, until the server answers: nothing can be done in it. */
  #isSeen: boolean;
  #keepTimer = 0;
  /** The failure that is shown. */
  #failure: string | null = null;
  #hint: Move | null = null;
  #isThinking = false;
  /** The server's clock minus this browser's (`performance.now()`). */
  #clockOffset_ms: number;
  /** The time of the last presence message. */
  #presenceAt = performance.now();
  #claimTimer = 0;
  /** When the user moved last. */
  #moved_at = -Infinity;
  /** Messages that wait for a move of the computer that is held back. */
  readonly #held: ServerMessage[] = [];

  private constructor({ view, facts }: SeenGame, start: PlayedGame, isSeen: boolean) {
    this.view = view;
    this.#isSeen = isSeen;
    this.facts = facts;
    this.#start = start;
    this.#line = playedGameOf(start, view.legs.at(-1));
    this.#clockOffset_ms = view.now_ms - performance.now();
    this.#socket = new Socket(view.game, {
      greeting: () => ({ type: "hello", v: 1, game: view.game, since: this.#isSeen ? null : this.view.seq }),
      onMessage: (message) => this.#receive(message),
      onConnection: (connection) => {
        if (connection === this.#connection) return;
        this.#connection = connection;
        this.#publish();
      },
    });
    addEventListener("pagehide", () => this.#keep());
    this.#publish();
  }

  /** Opens a game at its last leg, or at another one, counted from 1. */
  static async open(view: GameView, leg: number | null = null): Promise<RemoteGame> {
    return RemoteGame.#opened({ view, facts: await factsOf(view) }, leg, false);
  }

  /** Opens a game as it was seen last. It goes on when the server answers. */
  static openSeen(seen: SeenGame, leg: number | null = null): Promise<RemoteGame> {
    return RemoteGame.#opened(seen, leg, true);
  }

  static async #opened(seen: SeenGame, leg: number | null, isSeen: boolean): Promise<RemoteGame> {
    const { calls, start } = seen.view.created;
    const source = new RemoteGame(seen, await beginPlayedGame(seen.facts, calls, start), isSeen);
    if (leg !== null) source.showLeg(leg);
    return source;
  }

  get setup(): GameSetup {
    return this.view.created;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  move(move: string, call: Call): void {
    now(this.#line).describe(move);
    this.#moved_at = performance.now();
    this.#failure = null;
    this.#socket.request({ type: "move", id: newId(), seq: this.view.seq, move, call });
    this.#publish();
  }

  act(name: ActionName): void {
    this.#failure = null;
    if (name === "hint") return void this.#findHint();
    const command = commandOf(name);
    // A double click sends one command.
    if (this.#socket.unanswered.some((message) => message.type === "command" && message.do === command)) return;
    this.#socket.request({ type: "command", id: newId(), seq: this.view.seq, do: command });
  }

  showLeg(number: number): void {
    const { legs } = this.view;
    this.#shown = number >= 1 && number < legs.length ? number - 1 : null;
    this.#line = playedGameOf(this.#start, this.#leg);
    this.#publish();
  }

  get #leg(): LegView | undefined {
    return this.view.legs.at(this.#shown ?? -1);
  }

  /** Receives messages in their order; a move of the computer waits until it can be seen as an answer. */
  #receive(message: ServerMessage): void {
    const wait_ms = this.#isAnswer(message) ? this.#moved_at + LEAST_ANSWER_MS + Math.random() * SPREAD_MS - performance.now() : 0;
    if (wait_ms <= 0 && this.#held.length === 0) return this.#take(message);
    this.#held.push(message);
    if (this.#held.length === 1) setTimeout(() => this.#held.splice(0).forEach((one) => this.#take(one)), wait_ms);
  }

  #isAnswer(message: ServerMessage): boolean {
    const { created, you } = this.view;
    const isMove = message.type === "event" && message.ply !== null && message.actor !== null;
    return isMove && created.opponent === "computer" && !you.includes(message.actor as number);
  }

  #take(message: ServerMessage): void {
    if (message.type === "state" || message.type === "event") {
      clearTimeout(this.#keepTimer);
      this.#keepTimer = window.setTimeout(() => this.#keep(), KEEP_MS);
    }
    if (message.type === "state") this.#setState(message);
    else if (message.type === "event") this.#applyEvent(message);
    else if (message.type === "reject") this.#failure = rejectionText(message.code, message.facts);
    else if (message.type === "presence") this.#setPresence(message.present, message.away_ms, message.watching);
    this.#publish();
  }

  #keep(): void {
    if (!this.#isSeen) keepSeen({ view: this.view, facts: this.facts });
  }

  #setState(view: GameView): void {
    this.#isSeen = false;
    const was = JSON.stringify(this.#leg);
    if (view.legs.length > this.view.legs.length) this.#shown = null;
    this.view = view;
    this.#clockOffset_ms = view.now_ms - performance.now();
    this.#presenceAt = performance.now();
    this.#hint = null;
    // An offer, or a connection that is back, is no other game: the review of this one stays.
    if (JSON.stringify(this.#leg) !== was) this.#line = playedGameOf(this.#start, this.#leg);
  }

  /** Applies an event: plays a move that follows the state, and requests the whole state for everything else. */
  #applyEvent({ seq, ply, after, t_ms, body, actor }: EventMessage): void {
    if (seq <= this.view.seq) return;
    const leg = this.view.legs.at(-1);
    this.#failure = null;
    if (body.kind === "declined" && actor !== null && !this.view.you.includes(actor)) {
      this.#failure = t(`web.declined.${body.what}`);
    }
    if (seq !== this.view.seq + 1 || !ply || !leg || after.outcome || this.#shown !== null) {
      this.#socket.send({ type: "hello", v: 1, game: this.view.game, since: null });
      return;
    }
    // The message with the least delay measures the offset best.
    this.#clockOffset_ms = Math.max(this.#clockOffset_ms, t_ms - performance.now());
    this.#line = playOn(this.#line, ply.move, asCall(ply.call));
    this.#hint = null;
    const legs = [...this.view.legs.slice(0, -1), { ...leg, plies: [...leg.plies, ply], turn: after.turn }];
    const { status, clocks, offers, score, verdict, actions } = after;
    this.view = { ...this.view, seq, legs, status, clocks, offers, score, verdict, actions };
  }

  #setPresence(present: readonly boolean[], away_ms: readonly number[], watching: number): void {
    const players = this.view.players.map(
      (player, seat) => player && { ...player, present: present[seat] ?? false, away_ms: away_ms[seat] ?? 0 },
    );
    this.view = { ...this.view, players, watching };
    this.#presenceAt = performance.now();
  }

  async #findHint(): Promise<void> {
    const line = this.#line;
    this.#isThinking = true;
    this.#publish();
    const hint = await bestMove(this.setup, line).catch(() => null);
    this.#isThinking = false;
    if (line === this.#line) {
      this.#hint = hint;
      if (!hint) this.#failure = t("web.hint.none");
    }
    this.#publish();
  }

  #publish(): void {
    const state: RemoteState = {
      view: this.view,
      leg: this.#leg,
      clockOffset_ms: this.#clockOffset_ms,
      presenceAt: this.#presenceAt,
      isSeen: this.#isSeen,
    };
    const { created, watching, you, legs } = this.view;
    this.snapshot = {
      facts: this.facts,
      line: this.#line,
      mode: created.calls,
      seats: { attackers: seatOf(state, "attackers"), defenders: seatOf(state, "defenders") },
      movable: movableIn(state),
      actions: actionsIn(state),
      score: scoreIn(state),
      lost: this.#lost(),
      notice: this.#notice(state),
      pending: this.#pending(),
      hint: this.#hint,
      isWaiting: this.view.status === "waiting",
      cancelled: cancelledIn(this.view),
      isSlow: created.clock.kind === "days",
      watching: you.length > 0 ? watching : Math.max(0, watching - 1),
      legs: { shown: this.#leg?.number ?? 1, count: legs.length },
    };
    this.#awaitClaim(state);
    for (const listener of this.#listeners) listener();
  }

  #lost(): string | null {
    if (this.#isSeen) return t("web.seen");
    if (this.#connection !== "lost") return null;
    if (this.#pending()) return t("web.reconnecting.sent");
    const { clocks, you } = this.view;
    return t(clocks && you.length > 0 ? "web.reconnecting" : "web.reconnecting.plain");
  }

  #notice(state: RemoteState): string | null {
    if (this.#connection === "failing") return t("web.not_saved");
    if (this.#isThinking) return t("web.hint.thinking");
    return this.#failure ?? offerIn(state) ?? (this.#hint && hintText(now(this.#line), this.#hint)) ?? absentIn(state);
  }

  /** Returns the move that was sent and is not answered yet, if it is still legal. */
  #pending(): Move | null {
    const sent = this.#socket.unanswered.findLast((message) => message.type === "move");
    if (sent?.type !== "move" || this.#shown !== null) return null;
    try {
      const { from, to } = now(this.#line).describe(sent.move);
      return { from, to };
    } catch {
      return null;
    }
  }

  /** Publishes again when a player has been away long enough for the game to be claimed. */
  #awaitClaim(state: RemoteState): void {
    clearTimeout(this.#claimTimer);
    const wait_ms = claimableIn(state);
    if (wait_ms) this.#claimTimer = window.setTimeout(() => this.#publish(), wait_ms + 50);
  }
}

/** Returns the facts of a game, with the rules it began with: those of its variant may have been corrected since. */
async function factsOf({ game, created }: GameView): Promise<VariantFacts> {
  const found = await variantFacts(created.variant, created);
  const { sanction, replay, wrong_number } = created;
  const facts = { ...found, calls: found.calls && { ...found.calls, sanction, replay, wrong_number } };
  return facts.hash === created.rules ? facts : { ...facts, tree: await getJson(`/api/games/${game}/rules`) };
}

/** Replays a leg. */
function playedGameOf(start: PlayedGame, leg: LegView | undefined): PlayedGame {
  if (!leg) return start;
  const played = leg.plies.reduce((line, ply) => playOn(line, ply.move, asCall(ply.call)), start);
  return ended(played, leg.outcome as Outcome | null);
}

function asCall(call: number): Call {
  return call === 1 || call === 2 ? call : 0;
}

function rejectionText(code: string, facts: Readonly<Record<string, string>>): string {
  if (!hasText(`error.${code}`)) return t("web.rejected");
  const text = refusalText({ code, facts });
  const wait_s = Number(facts["retry_after_s"]);
  return wait_s ? `${text} ${waitText(wait_s)}` : text;
}

/** Returns when a command may be repeated, in a unit that fits. */
function waitText(wait_s: number): string {
  if (wait_s <= SECONDS) return plural("error.try_again.seconds", wait_s);
  const minutes = Math.ceil(wait_s / 60);
  return minutes <= MINUTES ? plural("error.try_again.minutes", minutes) : plural("error.try_again.hours", Math.ceil(wait_s / 3600));
}

function newId(): string {
  return crypto.randomUUID?.() ?? Math.random().toString(36).slice(2);
}
