// A game against the computer that this browser keeps and plays; the server is only asked if the device is too slow.

import { HAS_SERVER } from "../addresses.ts";
import { firstWin, storeFirstWin } from "../first_win.ts";
import { BrowserEngine, type PlacedGame } from "../engine/engine.ts";
import { postJson } from "../http.ts";
import type { ChosenMove } from "../messages.ts";
import type { Move, Side } from "../rules.ts";
import { computerName, t } from "../texts.ts";
import type { Call } from "../ui/call_choice.tsx";
import { protocolOf } from "../variants.ts";
import { hintText } from "./hint.ts";
import { LocalGame, type NewLocalGame, newSavedGame } from "./local_game.ts";
import { now, type PlayedGame, playOn, plies, replay } from "./played_game.ts";
import { type SavedComputer, type SavedGame, wonGames } from "./saved_games.ts";
import type { Action, ActionName, Seat, Snapshot } from "./source.ts";

const YOU = 0;
/** The computer's move comes after this time at least, so that it is seen, and up to this much later. */
const LEAST_MS = 600;
const SPREAD_MS = 200;
/** A device whose move takes longer is slow: the server's engine is offered. */
const SLOW_MS = 10_000;
const THINKING_SHOWN_MS = 1_500;
/** Beginners are told of hints after this time without a move. */
const NUDGE_MS = 30_000;
const LAST_NUDGED_LEVEL = 3;

interface NewComputerGame extends NewLocalGame {
  readonly side: Side;
  readonly level: number;
}

type Problem = "slow" | "failed";

export class ComputerGame extends LocalGame {
  /** Stops what the engine is doing. */
  #stop = new AbortController();
  #timers: number[] = [];
  #isNudged = false;
  /** The sentence in place of the offers and failures: that it is thinking, or how to get a hint. */
  #remark: string | null = null;
  #problem: Problem | null = null;
  #hint: Move | null = null;

  static begin({ side, level, ...wanted }: NewComputerGame): Promise<ComputerGame> {
    const game = newSavedGame({ ...wanted, attackers: side === "attackers" ? YOU : 1 });
    return ComputerGame.resume({ ...game, computer: { level } });
  }

  /** Shows a game; the computer thinks if it is to move. */
  override async load(game: SavedGame): Promise<void> {
    this.#rest();
    await super.load(game);
    this.#goOn();
  }

  override move(move: string, call: Call): void {
    super.move(move, call);
    this.#goOn();
  }

  protected override nicknameOf(player: 0 | 1): Pick<Seat, "nickname"> {
    return player === YOU ? {} : { nickname: t(`level.named.${this.level}`) };
  }

  override act(name: ActionName): void {
    if (name === "hint") void this.#findHint();
    else if (name === "use_server") this.#askAgain({ ...this.#computer, isRemote: true });
    else if (name === "retry") this.#askAgain(this.#computer);
    else {
      // A hint is of no use once the game is over.
      if (name === "resign") this.#rest();
      super.act(name);
    }
  }

