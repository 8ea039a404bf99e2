// Two people at one device: this browser validates the moves and saves the game.

import { Game, type Outcome, type Side } from "../rules.ts";
import { t } from "../texts.ts";
import type { Call } from "../ui/call_choice.tsx";
import { otherSide, sideName, type VariantFacts } from "../variants.ts";
import { beginPlayedGame, type CallMode, ended, type PlayedGame, now, playOn, replay } from "./played_game.ts";
import type { Score } from "./match.ts";
import { onGameSaved, type SavedGame, type SavedLeg, saveGame } from "./saved_games.ts";
import type { Action, ActionName, GameSetup, GameSource, Seat, Snapshot } from "./source.ts";

export interface NewHotSeatGame {
  readonly facts: VariantFacts;
  readonly mode: CallMode;
  readonly legs: number;
  readonly start: string | null;
}

export class HotSeat implements GameSource {
  snapshot: Snapshot | null = null;
  #game: SavedGame;
  #lines: PlayedGame[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #isSaved: boolean;

  private constructor(game: SavedGame, isSaved: boolean) {
    this.#game = game;
    this.#isSaved = isSaved;
  }

  /** Begins a game. A preview need not be saved. */
  static begin({ facts, mode, start, legs }: NewHotSeatGame, { isSaved = true } = {}): Promise<HotSeat> {
    const leg: SavedLeg = { attackers: 0, played: [], ended: null };
    const game = { id: newId(), facts, mode, start, legs: [leg], legCount: legs, at: Date.now() };
    return HotSeat.resume(game, { isSaved });
  }

  /** Resumes a saved game. */
  static async resume(game: SavedGame, { isSaved = true } = {}): Promise<HotSeat> {
    const source = new HotSeat(game, isSaved);
    await source.#load(game);
    // Two tabs show the same game: each follows what the other saves.
    if (isSaved) onGameSaved(game.id, (other) => other.at > source.#game.at && void source.#load(other));
    return source;
  }

  async #load(game: SavedGame): Promise<void> {
    const start = await beginPlayedGame(game.facts, game.mode, game.start);
    this.#game = game;
    this.#lines = game.legs.map((leg) => ended(replay(start, leg.played), leg.ended));
    this.#publish();
  }

  get setup(): GameSetup {
    const { facts, start } = this.#game;
    return { variant: facts.id, switches: facts.switches, start };
  }

  get id(): string {
    return this.#game.id;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  move(move: string, call: Call): void {
    this.#change(playOn(this.#line, move, call), null);
  }

  act(name: ActionName): void {
    const { turn } = now(this.#line).state;
    if (name === "undo") void this.#undo();
    else if (name === "draw") this.#end({ winner: null, reason: "agreement" });
    else if (name === "resign" && turn) this.#end({ winner: otherSide(turn), reason: "resignation" });
    else if (name === "next_leg") void this.#beginNextLeg();
  }

  get #line(): PlayedGame {
    return this.#lines[this.#lines.length - 1] as PlayedGame;
  }

  get #leg(): SavedLeg {
    return this.#game.legs[this.#game.legs.length - 1] as SavedLeg;
  }

  #begin(): Promise<PlayedGame> {
    const { facts, mode, start } = this.#game;
    return beginPlayedGame(facts, mode, start);
  }

  #end(outcome: Outcome): void {
    this.#change(ended(this.#line, outcome), outcome);
  }

  /** Takes back the end by agreement or resignation, else the last entry of the record, which may be a refused escape. */
  async #undo(): Promise<void> {
    const start = await this.#begin();
    const { played, ended: outcome } = this.#leg;
    this.#change(replay(start, outcome ? played : played.slice(0, -1)), null);
  }

  async #beginNextLeg(): Promise<void> {
    const start = await this.#begin();
    const { legs, legCount } = this.#game;
    // A double click begins one leg.
    if (legs.length >= legCount || !now(this.#line).state.outcome) return;
    const next: SavedLeg = { attackers: this.#leg.attackers === 0 ? 1 : 0, played: [], ended: null };
    this.#game = { ...this.#game, legs: [...legs, next] };
    this.#lines.push(start);
    this.#change(start, null);
  }

  #change(line: PlayedGame, outcome: Outcome | null): void {
    const leg = { ...this.#leg, played: line.played, ended: outcome };
    this.#lines = [...this.#lines.slice(0, -1), line];
    this.#game = { ...this.#game, legs: [...this.#game.legs.slice(0, -1), leg], at: Date.now() };
    this.#publish();
  }

  /** Saves the game and shows it. */
  #publish(): void {
    const isStored = !this.#isSaved || saveGame(this.#game);
    this.snapshot = {
      facts: this.#game.facts,
      line: this.#line,
      mode: this.#game.mode,
      seats: { attackers: this.#seat("attackers"), defenders: this.#seat("defenders") },
      movable: now(this.#line).state.outcome ? "none" : "both",
      actions: this.#actions(),
      score: this.#game.legCount > 1 ? this.#score() : null,
      notice: isStored ? null : t("web.not_kept"),
      pending: null,
      isSlow: false,
    };
    for (const listener of this.#listeners) listener();
  }

  #seat(side: Side): Seat {
    const player = side === "attackers" ? this.#leg.attackers : 1 - this.#leg.attackers;
    const isMatch = this.#game.legCount > 1;
    return { name: isMatch ? playerName(player) : sideName(this.#game.facts, side), isYou: false };
  }

  #actions(): Action[] {
    const undo: Action = { name: "undo", isEnabled: this.#leg.played.length > 0 };
    if (!now(this.#line).state.outcome) {
      const ending = (["draw", "resign"] as const).map((name) => ({ name, isEnabled: true, needsConfirmation: true }));
      return [undo, ...ending];
    }
    const isLast = this.#game.legs.length >= this.#game.legCount;
    return [undo, { name: isLast ? "new_game" : "next_leg", isEnabled: true }];
  }

  #score(): Score {
    const { facts, legs, legCount } = this.#game;
    const played = legs.map(({ attackers }, index) => ({ attackers, game: now(this.#lines[index] as PlayedGame) }));
    const { points, leader, by } = Game.score(played, facts.match.tie_break);
    const isOver = legs.length === legCount && now(this.#line).state.outcome !== null;
    return {
      leg: legs.length,
      legs: legCount,
      players: [playerName(0), playerName(1)],
      points,
      ...(isOver ? { verdict: { winner: leader, by } } : {}),
    };
  }
}

function playerName(player: number): string {
  return t(player === 0 ? "web.player.first" : "web.player.second");
}

function newId(): string {
  return Math.random().toString(36).slice(2, 10);
}
