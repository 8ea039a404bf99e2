// The rules in the browser: the compiled core, loaded on demand. No rule is written here.

import wasmFile from "hnefi-rules.wasm";
import { callCore, type CoreExports, loadedModule } from "./built_files.ts";

export type Side = "attackers" | "defenders";
export type Rank = `${"attacker" | "defender"}_${"commander" | "knight" | "renegade"}`;
export type Piece = "attacker" | "defender" | "king" | Rank;
export type Direction = "north" | "east" | "south" | "west";

export interface Outcome {
  readonly winner: Side | null;
  readonly reason: string;
}

/** A move from one square to another. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** A capture. `by` are the squares that close it in, that of the piece that moved first. */
export interface Capture {
  readonly square: string;
  readonly piece: Piece;
  readonly how: "custodial" | "three_sides" | "four_sides" | "commanders" | "linnaean" | "shieldwall" | "row" | "blocked_group" | "jump";
  readonly by: readonly string[];
}

export interface Ply extends Move {
  readonly side: Side;
  readonly piece: Piece;
  readonly captures: readonly Capture[];
  /** Whether the other side could not move and passed. */
  readonly passed: boolean;
  /** The move with its captures: `e5-e8xe9/f8`. */
  readonly text: string;
}

export interface Description extends Move {
  readonly piece: Piece;
  readonly captures: readonly Capture[];
  readonly outcome: Outcome | null;
  readonly text: string;
}

/** How far the king is closed in: `count` sides of `needed`; `threatened` if the attackers could capture him now. */
export interface Danger {
  readonly closed: readonly Direction[];
  readonly count: number;
  readonly needed: number;
  readonly threatened: boolean;
}

/** The state of the calls. */
export interface Calls {
  readonly mode: Protocol["mode"];
  /** The goals of the open roads that have to be called: `open_roads` in Python. */
  readonly owed: readonly string[];
  /** How many open roads have to be called; 2 for two and more. */
  readonly required: number;
  readonly called: boolean;
  readonly must_replay: string | null;
  readonly refused: boolean;
}

export interface GameState {
  /** The position as text: rows from the top, side, quiet plies. */
  readonly position: string;
  /** The side to move, null when the game is over. */
  readonly turn: Side | null;
  readonly ply: number;
  readonly quiet: number;
  readonly repetitions: number;
  readonly passed: boolean;
  readonly last: Ply | null;
  readonly outcome: Outcome | null;
  readonly king: string | null;
  /** The open roads: the king's moves to a goal, whichever side is to move. */
  readonly roads: readonly Move[];
  readonly danger: Danger | null;
  /** The special squares that are hostile now, and the pieces they are hostile to. */
  readonly hostile: readonly { readonly square: string; readonly to: readonly Piece[] }[];
  readonly calls: Calls;
}

/** The legal moves by square of origin. */
export type Legal = Readonly<Record<string, readonly LegalMove[]>>;

export interface LegalMove {
  readonly to: string;
  readonly captures: readonly string[];
}

/** Why something is refused: a stable code, and facts for the text in the language of the page. */
export interface Refusal {
  readonly code: string;
  readonly facts: Readonly<Record<string, string>>;
}

export interface Fault {
  readonly code: string;
  /** What exactly is wrong, such as `needs_throne`. */
  readonly kind: string;
  readonly path: string;
  readonly facts: Readonly<Record<string, string>>;
}

/** A rule key: its name, its place in a rule tree, and its kind of value. */
export interface Parameter {
  readonly name: string;
  readonly path: string;
  readonly kind: string;
  readonly neutral: unknown;
  /** The entries of a map. */
  readonly keys?: Readonly<Record<string, { readonly kind: string }>>;
}

export interface SetupCheck {
  readonly playable: boolean;
  readonly faults: readonly Refusal[];
  /** The canonical position text, if it could be parsed. */
  readonly setup?: string;
}

export interface RulesFacts {
  readonly hash: string;
  readonly size: number;
  readonly start: string;
  readonly throne: string | null;
  readonly corners: readonly string[];
  readonly camps: readonly (readonly string[])[];
  readonly goals: readonly string[];
  /** The complete rule tree, as in the file of a variant. */
  readonly tree: Readonly<Record<string, unknown>>;
}

/** Who calls, and the sanction for a missing call. */
export interface Protocol {
  readonly mode: "off" | "auto" | "manual";
  readonly sanction?: "none" | "replay" | "until_called";
  readonly replay?: "same_piece" | "any_piece";
  /** What a call of the wrong number is worth. Default: it is a call. */
  readonly wrong_number?: "call" | "forgotten";
}

export interface NewGame {
  /** A position text. Default, or if null: the start position. */
  readonly setup?: string | null;
  readonly calls?: Protocol;
  /** Moves to play at once: texts, or pairs of a text and the number of open roads that are called. */
  readonly moves?: readonly (string | readonly [string, number])[];
}

/** A move or a position text that the rules refuse. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(`${refusal.code} ${JSON.stringify(refusal.facts)}`);
    this.name = "Refused";
  }
}

/** A rule tree with faults. */
export class FaultyRules extends Error {
  constructor(readonly faults: readonly Fault[]) {
    super(faults.map((fault) => `${fault.path}: ${fault.kind} ${JSON.stringify(fault.facts)}`).join("; "));
    this.name = "FaultyRules";
  }
}