  get #computer(): SavedComputer {
    return this.saved.computer ?? { level: 1 };
  }

  /** The side of the user. */
  get side(): Side {
    return this.leg.attackers === YOU ? "attackers" : "defenders";
  }

  get level(): number {
    return this.#computer.level;
  }

  get #isWon(): boolean {
    return now(this.line).state.outcome?.winner === this.side;
  }

  get #isYourTurn(): boolean {
    return now(this.line).state.turn === this.side;
  }

  protected override get resigning(): Side {
    return this.side;
  }

  protected override get hasBegun(): boolean {
    const { legs } = this.saved;
    return legs.length > 1 || legs.some(({ attackers, played }) => played.length > (attackers === YOU ? 0 : 1));
  }

  protected override nameOf(player: 0 | 1): string {
    return player === YOU ? t("web.you") : computerName(this.level);
  }

  protected override isYours(player: 0 | 1): boolean {
    return player === YOU;
  }

  protected override get shown(): Pick<Snapshot, "movable" | "notice"> & Partial<Snapshot> {
    const notice = this.#problem ? t(`web.engine.${this.#problem}`) : this.#remark;
    const isOver = now(this.line).state.outcome !== null;
    return { movable: isOver ? "none" : this.side, notice, hint: this.#hint, isFirstWin: this.#isWon && firstWin() === this.id };
  }

  protected override get actions(): readonly Action[] {
    // Before the first move there is nothing to take back, and nothing to resign.
    const resign: readonly Action[] = this.hasBegun ? [{ name: "resign", isEnabled: true, needsConfirmation: true }] : [];
    if (this.#problem) {
      const isLost = this.#problem === "failed";
      const server = HAS_SERVER ? (["use_server"] as const) : [];
      const ways = [...server, "retry", ...(isLost ? (["play_both"] as const) : [])] as const;
      return [...ways.map((name) => ({ name, isEnabled: true })), ...(isLost ? [] : resign)];
    }
    const hasMoved = this.entriesAfterUndo >= 0 || this.leg.ended !== null;
    const undo: readonly Action[] = hasMoved ? [{ name: "undo", isEnabled: true }] : [];
    if (!now(this.line).state.outcome) return [...undo, { name: "hint", isEnabled: this.#isYourTurn }, ...resign];
    if (!this.isLastLeg) return [...undo, { name: "next_leg", isEnabled: true }];
    return [...undo, { name: "rematch", isEnabled: true }, { name: "new_game", isEnabled: true }];
  }

  /** Takes back the user's last move and what the computer answered. Negative if the user has not moved. */
  protected override get entriesAfterUndo(): number {
    const sides = this.leg.played.map((_, index) => this.#moverOf(index));
    return sides.lastIndexOf(this.side);
  }

  /** Returns the side that played an entry of the record: refused escapes and passes leave the turns uneven. */
  #moverOf(entry: number): Side | null {
    return now(replay(this.start, this.leg.played.slice(0, entry))).state.turn;
  }

  protected override undo(): void {
    this.#rest();
    super.undo();
    this.#goOn();
  }

  /** Stops thinking, and takes back what is said about the position. */
  #rest(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.#remark = null;
    this.#problem = null;
    this.#hint = null;
  }

  /** Lets whoever is to move go on: the computer by choosing a move. */
  #goOn(): void {
    this.#rest();
    const { turn } = now(this.line).state;
    if (this.#isWon) storeFirstWin(wonGames().at(-1)?.id ?? this.id);
    if (turn !== null && !this.#isYourTurn) void this.#answer();
    else if (turn !== null && this.level <= LAST_NUDGED_LEVEL && !this.#isNudged) this.#later(NUDGE_MS, () => this.#nudge());
    this.publish();
  }

  /** Reminds a beginner of the hint, once in a game. */
  #nudge(): void {
    this.#isNudged = true;
    this.#say(t("web.nudge"));
  }

  #later(ms: number, act: () => void): void {
    this.#timers.push(window.setTimeout(act, ms));
  }

  #say(remark: string): void {
    this.#remark = remark;
    this.publish();
  }

  #meet(problem: Problem): void {
    this.#problem = problem;
    this.publish();
  }

  async #answer(): Promise<void> {
    const { signal } = this.#stop;
    const { line } = this;
    this.#later(THINKING_SHOWN_MS, () => this.#say(t("web.thinks")));
    if (!this.#computer.isRemote) this.#later(SLOW_MS, () => this.#meet("slow"));
    try {
      const seen = new Promise((resolve) => setTimeout(resolve, LEAST_MS + Math.random() * SPREAD_MS));
      const [move] = await Promise.all([computerMove(this.saved, line, signal), seen]);
      if (!signal.aborted) this.#play(line, move);
    } catch {
      if (signal.aborted) return;
      this.#rest();
      this.#meet("failed");
    }
  }

  #play(line: PlayedGame, move: string): void {
    const { mode } = this.saved;
    const isCalling = mode === "manual" && now(line).state.turn === "defenders";
    const call = isCalling ? (Math.min(2, now(line).play(move).state.calls.required) as Call) : 0;
    this.#rest();
    this.change(playOn(line, move, call), null);
    this.#goOn();
  }

  #askAgain(computer: SavedComputer): void {
    this.#rest();
    this.keep({ computer });
    this.#goOn();
  }

  /** Stops the computer, and returns the game for two at this device. */
  forTwo(): SavedGame {
    this.#rest();
    const { computer, ...game } = this.saved;
    return { ...game, names: ["", ""], at: Date.now() };
  }

  async #findHint(): Promise<void> {
    this.#rest();
    const { signal } = this.#stop;
    const { line } = this;
    this.#say(t("web.hint.thinking"));
    const move = await hintMove(this.saved, line, signal).catch(() => null);
    if (signal.aborted) return;
    this.#remark = t("web.hint.none");
    if (move) {
      const { from, to } = now(line).describe(move);
      this.#hint = { from, to };
      this.#remark = hintText(now(line), this.#hint);
    }
    this.publish();
  }
}

