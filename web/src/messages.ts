// The messages between server and browser, written by tools/write_messages.py: change them in
// src/hnefi/server: messages/, events.py.

export const VERSION = 1;

/** The game was called off before it had really begun. */
export interface Aborted {
  kind: "aborted";
}

/** A move or command was carried out and is kept: nothing can lose it any more. */
export interface Ack {
  type: "ack";
  id: string;
  seq: number;
}

/** A move or command was carried out and is kept. */
export interface Acted {
  /** Its event. */
  seq: number;
}

/** What is true after an event, as far as it may have changed. */
export interface After {
  status: StatusName;
  leg: number;
  attackers: number | null;
  position: string | null;
  turn: SideName | null;
  owed: string[];
  required: number;
  must_replay: string | null;
  outcome: OutcomeView | null;
  clocks: ClocksView | null;
  offers: Record<string, number>;
  score: number[];
  verdict: VerdictView | null;
  /** What each player may do besides moving, as in `GameView`. */
  actions: ActionName[][];
}

/** One line of an analysis. Scores are from the attackers' side. */
export interface AnalysisLineView {
  /** In hundredths of a soldier. */
  score: number;
  /** What the attackers may expect, from 0 to 1. */
  chances: number;
  /** If it is proven: in how many plies the attackers win, or, negative, the defenders. */
  win_in: number | null;
  moves: string[];
}

/** Asks the engine about a position. */
export interface AnalysisRequest {
  variant: string;
  switches?: Record<string, string>;
  start?: string | null;
  moves?: string[];
  lines?: number;
  time_ms?: number;
}

/** What the engine knows so far; better ones follow until one is final. */
export interface AnalysisView {
  type: "analysis";
  lines: AnalysisLineView[];
  depth: number;
  deepest: number;
  nodes: number;
  time_ms: number;
  final: boolean;
}

/** An answer, as the question words it, and the rule in words if it is chosen. */
export interface AnswerView {
  words: string;
  text: string;
}

/** Asks what each answer to the question about a rule would mean. */
export interface AnswersRequest {
  variant: string;
  switches?: Record<string, string>;
  /** The rule, or a switch of the calls. */
  leaf: string;
  lang?: string | null;
}

/** What the answers to a question mean beside the other rules. */
export interface AnswersTold {
  answers: AnswerView[];
}

/** Both are there: the first leg begins. */
export interface Began {
  kind: "began";
  /** The player who begins with the attackers. */
  attackers: number;
  /** The seed, where lots were drawn: with it anyone can check the drawing. */
  seed: string | null;
}

/** A sentence of the rules. */
export interface ClauseView {
  text: string;
  /** The rules that it tells of. */
  leaves: string[];
  /** Whether the variant that it began as does not have it. */
  differs: boolean;
}

/** The clocks at a moment of the server's time. Whose runs goes on running. */
export interface ClocksView {
  attackers_ms: number;
  defenders_ms: number;
  running: SideName | null;
  /** How much longer the running clock is not charged. */
  free_ms: number;
  at_ms: number;
}

/** The server goes away for a moment: connect again after so long. */
export interface Closing {
  type: "closing";
  retry_after_ms: number;
}

/** Does anything else; like a move, it acts once. */
export interface Command {
  type: "command";
  id: string;
  seq: number;
  do: ActionName;
}

/** Does anything else by HTTP; see `Command`. */
export interface CommandRequest {
  id: string;
  seq: number;
  do: ActionName;
}

/** A game was made: what is played, and how. Its maker is player 0. */
export interface Created {
  kind: "created";
  variant: string;
  revision: number;
  /** The hash of the rules; the tree itself is kept beside the games. */
  rules: string;
  switches: Record<string, string>;
  /** The position it begins from, None for that of the rules. */
  start: string | null;
  calls: "off" | "auto" | "manual";
  sanction: "none" | "replay";
  replay: "same_piece" | "any_piece";
  form: "single" | "two_legs";
  clock: Clock;
  opponent: "friend" | "computer" | "same_device";
  /** The level of a computer opponent. */
  level: number | null;
  /** The maker's side in the first leg. */
  side: "attackers" | "defenders" | "lot";
  name: string;
  /** Where lots are drawn: the SHA-256 of the seed, which is only told when they are. */
  lot: string | null;
  /** The game of which it is the rematch. */
  after: string | null;
  /** What decides two legs that are level. Games stored without it were judged by captures. */
  tie_break: "none" | "captures";
}

