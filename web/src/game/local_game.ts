// A game that this browser keeps and validates: for two at this device (`HotSeat`), or against the computer.

import { Game, type Outcome, type Side } from "../rules.ts";
import { newId } from "../storage.ts";
import { recordName, t } from "../texts.ts";
import type { Call } from "../ui/call_choice.tsx";
import { otherSide, type VariantFacts } from "../variants.ts";
import { beginPlayedGame, type CallMode, ended, type PlayedGame, now, playOn, replay } from "./played_game.ts";
import type { Score } from "./match.ts";
import { onGameSaved, type SavedGame, savedGame, type SavedLeg, saveGame } from "./saved_games.ts";
import type { Action, ActionName, GameSetup, GameSource, Seat, Snapshot } from "./source.ts";

export interface NewLocalGame {
  readonly facts: VariantFacts;
  readonly mode: CallMode;
  readonly legs: number;
  readonly start: string | null;
  /** The id, if the address of the page has one already. */
  readonly id?: string;
  /** The player who has the attackers in the first leg; 0 if missing. */
  readonly attackers?: 0 | 1;
}

/** Returns a game that has not begun. */
export function newSavedGame({ facts, mode, start, legs, id = newId(), attackers = 0 }: NewLocalGame): SavedGame {
  return { id, facts, mode, start, legs: [{ attackers, played: [], ended: null }], legCount: legs, at: Date.now() };
}

export abstract class LocalGame implements GameSource {
  /** There as soon as the game is loaded. */
  snapshot!: Snapshot;
  /** What every leg begins with. */
  protected start!: PlayedGame;
  #game: SavedGame;
  #lines: PlayedGame[] = [];
  readonly #listeners = new Set<() => void>();

  /** Internal: `resume` creates games, and loads them. */
  constructor(game: SavedGame) {
    this.#game = game;
    // Two tabs show the same game: each follows what the other saves.
    onGameSaved(() => this.#game.id, (other) => other.at > this.#game.at && void this.load(other));
  }

  /** Resumes a saved game, or one that has not begun. */
  static async resume<Kind extends LocalGame>(this: new (game: SavedGame) => Kind, game: SavedGame): Promise<Kind> {
    const source = new this(game);
    await source.load(game);
    return source;
  }

  /** Shows a game: a saved one, or one that has not begun. */
  async load(game: SavedGame): Promise<void> {
    const start = await beginPlayedGame(game.facts, game.mode, game.start);
    this.start = start;
    this.#game = game;
    this.#lines = game.legs.map((leg) => ended(replay(start, leg.played), leg.ended));
    this.publish();
  }

  get setup(): GameSetup {
    const { facts, start } = this.#game;
    return { variant: facts.id, switches: facts.switches, title: facts.title, start };
  }

  get id(): string {
    return this.#game.id;
  }

  get saved(): SavedGame {
    return this.#game;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  move(move: string, call: Call): void {
    this.change(playOn(this.line, move, call), null);
  }

  act(name: ActionName): void {
    const { turn } = now(this.line).state;
    if (name === "undo") this.undo();
    else if (name === "draw") this.#end({ winner: null, reason: "agreement" });
    else if (name === "resign" && turn) this.#end({ winner: otherSide(this.resigning ?? turn), reason: "resignation" });
    else if (name === "next_leg") this.#beginNextLeg();
    else if (name === "rematch") void this.load(this.#rematch());
  }

  protected get line(): PlayedGame {
    return this.#lines[this.#lines.length - 1] as PlayedGame;
  }

  protected get leg(): SavedLeg {
    return this.#game.legs[this.#game.legs.length - 1] as SavedLeg;
  }

  /** The side that resigns; null for the one to move. */
  protected get resigning(): Side | null {
    return null;
  }

  /** Whether it is worth saving: a game that was only looked at is not. */
  protected get hasBegun(): boolean {
    return this.#game.legs.some(({ played }) => played.length > 0);
  }

  protected abstract nameOf(player: 0 | 1, side: Side): string;

  protected abstract get actions(): readonly Action[];

  /** What the snapshot of this kind of game has besides. */
  protected abstract get shown(): Pick<Snapshot, "movable" | "notice"> & Partial<Snapshot>;

  /** Returns the player who has a side in the current leg. */
  protected playerOf(side: Side): 0 | 1 {
    const { attackers } = this.leg;
    return side === "attackers" ? attackers : attackers === 0 ? 1 : 0;
  }

  /** Returns how many entries of the record remain after taking back. */
  protected get entriesAfterUndo(): number {
    return this.leg.played.length - 1;
  }

  /** Takes back the end by agreement or resignation, else the last entries of the record, which may be refused escapes. */
  protected undo(): void {
    const { played, ended: outcome } = this.leg;
    this.change(replay(this.start, outcome ? played : played.slice(0, Math.max(0, this.entriesAfterUndo))), null);
  }

  /** Returns the same game with the sides swapped, not begun. */
  #rematch(): SavedGame {
    const { legs, ...rest } = this.#game;
    const attackers = legs[0]?.attackers === 0 ? 1 : 0;
    return { ...rest, id: newId(), at: Date.now(), legs: [{ attackers, played: [], ended: null }] };
  }

  #end(outcome: Outcome): void {
    this.change(ended(this.line, outcome), outcome);
  }