const HINT_MS = 1_200;
/** The level whose move the server gives as a hint. */
const HINT_LEVEL = 8;

/** Returns the move of the computer in a game. Rejects if it cannot be found. */
async function computerMove(game: SavedGame, line: PlayedGame, signal: AbortSignal): Promise<string> {
  const { level } = game.computer ?? { level: 1 };
  const found = await moveOfServer(game, line, level, signal);
  if (found !== null) return found;
  const engine = await BrowserEngine.load();
  return playable(line, await engine.move(placed(game, line), level, signal));
}

/** Returns the move of the server's engine if the user chose it, or this device was measured to be slow; else null. */
async function moveOfServer(game: SavedGame, line: PlayedGame, level: number, signal: AbortSignal): Promise<string | null> {
  const isChosen = game.computer?.isRemote ?? false;
  if (!isChosen && (!HAS_SERVER || (await BrowserEngine.loadIfFast()))) return null;
  const { facts, start } = game;
  const moves = plies(line).map(({ text }) => text);
  const request = { variant: facts.id, switches: facts.switches, start, moves, level };
  try {
    return playable(line, (await postJson<ChosenMove>("/api/moves", request, signal)).move);
  } catch (error) {
    signal.throwIfAborted();
    // Without a connection, when `fetch` rejects with a TypeError, the engine here plays, however slow it is.
    if (isChosen && !(error instanceof TypeError)) throw error;
    return null;
  }
}

/** Returns a good move for the side to move, or null. */
async function hintMove(game: SavedGame, line: PlayedGame, signal: AbortSignal): Promise<string | null> {
  const found = await moveOfServer(game, line, HINT_LEVEL, signal);
  if (found !== null) return found;
  const engine = await BrowserEngine.load();
  const { lines } = await engine.search(placed(game, line), { lines: 1, time_ms: HINT_MS }, () => {}, signal);
  const move = lines[0]?.moves[0];
  return move === undefined ? null : playable(line, move);
}

/** Returns a game as the engine takes it, with the calls: after a refused escape only one piece may move. */
function placed({ facts, mode, start }: SavedGame, line: PlayedGame): PlacedGame {
  return {
    tree: JSON.stringify(facts.tree),
    calls: protocolOf(facts.calls, mode),
    moves: line.played.map(({ move, call }) => [move, call] as const),
    setup: start,
  };
}

/** Returns the move if it may be played, else another: the server does not know which piece must be replayed. */
function playable(line: PlayedGame, move: string): string {
  const [from = "", to = ""] = (move.split("x")[0] ?? move).split("-");
  const { legal } = now(line);
  if ((legal[from] ?? []).some((one) => one.to === to)) return move;
  const all = Object.entries(legal).flatMap(([origin, moves]) => moves.map((one) => `${origin}-${one.to}`));
  return all[Math.floor(Math.random() * all.length)] ?? "";
}