/** A number of days for each move. */
export interface Days {
  kind: "days";
  days: number;
}

/** A player declined what the other had offered, or took back an offer of his own. */
export interface Declined {
  kind: "declined";
  what: "draw" | "takeback" | "rematch";
}

/** The leg ended from outside the rules; ends by the rules follow from the moves. */
export interface Ended {
  kind: "ended";
  winner: SideName | null;
  reason: "agreement" | "resignation" | "time" | "abandoned";
}

/** Something happened. */
export interface EventMessage {
  type: "event";
  game: string;
  seq: number;
  t_ms: number;
  actor: number | null;
  body: Body;
  /** The move, where it was one. */
  ply: PlyView | null;
  after: After;
}

/** An example, or nothing where no single move shows a rule. */
export interface ExampleAnswer {
  example: ExampleView | null;
}

/** Asks for an example of a rule. */
export interface ExampleRequest {
  variant: string;
  switches?: Record<string, string>;
  /** The rule, or one entry of it: `throne_hostile.king`. */
  leaf: string;
  /** What the rule is taken to be, as a switch; without it what it is. */
  value?: string | null;
  lang?: string | null;
}

/** A small position and a move that come out otherwise under another value of a rule. */
export interface ExampleView {
  leaf: string;
  value: string;
  /** What it is compared with. */
  other: string;
  text: string;
  position: string;
  origin: string;
  target: string;
  /** Whether the move may be played. */
  legal: boolean;
  captures: string[];
  /** The position after the move. */
  after: string | null;
  shape: ShapeView;
}

/** An answer that says what is wrong. */
export interface Failure {
  code: string;
  message: string;
  facts: Record<string, string>;
}

/** A time for the whole leg, and more for every move. */
export interface Fischer {
  kind: "fischer";
  initial_s: number;
  increment_s: number;
}

/** The answer to a new game. */
export interface GameMade {
  game: string;
  /** The secret with which a friend takes the other seat, once; told only here. */
  invite: string | null;
  state: GameView;
}

/** A whole game as it stands: the answer to `hello` where the events since are not enough. */
export interface GameView {
  type: "state";
  game: string;
  seq: number;
  created: Created;
  status: StatusName;
  players: (PlayerView | null)[];
  /** The seats of the one it is sent to; none for a spectator, both on a shared device. */
  you: number[];
  legs: LegView[];
  clocks: ClocksView | null;
  /** Who offers what: `draw`, `takeback`, `rematch`. */
  offers: Record<string, number>;
  score: number[];
  verdict: VerdictView | null;
  seed: string | null;
  rematch: string | null;
  claim_after_ms: number;
  watching: number;
  /** The legal moves of the side to move. */
  legal: string[];
  /** What each player may do besides moving. `claim` holds once the other was away for `claim_after_ms`. */
  actions: ActionName[][];
  now_ms: number;
}

/** A header of a record. */
export interface HeaderView {
  name: string;
  value: string;
}

/** Whether the server is well. */
export interface Health {
  status: "ok" | "failing";
}

/** Opens a game on a connection, and again after the connection was lost. */
export interface Hello {
  type: "hello";
  v: 1;
  game: string;
  /** The last event that is known already: only later ones are sent, if there are not too many. */
  since?: number | null;
}

/** Takes the free seat of a game. */
export interface JoinRequest {
  invite: string;
  name?: string;
}

/** Player 1 took the other seat. */
export interface Joined {
  kind: "joined";
  name: string;
}

/** The next leg began, with the sides swapped. */
export interface LegBegan {
  kind: "leg_began";
}

