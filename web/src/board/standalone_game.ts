// The game of a board with `src`: for pages and notebooks without a host. Loaded on demand.

import { type Game, Rules } from "../rules.ts";
import { boardText } from "./speech.ts";
import type { BoardState, Shape, Words } from "./types.ts";

/** What the game needs of its board. */
interface StandaloneHost extends HTMLElement {
  shape: Shape;
  readonly words: Words;
  readonly area: HTMLElement;
  show(state: BoardState): void;
  loadWords(): Promise<void>;
}

export class StandaloneGame {
  /** The game of each board: another `src` replaces it. */
  static readonly #games = new WeakMap<StandaloneHost, StandaloneGame>();
  readonly #board: StandaloneHost;
  #game: Game;

  private constructor(board: StandaloneHost, game: Game) {
    this.#board = board;
    this.#game = game;
    StandaloneGame.#games.set(board, this);
    board.addEventListener("tafl-move", ({ detail: { from, to } }) => {
      if (StandaloneGame.#games.get(board) !== this) return;
      this.#game = this.#game.play(`${from}-${to}`);
      this.#show();
    });
  }

  /** Loads a rule tree and begins a game, from the start or from a position. If that fails, the board says why. */
  static async open(board: StandaloneHost, source: string, position: string | null): Promise<StandaloneGame> {
    try {
      const response = await fetch(source);
      if (!response.ok) throw new Error(`${source}: ${response.status}`);
      const rules = await Rules.load(await response.text());
      const standalone = new StandaloneGame(board, rules.newGame({ setup: position }));
      board.shape = rules.facts;
      showFailure(board, "");
      standalone.#show();
      return standalone;
    } catch (error) {
      await board.loadWords();
      showFailure(board, boardText(board.words, "failed", { reason: (error as Error).message }));
      throw error;
    }
  }

  back(): void {
    this.#game = this.#game.parent ?? this.#game;
    this.#show();
  }

  restart(): void {
    while (this.#game.parent) this.#game = this.#game.parent;
    this.#show();
  }

  #show(): void {
    const state = { ...this.#game.state, legal: this.#game.legal };
    this.#board.show(state);
    const detail = { state };
    this.#board.dispatchEvent(new CustomEvent("tafl-game", { detail, bubbles: true, composed: true }));
  }
}

/** Shows a text in place of the board, and the board again if the text is empty. */
function showFailure({ area }: StandaloneHost, text: string): void {
  area.parentNode?.querySelector(".failure")?.remove();
  area.hidden = text !== "";
  if (!text) return;
  const line = document.createElement("p");
  line.className = "failure";
  line.style.overflowWrap = "anywhere";
  line.role = "alert";
  line.textContent = text;
  area.before(line);
}