  #beginNextLeg(): void {
    const { legs, legCount } = this.#game;
    // A double click begins one leg.
    if (legs.length >= legCount || !now(this.line).state.outcome) return;
    const next: SavedLeg = { attackers: this.leg.attackers === 0 ? 1 : 0, played: [], ended: null };
    this.#game = { ...this.#game, legs: [...legs, next] };
    this.#lines.push(this.start);
    this.change(this.start, null);
  }

  protected change(line: PlayedGame, outcome: Outcome | null): void {
    const leg = { ...this.leg, played: line.played, ended: outcome };
    this.#lines = [...this.#lines.slice(0, -1), line];
    this.keep({ legs: [...this.#game.legs.slice(0, -1), leg] });
  }

  /** Changes what is saved, saves the game and shows it. */
  protected keep(changed: Partial<SavedGame>): void {
    const { legs, legCount } = { ...this.#game, ...changed };
    const { outcome: _, ...game } = this.#game;
    const { position, outcome: end } = now(this.line).state;
    const outcome = legs.length === legCount ? end : null;
    const { size, throne, corners, camps, goals } = now(this.line).rules.facts;
    const shape = { size, throne, corners, camps, goals };
    this.#game = { ...game, ...changed, position, shape, ...(outcome ? { outcome } : {}), at: Date.now() };
    const isWorthKeeping = this.hasBegun || savedGame(this.id) !== null;
    const isStored = !isWorthKeeping || saveGame(this.#game);
    this.publish(isStored ? null : t("web.not_kept"));
  }

  /** Shows the game. `problem` replaces the notice. */
  protected publish(problem: string | null = null): void {
    const { facts, mode, legCount } = this.#game;
    const shown = this.shown;
    this.snapshot = {
      facts,
      line: this.line,
      mode,
      seats: { attackers: this.#seat("attackers"), defenders: this.#seat("defenders") },
      actions: this.actions,
      score: legCount > 1 ? this.#score() : null,
      pending: null,
      isSlow: false,
      ...shown,
      notice: problem ?? shown.notice,
    };
    for (const listener of this.#listeners) listener();
  }

  /** Whether the user of this device alone has a side. */
  protected isYours(_player: 0 | 1): boolean {
    return false;
  }

  /** The name of a player in sentences, if it is another one. */
  protected nicknameOf(_player: 0 | 1): Pick<Seat, "nickname"> {
    return {};
  }

  #seat(side: Side): Seat {
    const player = this.playerOf(side);
    return { name: this.nameOf(player, side), recordName: this.#recordNameOf(player), ...this.nicknameOf(player), isYou: this.isYours(player) };
  }

  #recordNameOf(player: 0 | 1): string {
    const { computer, names } = this.#game;
    return computer && player === 1 ? recordName(computer.level) : (names?.[player] ?? "");
  }

  /** Whether the current leg is the last one. */
  protected get isLastLeg(): boolean {
    return this.#game.legs.length >= this.#game.legCount;
  }

  #score(): Score {
    const { facts, legs, legCount } = this.#game;
    const played = legs.map(({ attackers }, index) => ({ attackers, game: now(this.#lines[index] as PlayedGame) }));
    const { points, leader, by } = Game.score(played, facts.match.tie_break);
    const isOver = legs.length === legCount && now(this.line).state.outcome !== null;
    return {
      leg: legs.length,
      legs: legCount,
      players: [this.nameOf(0, this.#sideOf(0)), this.nameOf(1, this.#sideOf(1))],
      points,
      ...(isOver ? { verdict: { winner: leader, by } } : {}),
    };
  }

  #sideOf(player: 0 | 1): Side {
    return this.leg.attackers === player ? "attackers" : "defenders";
  }
}