/** A leg: who has the attackers, what was played, how it stands. */
export interface LegView {
  number: number;
  attackers: number;
  start: string;
  plies: PlyView[];
  position: string;
  turn: SideName | null;
  /** The goals that are open to the king, where the program announces them. */
  owed: string[];
  required: number;
  /** The square of the piece that has to be played again. */
  must_replay: string | null;
  outcome: OutcomeView | null;
}

/** A game of the library, for a list. */
export interface LibraryGameView {
  id: number;
  variant: string;
  /** Who had them, empty if nobody says. */
  attackers: string;
  defenders: string;
  date: string;
  result: "attackers" | "defenders" | "draw" | "*";
  reason: string;
  plies: number;
}

/** The variant that rules are nearest to. */
export interface LikeView {
  variant: string;
  name: string;
  /** How near, in a sentence. */
  message: string;
}

/** A secret that carries a seat to another device, once. */
export interface LinkMade {
  secret: string;
  until_ms: number;
}

/** Takes a seat that a link carries. */
export interface LinkRequest {
  secret: string;
}

/** Plays a move. Sent again with the same id until it is answered, it acts once. */
export interface MoveMessage {
  type: "move";
  id: string;
  /** The last event its sender had seen. */
  seq: number;
  move: string;
  /** What is called with it: 0 nothing, 1 one exit, 2 two exits. */
  call?: number;
}

/** Plays a move by HTTP; see `MoveMessage`. */
export interface MoveRequest {
  id: string;
  seq: number;
  move: string;
  call?: number;
}

/** A move was played, perhaps with a call. */
export interface Moved {
  kind: "moved";
  move: string;
  call: number;
}

/** What a new game is to be. */
export interface NewGameRequest {
  variant: string;
  switches?: Record<string, string>;
  start?: string | null;
  opponent: "friend" | "computer" | "same_device";
  level?: number | null;
  side?: "attackers" | "defenders" | "lot";
  form?: "single" | "two_legs";
  clock?: Clock;
  calls?: "off" | "auto" | "manual";
  name?: string;
}

/** A game without a clock. */
export interface NoClock {
  kind: "none";
}

/** A player offered something to the other. */
export interface Offered {
  kind: "offered";
  what: "draw" | "takeback" | "rematch";
}

/** A move that was played at a position, and how the games with it ended. */
export interface OpeningMoveView {
  move: string;
  /** In how many games they won. */
  attackers: number;
  draws: number;
  defenders: number;
  /** How many games have no result that is known. */
  unknown: number;
  /** What the attackers got of each point, from 0 to 1; draws count half. */
  share: number | null;
  /** Between which bounds their true share lies with a probability of 95 %, if all games were alike. */
  interval: number[];
}

/** Asks what the games of the library played at a position, in whatever image of it. */
export interface OpeningsRequest {
  variant: string;
  switches?: Record<string, string>;
  position: string;
  /** Whether only games of this variant count, with whatever switches; else those of all rules. */
  variant_only?: boolean;
}

/** What the games of the library played at a position. */
export interface OpeningsView {
  /** How many came to it. */
  games: number;
  /** The most frequent first; of moves that come to the same by symmetry one. */
  moves: OpeningMoveView[];
  /** The games that were added last. */
  latest: LibraryGameView[];
}

/** How a leg ended. */
export interface OutcomeView {
  winner: SideName | null;
  reason: string;
}

/** A game of a visitor, for the list of his games. */
export interface OwnGame {
  game: string;
  variant: string;
  status: StatusName;
  you: number[];
  names: (string | null)[];
  level: number | null;
  opponent: "friend" | "computer" | "same_device";
  /** The player to move. */
  mover: number | null;
  /** Who has the attackers in the leg that is played. */
  attackers: number | null;
  position: string | null;
  outcome: OutcomeView | null;
  /** When something happened last: since then it is the turn of the player to move. */
  changed_ms: number;
  /** When it will no longer be kept, if nothing happens. */
  expires_ms: number;
}