/** A leg of a match: its game, and the player who has the attackers. */
export interface Leg {
  readonly game: Game;
  readonly attackers: 0 | 1;
}

/** The score of a match: points and captures by player, the player who leads, and by what. */
export interface MatchScore {
  readonly points: readonly [number, number];
  readonly captures: readonly [number, number];
  readonly leader: 0 | 1 | null;
  readonly by: "points" | "captures" | "drawn";
}

type CoreResponse = { ok: unknown } | { refusal: Refusal } | { faults: Fault[] } | { error: string };

class Core {
  /** Drops the core's values whose objects were garbage-collected. */
  readonly registry = new FinalizationRegistry<number>((number) => this.request({ do: "drop", number }));

  constructor(private readonly exports: CoreExports) {}

  request(request: object): unknown {
    const response = JSON.parse(callCore(this.exports, request)) as CoreResponse;
    if ("ok" in response) return response.ok;
    if ("refusal" in response) throw new Refused(response.refusal);
    if ("faults" in response) throw new FaultyRules(response.faults);
    throw new TypeError(response.error);
  }
}

let loading: Promise<Core> | undefined;

/** Loads the core once. Without a network, as in the tests, pass the bytes of the module. */
export function loadCore(bytes?: BufferSource): Promise<Core> {
  loading ??= instantiate(bytes).catch((error: unknown) => {
    // Without a network it fails: then it may be tried again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function instantiate(bytes?: BufferSource): Promise<Core> {
  const module = bytes ? await WebAssembly.compile(bytes) : await loadedModule(new URL(wasmFile, import.meta.url));
  return new Core((await WebAssembly.instantiate(module)).exports as CoreExports);
}

/** Returns all rule keys. */
export async function ruleSchema(): Promise<readonly Parameter[]> {
  return (await loadCore()).request({ do: "schema" }) as readonly Parameter[];
}

/** The compiled rules of a variant. */
export class Rules {
  readonly facts: RulesFacts;
  readonly #core: Core;
  readonly #number: number;

  private constructor(core: Core, loaded: RulesFacts & { rules: number }) {
    const { rules, ...facts } = loaded;
    this.facts = facts;
    this.#core = core;
    this.#number = rules;
    core.registry.register(this, rules);
  }

  /** Checks and compiles a rule tree, or its JSON text. Rejects with `FaultyRules`. */
  static async load(tree: string | object): Promise<Rules> {
    const core = await loadCore();
    const text = typeof tree === "string" ? tree : JSON.stringify(tree);
    return new Rules(core, core.request({ do: "rules", tree: text }) as RulesFacts & { rules: number });
  }

  /** Begins a game. Throws `Refused` if no game can begin from the position. */
  newGame(options: NewGame = {}): Game {
    const request = { do: "game", rules: this.#number, ...options };
    return new Game(this, this.#core, this.#core.request(request) as Numbered, null);
  }

  /** Returns everything that is wrong with a position text, and whether a game can begin from it. */
  check(setup: string): SetupCheck {
    return this.#core.request({ do: "setup", rules: this.#number, setup }) as SetupCheck;
  }
}

type Numbered = GameState & { game: number };

/** A game by the rules. It is a value: playing returns another game, whose `parent` is this one. */
export class Game {
  readonly rules: Rules;
  readonly parent: Game | null;
  readonly state: GameState;
  readonly #core: Core;
  readonly #number: number;
  #legal: Legal | undefined;

  /** Internal: `Rules.newGame` and `play` create games. */
  constructor(rules: Rules, core: Core, numbered: Numbered, parent: Game | null) {
    const { game, ...state } = numbered;
    this.rules = rules;
    this.parent = parent;
    this.state = state;
    this.#core = core;
    this.#number = game;
    core.registry.register(this, game);
  }

  /** The legal moves; only those of the piece that must be replayed, if there is one. None when the game is over. */
  get legal(): Legal {
    this.#legal ??= this.#core.request({ do: "legal", game: this.#number }) as Legal;
    return this.#legal;
  }

  /** Plays a move. With it, nothing (0), one open road (1) or two (2) are called. Throws `Refused`. */
  play(move: string, call: 0 | 1 | 2 = 0): Game {
    const played = this.#core.request({ do: "play", game: this.#number, move, call }) as Numbered;
    return new Game(this.rules, this.#core, played, this);
  }

  /** Returns the effects of a legal move. Throws `Refused` with the reason for any other. */
  describe(move: string): Description {
    return this.#core.request({ do: "describe", game: this.#number, move }) as Description;
  }

  /** Ends the game from outside the rules: agreement, resignation, time, abandoned, adjudication. */
  end(winner: Side | null, reason: string): Game {
    const ended = this.#core.request({ do: "end", game: this.#number, winner, reason }) as Numbered;
    return new Game(this.rules, this.#core, ended, this);
  }

  /** Returns the score of a match of one or two legs. `tieBreak` decides between players who are level. */
  static score(legs: readonly Leg[], tieBreak: "none" | "captures"): MatchScore {
    const numbered = legs.map(({ game, attackers }) => ({ game: game.#number, attackers }));
    const core = (legs[0] as Leg).game.#core;
    return core.request({ do: "score", legs: numbered, tie_break: tieBreak }) as MatchScore;
  }
}
