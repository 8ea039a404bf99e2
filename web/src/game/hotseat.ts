// Two people at one device: the game is played by the rules in this browser, and kept there.

import type { Outcome, Side } from "../rules.ts";
import { t } from "../texts.ts";
import type { Ground } from "./analysis.ts";
import { type GameFacts, other } from "./facts.ts";
import { type CallMode, type Line, beginLine, captured, now, playOn, replay } from "./line.ts";
import { type PlayedLeg, pointsOf, verdictOn } from "./match.ts";
import { follow, type KeptGame, type KeptLeg, keep } from "./shelf.ts";
import type { Action, ActionName, Score, Seat, Source, Table } from "./source.ts";

/** What a new game is to be. */
export interface Wanted {
  readonly facts: GameFacts;
  readonly mode: CallMode;
  readonly legs: number;
  readonly start: string | null;
}

export class HotSeat implements Source {
  table: Table | null = null;
  #kept: KeptGame;
  #lines: Line[] = [];
  readonly #told = new Set<() => void>();

  readonly #isKept: boolean;

  private constructor(kept: KeptGame, isKept: boolean) {
    this.#kept = kept;
    this.#isKept = isKept;
  }

  /** Begins a game; one that is only looked at need not be kept. */
  static begin(wanted: Wanted, { isKept = true } = {}): Promise<HotSeat> {
    const leg: KeptLeg = { attackers: 0, played: [], ended: null };
    const { facts, mode, start, legs } = wanted;
    const kept = { id: newId(), facts, mode, start, legs: [leg], legCount: legs, at: Date.now() };
    return HotSeat.resume(kept, { isKept });
  }

  /** Goes on with a game that was kept. */
  static async resume(kept: KeptGame, { isKept = true } = {}): Promise<HotSeat> {
    const source = new HotSeat(kept, isKept);
    await source.#take(kept);
    // In two tabs it is one game: the one goes on where the other is.
    if (isKept) follow(kept.id, (other) => other.at > source.#kept.at && void source.#take(other));
    return source;
  }

  async #take(kept: KeptGame): Promise<void> {
    const start = await beginLine(kept.facts, kept.mode, kept.start ?? undefined);
    this.#kept = kept;
    this.#lines = kept.legs.map((leg) => finished(replay(start, leg.played), leg.ended));
    this.#lay();
    for (const tell of this.#told) tell();
  }

  /** What is needed to ask the engine about it. */
  get ground(): Ground {
    const { facts, start } = this.#kept;
    return { variant: facts.id, switches: facts.switches, start };
  }

  get id(): string {
    return this.#kept.id;
  }

  subscribe(told: () => void): () => void {
    this.#told.add(told);
    return () => this.#told.delete(told);
  }

  move(move: string, call: 0 | 1 | 2): void {
    this.#change(playOn(this.#line, move, call), null);
  }

  act(name: ActionName): void {
    const { turn } = now(this.#line).state;
    if (name === "undo") void this.#undo();
    else if (name === "draw") this.#end({ winner: null, reason: "agreement" });
    else if (name === "resign" && turn) this.#end({ winner: other(turn), reason: "resignation" });
    else if (name === "next_leg") void this.#nextLeg();
  }

  get #line(): Line {
    return this.#lines[this.#lines.length - 1] as Line;
  }

  get #leg(): KeptLeg {
    return this.#kept.legs[this.#kept.legs.length - 1] as KeptLeg;
  }

  #end(outcome: Outcome): void {
    this.#change(finished(this.#line, outcome), outcome);
  }

  /** Takes the last move back; with a refused escape the record is played again without it. */
  async #undo(): Promise<void> {
    const { facts, mode, start } = this.#kept;
    const begun = await beginLine(facts, mode, start ?? undefined);
    const played = this.#leg.ended ? this.#leg.played : this.#leg.played.slice(0, -1);
    this.#change(replay(begun, played), null);
  }

  async #nextLeg(): Promise<void> {
    const { facts, mode, start } = this.#kept;
    const begun = await beginLine(facts, mode, start ?? undefined);
    const { legs, legCount } = this.#kept;
    // Asked twice at once, it begins once.
    if (legs.length >= legCount || !now(this.#line).state.outcome) return;
    const next: KeptLeg = { attackers: this.#leg.attackers === 0 ? 1 : 0, played: [], ended: null };
    this.#kept = { ...this.#kept, legs: [...legs, next] };
    this.#lines.push(begun);
    this.#change(begun, null);
  }

  #change(line: Line, ended: Outcome | null): void {
    const leg = { ...this.#leg, played: line.played, ended };
    const legs = [...this.#kept.legs.slice(0, -1), leg];
    this.#lines = [...this.#lines.slice(0, -1), line];
    this.#kept = { ...this.#kept, legs, at: Date.now() };
    this.#lay();
    for (const tell of this.#told) tell();
  }

  #lay(): void {
    const isKept = !this.#isKept || keep(this.#kept);
    this.table = {
      facts: this.#kept.facts,
      line: this.#line,
      mode: this.#kept.mode,
      seats: { attackers: this.#seat("attackers"), defenders: this.#seat("defenders") },
      movable: now(this.#line).state.outcome ? "none" : "both",
      actions: this.#actions(),
      score: this.#kept.legCount > 1 ? this.#score() : null,
      notice: isKept ? null : t("web.not_kept"),
      pending: null,
      isSlow: false,
    };
  }

  #seat(side: Side): Seat {
    const player = side === "attackers" ? this.#leg.attackers : 1 - this.#leg.attackers;
    const isMatch = this.#kept.legCount > 1;
    return { name: isMatch ? playerName(player) : sideName(this.#kept.facts, side), isYou: false };
  }

  #actions(): Action[] {
    const isOver = now(this.#line).state.outcome !== null;
    const undo: Action = { name: "undo", isEnabled: this.#leg.played.length > 0 };
    if (!isOver) {
      return [undo, { name: "draw", isEnabled: true, asks: true }, { name: "resign", isEnabled: true, asks: true }];
    }
    const isLast = this.#kept.legs.length >= this.#kept.legCount;
    return [undo, { name: isLast ? "new_game" : "next_leg", isEnabled: true }];
  }

  #score(): Score {
    const { facts, legs, legCount } = this.#kept;
    const played = legs.map((leg, index) => playedLeg(leg, this.#lines[index] as Line));
    const isOver = legs.length === legCount && now(this.#line).state.outcome !== null;
    return {
      leg: legs.length,
      legs: legCount,
      players: [playerName(0), playerName(1)],
      points: pointsOf(played),
      ...(isOver ? { verdict: verdictOn(played, facts.match.tie_break) } : {}),
    };
  }
}

function playedLeg({ attackers }: KeptLeg, line: Line): PlayedLeg {
  const captures = { attackers: captured(line, "attackers"), defenders: captured(line, "defenders") };
  return { attackers, captures, outcome: now(line).state.outcome };
}

export function sideName(facts: GameFacts, side: Side): string {
  const noun = facts.nouns[side];
  return noun.charAt(0).toLocaleUpperCase() + noun.slice(1);
}

function playerName(player: number): string {
  return t(player === 0 ? "web.player.first" : "web.player.second");
}

function finished(line: Line, ended: Outcome | null): Line {
  if (!ended) return line;
  const over = now(line).end(ended.winner, ended.reason);
  return { ...line, games: [...line.games.slice(0, -1), over] };
}

function newId(): string {
  return Math.random().toString(36).slice(2, 10);
}