/** The games of a visitor, the newest first. */
export interface OwnGames {
  games: OwnGame[];
}

/** Asks whether the connection is alive, and what time it is. */
export interface Ping {
  type: "ping";
  t: number;
}

/** A player as everybody may see him. */
export interface PlayerView {
  name: string;
  /** The level of a computer, None for people. */
  level: number | null;
  present: boolean;
  away_ms: number;
}

/** A move that was played, and what came of it. */
export interface PlyView {
  side: SideName;
  /** As it is written, captures included: `e5-e8xe9/f8`. */
  move: string;
  captures: string[];
  /** What was called with it, by the player or by the program. */
  call: number;
  /** Whether the other side could not move and passed after it. */
  passed: boolean;
  /** Whether it was an escape that was refused: the move before it has been taken back, too. */
  refused: boolean;
  t_ms: number;
  /** What its player had left after it. */
  left_ms: number;
}

/** The answer to `ping`. */
export interface Pong {
  type: "pong";
  t: number;
  now_ms: number;
}

/** Somebody came or went. */
export interface Presence {
  type: "presence";
  game: string;
  present: boolean[];
  away_ms: number[];
  watching: number;
}

/** Asks for an address as a picture that a telephone can read. */
export interface QrRequest {
  text: string;
}

/** A picture of squares: its path, on a ground of so many units each way. */
export interface QrView {
  size: number;
  path: string;
}

/** The analysis has to wait: so many are before it. */
export interface QueueView {
  type: "queue";
  position: number;
}

/** What is wrong with a record, in words, and where. */
export interface RecordFault {
  code: string;
  message: string;
  /** Which game of the text it is in, counted from 1. */
  game: number;
  /** Line and column, from 1; 0 for what only the rules tell. */
  line: number;
  column: number;
  /** For what only the rules tell, the ply; 0 for the headers. */
  ply: number;
}

/** Asks what a text of records holds. */
export interface RecordRequest {
  text: string;
  /** The variant of games that name none. */
  variant?: string | null;
  switches?: Record<string, string>;
}

/** Asks for the text of a record. */
export interface RecordTextRequest {
  /** The form it is to have: ours, OpenTafl's, numbered moves, or moves and nothing else. */
  form?: "tafl" | "otg" | "pgn" | "moves";
  variant: string;
  switches?: Record<string, string>;
  start?: string | null;
  headers?: HeaderView[];
  comments?: string[];
  plies?: TreePlyView[];
}

/** A game of a text, as far as it can be played. */
export interface RecordView {
  game: number;
  variant: string;
  switches: Record<string, string>;
  /** The position it begins from, if it is not that of the rules. */
  start: string | null;
  headers: HeaderView[];
  /** What is said before the first move. */
  comments: string[];
  plies: TreePlyView[];
}

/** What a text of records holds, and everything that is wrong with it. */
export interface RecordsView {
  games: RecordView[];
  faults: RecordFault[];
}

/** A message was refused. Nothing happened. */
export interface Reject {
  type: "reject";
  id: string | null;
  code: string;
  facts: Record<string, string>;
  /** The last event of the game. */
  seq: number | null;
}

/** Both want to play again: another game began, with the sides swapped. */
export interface Rematched {
  kind: "rematched";
  game: string;
}

/** The server was away while a clock ran; that time is charged to nobody. */
export interface Resumed {
  kind: "resumed";
  away_since_us: number;
}

/** What is wrong with some rules, in words, and which rule it is about. */
export interface RuleFault {
  leaf: string | null;
  code: string;
  message: string;
}

/** A rule that another one has changed. */
export interface RuleFollow {
  leaf: string;
  message: string;
}

/** A rule as it stands. */
export interface RuleView {
  /** As a switch. */
  value: string;
  /** In words. */
  text: string;
  /** Whether the variant that it began as has it otherwise. */
  differs: boolean;
  /** Whether it is about anything: without a throne nobody stops on it. */
  applies: boolean;
}

/** Rules that were read, as a variant with switches. */
export interface RulesRead {
  variant: string;
  switches: Record<string, string>;
  name: string;
  /** What could not be taken over. */
  notes: string[];
}

/** Asks for rules that somebody has written down: a variant file, a rules string of OpenTafl, a link. */
export interface RulesReadRequest {
  text: string;
  lang?: string | null;
}

/** Asks what rules of one's own are: a variant, and what is otherwise. */
export interface RulesRequest {
  variant: string;
  switches?: Record<string, string>;
  /** The rule that was changed last, to which the others give way; without it none gives way to another. */
  changed?: string | null;
  name?: string;
  /** The language of what is told; without it that of the request. */
  lang?: string | null;
}

/** A section of the rules in words. */
export interface RulesSection {
  id: string;
  heading: string;
  is_list: boolean;
  clauses: ClauseView[];
}

/** What rules of one's own are. With faults there is no more than the faults, the values and the board. */
export interface RulesView {
  ok: boolean;
  faults: RuleFault[];
  follows: RuleFollow[];
  /** Every rule as a switch. */
  values: Record<string, string>;
  /** What differs from the variant. */
  switches: Record<string, string>;
  start: string;
  shape: ShapeView;
  rules: Record<string, RuleView>;
  sections: RulesSection[];
  /** What a page needs to play by them, as `/facts` gives it. */
  facts: Record<string, unknown> | null;
  like: LikeView | null;
  /** The variant and its switches as they stand in the address of a page. */
  query: string;
  file_name: string;
  toml: string;
  opentafl: string;
  /** What a rules string of OpenTafl cannot say of them. */
  gaps: string[];
}

/** What the board has of special squares, whatever stands on it. */
export interface ShapeView {
  size: number;
  throne: string | null;
  corners: string[];
  camps: string[][];
  goals: string[];
}

/** The last moves of the leg were taken back. */
export interface TakenBack {
  kind: "taken_back";
  count: number;
}

/** A move of a record or of one of its side lines; see `hnefi.record.TreePly`. */
export interface TreePlyView {
  /** The place in the list of the move before it, -1 for none. Moves after the same one are alternatives. */
  parent: number;
  move: string;
  glyph?: "" | "!!" | "!" | "!?" | "?!" | "?" | "??";
  comments?: string[];
  /** What is said before it where it begins a side line. */
  before?: string[];
  call?: number;
  clock_ms?: number | null;
}

/** A variant with its rules. */
export interface VariantDetails {
  variant: VariantView;
  /** The tree of the rules, as `Rules` of the core reads it. */
  rules: Record<string, unknown>;
  switches: Record<string, string>;
}

/** All variants. */
export interface VariantList {
  variants: VariantView[];
}

/** A variant that can be played. */
export interface VariantView {
  id: string;
  names: Record<string, string>;
  revision: number;
  /** The hash of its rules. */
  rules: string;
  size: number;
  start: string;
  calls: boolean;
  legs: number;
  lot: boolean;
}

/** Who won the match, None for nobody, and what decided it. */
export interface VerdictView {
  winner: number | null;
  decision: "points" | "captures" | "drawn";
}

/** The secret of a new visitor, for programs: it goes into the header `Authorization: Bearer …`. */
export interface VisitorMade {
  token: string;
}

export type ClientMessage = Hello | MoveMessage | Command | Ping;

export type ServerMessage = GameView | EventMessage | Ack | Reject | Presence | Pong | Closing;

export type Body = Created | Joined | Began | Moved | Offered | Declined | TakenBack | Ended | LegBegan | Aborted | Resumed | Rematched;

export type Clock = NoClock | Fischer | Days;

export type ActionName = "resign" | "abort" | "offer_draw" | "accept_draw" | "decline_draw" | "offer_takeback" | "accept_takeback" | "decline_takeback" | "claim" | "next_leg" | "offer_rematch" | "accept_rematch" | "decline_rematch";

export type SideName = "attackers" | "defenders";

export type StatusName = "waiting" | "playing" | "between_legs" | "over" | "aborted";
