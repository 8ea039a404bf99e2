// The messages between server and browser, written by tools/write_messages.py: change them in
// src/hnefi/server: messages/, events.py.

/** `SCORE_BOUNDS` of hnefi.engine.analysis. */
export const SCORE_BOUNDS = { even: 0.57, slight: 0.7, better: 0.87 };

/** The game was aborted. */
export interface Aborted {
  kind: "aborted";
}

/** A move or command was carried out and is on disk. */
export interface Ack {
  type: "ack";
  /** The id of the move or command. */
  id: string;
  /** The number of its event. */
  seq: number;
}

/** A move or command was carried out and is on disk. */
export interface Acted {
  /** The number of its event. */
  seq: number;
}

/** The host of a class set the result; `void` does not count. A later one replaces it. */
export interface Adjudicated {
  kind: "adjudicated";
  /** The result. */
  result: "attackers" | "defenders" | "draw" | "void";
}

/** The part of the state that an event may have changed. */
export interface After {
  /** As in `GameView`. */
  status: StatusName;
  /** The number of the leg, 0 before the first. */
  leg: number;
  /** The player who has the attackers, None before the first leg. */
  attackers: number | null;
  /** The position, as in `LegView`; None before the first leg. */
  position: string | null;
  /** The side to move, None if no leg is played. */
  turn: SideName | null;
  /** As in `LegView`. */
  owed: string[];
  /** As in `LegView`. */
  required: number;
  /** As in `LegView`. */
  must_replay: string | null;
  /** The outcome of the leg, by the rules or by the event; None while it is played. */
  outcome: OutcomeView | null;
  /** As in `GameView`. */
  clocks: ClocksView | null;
  /** As in `GameView`. */
  offers: Record<string, number>;
  /** As in `GameView`. */
  score: number[];
  /** As in `GameView`. */
  verdict: VerdictView | null;
  /** The actions of each player, as in `GameView`. */
  actions: ActionName[][];
}

/** One line of an analysis. Scores are from the attackers' side. */
export interface AnalysisLineView {
  /** In hundredths of a soldier. */
  score: number;
  /** The expected score of the attackers, from 0 to 1. */
  chances: number;
  /** How far the chances were from the results of games; null if they are only an estimate. */
  spread: number | null;
  /** If proven, the number of plies until the attackers win, negative for the defenders. */
  win_in: number | null;
  moves: string[];
}

/** Requests the analysis of a position. */
export interface AnalysisRequest {
  variant: string;
  /** The changed rules, as `Variant.with_switches` takes them. */
  switches?: Record<string, string>;
  start?: string | null;
  moves?: string[];
  lines?: number;
  time_ms?: number;
}

/** A report of an analysis; better reports follow until one is final. */
export interface AnalysisView {
  type: "analysis";
  lines: AnalysisLineView[];
  depth: number;
  deepest: number;
  nodes: number;
  time_ms: number;
  final: boolean;
}

/** A value as the editor words it, and the rule in words with this value. */
export interface AnswerView {
  words: string;
  text: string;
}

/** Requests what each value of a rule would mean. */
export interface AnswersRequest {
  variant: string;
  /** The changed rules, as `Variant.with_switches` takes them. */
  switches?: Record<string, string>;
  /** The rule, or a switch of the calls. */
  leaf: string;
  lang?: string | null;
}

/** What each value of a rule means beside the other rules. */
export interface AnswersResponse {
  answers: AnswerView[];
}

/** The first leg began. */
export interface Began {
  kind: "began";
  /** The player with the attackers in the first leg. */
  attackers: number;
  /** The seed, if sides were drawn; anyone can check the draw with it. */
  seed: string | null;
}

/** A game with a free seat that anybody may take. */
export interface ChallengeView {
  game: string;
  variant: string;
  switches: Record<string, string>;
  /** The name of changed rules, if they were given one. */
  title: string | null;
  /** The position it begins from. */
  position: string;
  shape: ShapeView;
  /** The side of the player who posted it. */
  side: "attackers" | "defenders" | "lot";
  form: "single" | "two_legs";
  clock: Clock;
  name: string;
  posted_ms: number;
  /** Until when it is listed. */
  until_ms: number;
  yours: boolean;
  /** Whether its poster has no page open; one with a clock is not listed then. */
  away: boolean;
}

/** The move that a level of the computer plays. */
export interface ChosenMove {
  move: string;
}

/** A new class. */
export interface ClassCreated {
  code: string;
}

/** A game of two members. */
export interface ClassGameView {
  /** Its id; the game is an ordinary one of the server. */
  game: string;
  /** The number of its round; 0 if it was paired by hand. */
  round: number;
  variant: string;
  attackers: number;
  /** The members, by their numbers. */
  defenders: number;
  /** None while it is played. */
  result: "attackers" | "defenders" | "draw" | "void" | null;
  /** Why it ended; None if the host entered the result. */
  reason: string | null;
  /** How many plies were played. */
  moves: number;
  /** Who attacks and who defends; empty for those who were removed. */
  names: string[];
  turn: SideName | null;
  /** The board now; None for games that somebody has played another one after. */
  position: string | null;
  shape: ShapeView | null;
}

/** A member, with the results so far. */
export interface ClassMemberView {
  number: number;
  name: string;
  /** Whether the device has a page of the class or a game open. */
  here: boolean;
  playing: boolean;
  /** Whether the last round, with an odd number, left this member over. */
  sits_out: boolean;
  /** Whether a device plays for this member; none does after it was handed over. */
  has_device: boolean;
  /** Until when any device that joins under this name takes the place; None if none may. */
  open_ms: number | null;
  played: number;
  won: number;
  drawn: number;
  /** One for a win, a half for a draw. */
  points: number;
}

/** A class as its reader may see it: the host everything, a member what is its own, others the name. */
export interface ClassView {
  code: string;
  name: string;
  variants: string[];
  clock: Clock;
  is_host: boolean;
  is_locked: boolean;
  is_closed: boolean;
  /** The reader's number; None for those who have not joined. */
  you: number | null;
  rounds: number;
  members: ClassMemberView[];
  games: ClassGameView[];
  most_members: number;
  /** When it will be deleted if nothing changes. */
  deleted_ms: number;
}

/** A sentence of the rules. */
export interface ClauseView {
  text: string;
  /** The rules it describes. */
  leaves: string[];
  /** Whether the base variant does not have it. */
  differs: boolean;
}

/** The clocks at a moment of the server's time; one of them may run on. */
export interface ClocksView {
  /** The time that the attackers have left. */
  attackers_ms: number;
  /** The time that the defenders have left. */
  defenders_ms: number;
  /** The side whose clock runs, None if none does. */
  running: SideName | null;
  /** The time until the running clock starts. */
  free_ms: number;
  /** The moment, in milliseconds of Unix time. */
  at_ms: number;
}

/** Performs any other action. */
export interface Command {
  /** As in a move. */
  id: string;
  /** The last event that the sender had seen. */
  seq: number;
  /** The action. */
  do: ActionName;
  type: "command";
}

/** A game was created; its creator is player 0. */
export interface Created {
  kind: "created";
  /** The id of the variant. */
  variant: string;
  /** The revision of its file. */
  revision: number;
  /** The hash of the rules; their tree is stored beside the games. */
  rules: string;
  /** The switches that differ from the variant. */
  switches: Record<string, string>;
  /** The start position, None for that of the rules. */
  start: string | null;
  /** Who announces open roads: nobody, the server, or the players. */
  calls: "off" | "auto" | "manual";
  /** The sanction for a road that was not announced. */
  sanction: "none" | "replay" | "until_called";
  /** The piece that the attackers play again after it. */
  replay: "same_piece" | "any_piece";
  /** A single game, or two legs with the sides swapped. */
  form: "single" | "two_legs";
  /** The clock. */
  clock: Clock;
  /** The opponent. */
  opponent: "friend" | "computer" | "same_device";
  /** The level of a computer opponent. */
  level: number | null;
  /** The creator's side in the first leg. */
  side: "attackers" | "defenders" | "lot";
  /** The name of player 0. */
  name: string;
  /** If sides are drawn, the SHA-256 of the seed; the seed is published when they are drawn. */
  lot: string | null;
  /** The game it is the rematch of. */
  after: string | null;
  /** What decides two legs that are level. Games stored without it were decided by captures. */
  tie_break: "none" | "captures";
  /** What a call of the wrong number is worth. In games stored without it, it was a call. */
  wrong_number: "call" | "forgotten";
  /** Whether anybody may take the free seat and watch: the game is listed as an open challenge. */
  open: boolean;
  /** The name that changed rules were given. */
  title: string | null;
}

/** A number of days for each move. */
export interface Days {
  kind: "days";
  /** The days for each move. */
  days: number;
}

/** A player declined an offer of the other, or withdrew one. */
export interface Declined {
  kind: "declined";
  /** The offer. */
  what: "draw" | "takeback" | "rematch";
}

/** Something else than the rules ended the leg. Ends by the rules follow from the moves. */
export interface Ended {
  kind: "ended";
  /** The winning side, None for a draw. */
  winner: SideName | null;
  /** What ended it. */
  reason: "agreement" | "resignation" | "time" | "abandoned";
}

/** An event of the game. */
export interface EventMessage {
  type: "event";
  /** The id of the game. */
  game: string;
  /** The number of the event in the game, from 1, without gaps. */
  seq: number;
  /** When it happened, in milliseconds of Unix time. */
  t_ms: number;
  /** The player who acted, None for the server. */
  actor: number | null;
  /** What happened. */
  body: Body;
  /** The ply, if the event is a move. */
  ply: PlyView | null;
  /** What is true after it. */
  after: After;
}

/** An example; None if no single move shows the rule. */
export interface ExampleAnswer {
  example: ExampleView | null;
}

/** A small position and a move whose effect depends on the value of a rule. */
export interface ExampleView {
  leaf: string;
  value: string;
  /** The value it is compared with. */
  other: string;
  text: string;
  position: string;
  origin: string;
  target: string;
  /** Whether the move is legal. */
  legal: boolean;
  captures: string[];
  /** The position after the move. */
  after: string | null;
  shape: ShapeView;
}

/** The response to an error. */
export interface Failure {
  code: string;
  message: string;
  facts: Record<string, string>;
}

/** A time for the whole leg, and more for every move. */
export interface Fischer {
  kind: "fischer";
  /** The time for the leg, in seconds. */
  initial_s: number;
  /** The seconds that each move adds. */
  increment_s: number;
}

/** The response to a new game. */
export interface GameCreated {
  game: string;
  /** The secret with which a friend takes the other seat, once; sent only here. */
  invite: string | null;
  state: GameView;
}

/** The whole state of a game: the answer to `hello` if the events since are not sent. */
export interface GameView {
  type: "state";
  /** The id of the game. */
  game: string;
  /** The number of the last event: a move or a command states it. */
  seq: number;
  /** The settings of the game, as it was created. */
  created: Created;
  /** Whether the game waits for a player, is played, is between two legs, is over, or was aborted. */
  status: StatusName;
  /** Players 0 and 1, None for a free seat. */
  players: (PlayerView | null)[];
  /** The seats of the recipient: none for a spectator, both on a shared device. */
  you: number[];
  /** The legs that have begun; the last one is the one played. */
  legs: LegView[];
  /** The clocks, None in a game without one. */
  clocks: ClocksView | null;
  /** Open offers and the player of each: `draw`, `takeback`, `rematch`. */
  offers: Record<string, number>;
  /** The points of players 0 and 1 in the match. */
  score: number[];
  /** The result of the match, None until it is decided. */
  verdict: VerdictView | null;
  /** The seed that drew the sides, once they are drawn. */
  seed: string | null;
  /** The id of the rematch. */
  rematch: string | null;
  /** The result that the host of a class has set. */
  adjudicated: "attackers" | "defenders" | "draw" | "void" | null;
  /** How long the other player has to be away before `claim`. */
  claim_after_ms: number;
  /** How many spectators there are. */
  watching: number;
  /** The legal moves of the side to move. */
  legal: string[];
  /** The actions of each player besides moving; `claim` once the other was away for `claim_after_ms`. */
  actions: ActionName[][];
  /** The time of the server, in milliseconds of Unix time. */
  now_ms: number;
}

/** A header of a record. Only the size of the request limits headers and comments: records may be long. */
export interface HeaderView {
  name: string;
  value: string;
}

/** Opens a game on a connection, and reopens it after a reconnection. */
export interface Hello {
  type: "hello";
  /** The version of the messages. */
  v: 1;
  /** The id of the game. */
  game: string;
  /** The last known event: only later ones are sent, if they are not too many. */
  since?: number | null;
}

/** Player 1 took the other seat. */
export interface Joined {
  kind: "joined";
  /** The name of player 1. */
  name: string;
}

/** The next leg began, with the sides swapped. */
export interface LegBegan {
  kind: "leg_began";
}

/** A leg: sides, plies and position. */
export interface LegView {
  /** 1 or 2. */
  number: number;
  /** The player, 0 or 1, who has the attackers. */
  attackers: number;
  /** The start position, with the side to move. */
  start: string;
  /** The moves in order, refused escapes included. */
  plies: PlyView[];
  /** The position, with the side to move and the quiet counter. */
  position: string;
  /** The side to move, None when the leg is over. */
  turn: SideName | null;
  /** The goals that are open to the king, if the server announces them. */
  owed: string[];
  /** The call that the open roads require, if the server announces them: 0, 1 road, 2 roads or more. */
  required: number;
  /** The square of the piece that has to move again. */
  must_replay: string | null;
  /** The outcome, None while the leg is played. */
  outcome: OutcomeView | null;
}

/** A game of the library in a list. */
export interface LibraryGameView {
  id: number;
  variant: string;
  /** The name of the player, empty if unknown. */
  attackers: string;
  defenders: string;
  date: string;
  result: "attackers" | "defenders" | "draw" | "*";
  reason: string;
  plies: number;
}

/** A secret that carries a seat to another device, or makes it a host of a class, once. */
export interface LinkCreated {
  secret: string;
  until_ms: number;
}

/** A game that began as an open challenge and is played now. */
export interface LiveGameView {
  game: string;
  variant: string;
  switches: Record<string, string>;
  /** The name of changed rules, if they were given one. */
  title: string | null;
  names: (string | null)[];
  /** The player with the attackers. */
  attackers: number;
  position: string;
  shape: ShapeView;
  turn: SideName | null;
  /** How many moves the current leg has. */
  moves: number;
}

/** Plays a move. */
export interface MoveMessage {
  /** Letters, digits, `-` and `_`, at most 36, chosen by the sender and used once. */
  id: string;
  /** The last event that the sender had seen. */
  seq: number;
  /** The move, such as `d2-c2`. */
  move: string;
  /** Its call: 0 for none, 1 for one open road, 2 for two; ignored where nothing is to be called. */
  call?: number;
  type: "move";
}

/** A move was played, with or without a call. */
export interface Moved {
  kind: "moved";
  /** The move as it was sent; `ply` has it with its captures. */
  move: string;
  /** The call that was sent with it. */
  call: number;
}

/** The creator gave the name that the invitation names, while the game waited. */
export interface Named {
  kind: "named";
  /** The name of player 0. */
  name: string;
}

/** Creates a game. */
export interface NewGameRequest {
  variant: string;
  /** The changed rules, as `Variant.with_switches` takes them. */
  switches?: Record<string, string>;
  start?: string | null;
  opponent: "friend" | "computer" | "same_device";
  level?: number | null;
  side?: "attackers" | "defenders" | "lot";
  form?: "single" | "two_legs";
  clock?: Clock;
  calls?: "off" | "auto" | "manual";
  name?: string;
  /** Whether it is an open challenge, whose free seat anybody may take. */
  open?: boolean;
  /** The name of changed rules; without changed rules it is ignored. */
  title?: string;
}

/** A game without a clock. */
export interface NoClock {
  kind: "none";
}

/** A player offered something to the other. */
export interface Offered {
  kind: "offered";
  /** The offer. */
  what: "draw" | "takeback" | "rematch";
}

/** A move that was played at a position, and the results of its games. */
export interface OpeningMoveView {
  move: string;
  /** How many games they won. */
  attackers: number;
  draws: number;
  defenders: number;
  /** How many games have no known result. */
  unknown: number;
  /** The score of the attackers, from 0 to 1; draws count half. */
  share: number | null;
  /** The 95 % confidence interval of the score. */
  interval: number[];
}

/** Requests the moves that games of the library played at a position or an image of it. */
export interface OpeningsRequest {
  variant: string;
  /** The changed rules, as `Variant.with_switches` takes them. */
  switches?: Record<string, string>;
  position: string;
  /** Whether only games of this variant count, with any switches; otherwise those of all rules. */
  variant_only?: boolean;
}

/** The moves that games of the library played at a position. */
export interface OpeningsView {
  /** The number of games with the position. */
  games: number;
  /** The most frequent first; one of several moves that are equal by symmetry. */
  moves: OpeningMoveView[];
  /** The games added last. */
  latest: LibraryGameView[];
}

/** The outcome of a leg. */
export interface OutcomeView {
  /** The winning side, None for a draw. */
  winner: SideName | null;
  /** The reason for the end, such as `corner` or `resignation`. */
  reason: string;
}

/** A game in the list of a visitor's games. */
export interface OwnGame {
  game: string;
  variant: string;
  switches: Record<string, string>;
  /** The name of changed rules, if they were given one. */
  title: string | null;
  status: StatusName;
  you: number[];
  names: (string | null)[];
  level: number | null;
  opponent: "friend" | "computer" | "same_device";
  /** The player to move. */
  mover: number | null;
  /** The player with the attackers in the current leg. */
  attackers: number | null;
  /** That from which it will begin, while it waits for a player. */
  position: string;
  shape: ShapeView;
  outcome: OutcomeView | null;
  /** The time of the last event. */
  changed_ms: number;
  /** When it is deleted unless something happens. */
  expires_ms: number;
}

/** The games of a visitor, the newest first. */
export interface OwnGames {
  games: OwnGame[];
  /** Those that are damaged. They cannot be opened (`damaged_game`), and do not expire. */
  set_aside: SetAsideGame[];
}

/** The answer to a quick pairing: a challenge that was taken, or a new one that waits. */
export interface Paired {
  game: string;
  /** The secret with which a friend takes the other seat, once; sent only here. */
  invite: string | null;
  state: GameView;
  /** Whether the game begins now; otherwise it waits as an open challenge. */
  is_taken: boolean;
}

/** The people who are here, the open challenges and the games to watch, the newest first. */
export interface PeopleView {
  /** How many people are connected, the reader among them; None if that is unknown. */
  here: number | null;
  challenges: ChallengeView[];
  games: LiveGameView[];
}

/** Requests the time of the server, and keeps the connection alive. */
export interface Ping {
  type: "ping";
  /** Any number, which the answer repeats. */
  t: number;
}

/** A player. */
export interface PlayerView {
  /** The name. */
  name: string;
  /** The level of a computer, None for a person. */
  level: number | null;
  /** Whether the player is connected. */
  present: boolean;
  /** For how long the player has been away, 0 if present. */
  away_ms: number;
}

/** A move that was played, and what it did. */
export interface PlyView {
  /** The side that moved. */
  side: SideName;
  /** Its notation with captures: `e5-e8xe9/f8`. */
  move: string;
  /** The squares of the captured soldiers. */
  captures: string[];
  /** Its call, by the player or by the server. */
  call: number;
  /** Whether the other side could not move after it, and passed. */
  passed: boolean;
  /** Whether it was a refused escape: the move before it is taken back, too. */
  refused: boolean;
  /** When it was played, in milliseconds of Unix time. */
  t_ms: number;
  /** The time its player had left after it. */
  left_ms: number;
}

/** The answer to `ping`. */
export interface Pong {
  type: "pong";
  /** The number of the `ping`. */
  t: number;
  /** The time of the server, in milliseconds of Unix time. */
  now_ms: number;
}

/** A player or spectator came or left. */
export interface Presence {
  type: "presence";
  /** The id of the game. */
  game: string;
  /** Whether players 0 and 1 are connected. */
  present: boolean[];
  /** For how long each of them has been away, 0 if present. */
  away_ms: number[];
  /** How many spectators there are. */
  watching: number;
}

/** A QR code: the path of its dark modules, on a square of `size` units. */
export interface QrView {
  size: number;
  path: string;
}

/** The analysis waits at this place of the queue. */
export interface QueueView {
  type: "queue";
  position: number;
}

/** A fault of a record and its place. */
export interface RecordFault {
  code: string;
  message: string;
  /** The number of the game in the text, from 1. */
  game: number;
  /** Line and column, from 1; 0 for a fault that only the rules show. */
  line: number;
  column: number;
  /** The ply of a fault that only the rules show; 0 for the headers. */
  ply: number;
}

/** Something that a format cannot express, or that reading lost; `hnefi convert` reports the same. */
export interface RecordGap {
  code: string;
  message: string;
}

/** Requests the text of a record. */
export interface RecordTextRequest {
  variant: string;
  /** The changed rules, as `Variant.with_switches` takes them. */
  switches?: Record<string, string>;
  /** The format: native, OpenTafl, numbered moves, or only moves. */
  form?: "tafl" | "otg" | "pgn" | "moves";
  start?: string | null;
  headers?: HeaderView[];
  comments?: string[];
  plies?: TreePlyView[];
}

/** The text of a record, and what its format cannot express. */
export interface RecordTextView {
  text: string;
  gaps: RecordGap[];
}

/** A game of a text, as far as it can be played. */
export interface RecordView {
  game: number;
  variant: string;
  switches: Record<string, string>;
  /** The start position, if it is not that of the rules. */
  start: string | null;
  headers: HeaderView[];
  /** The comments before the first move. */
  comments: string[];
  plies: TreePlyView[];
}

/** The records of a text, and all faults. */
export interface RecordsView {
  games: RecordView[];
  faults: RecordFault[];
  /** What records only lack, such as the hash of their rules. */
  remarks: RecordFault[];
  /** What the texts of the games had that was not kept, such as unknown tags. */
  gaps: RecordGap[];
}

/** A message was refused, and changed nothing. */
export interface Reject {
  type: "reject";
  /** The id of the move or command, None for another message. */
  id: string | null;
  /** The stable code of the reason. */
  code: string;
  /** The facts of the reason, such as a square. */
  facts: Record<string, string>;
  /** The last event of the game. */
  seq: number | null;
}

/** Both players agreed on a rematch, with the sides swapped. */
export interface Rematched {
  kind: "rematched";
  /** The id of the new game. */
  game: string;
}

/** A process or the database failed while a clock ran; that time is not charged. Restarts have none. */
export interface Resumed {
  kind: "resumed";
  /** The last time at which the server was certainly alive, in microseconds of its own time. */
  away_since_us: number;
}

/** A fault of the rules, and the rule it is about. */
export interface RuleFault {
  leaf: string | null;
  code: string;
  message: string;
}

/** A rule that was adapted to another one. */
export interface RuleFollow {
  leaf: string;
  message: string;
}

/** A rule and its value. */
export interface RuleView {
  /** The value as a switch. */
  value: string;
  /** The rule in words. */
  text: string;
  /** Whether its value differs from that of the base variant. */
  differs: boolean;
  /** Whether it has an effect: without a throne, a rule about the throne has none. */
  applies: boolean;
}

/** The rules of a text, as a variant with switches. */
export interface RulesReadResponse {
  variant: string;
  switches: Record<string, string>;
  name: string;
  /** The parts of the text that could not be imported. */
  notes: string[];
}

/** Requests the description of custom rules: a variant and its switches. */
export interface RulesRequest {
  variant: string;
  /** The changed rules, as `Variant.with_switches` takes them. */
  switches?: Record<string, string>;
  /** The rule changed last, to which contradicting rules are adapted; without it none is adapted. */
  changed?: string | null;
  name?: string;
  /** The language of the response; without it that of the request. */
  lang?: string | null;
}

/** A section of the rules in words. */
export interface RulesSection {
  id: string;
  heading: string;
  is_list: boolean;
  clauses: ClauseView[];
}

/** The description of custom rules. With faults, only the faults, the values and the board are given. */
export interface RulesView {
  ok: boolean;
  faults: RuleFault[];
  follows: RuleFollow[];
  /** Every rule as a switch. */
  values: Record<string, string>;
  /** The differences from the variant. */
  switches: Record<string, string>;
  start: string;
  shape: ShapeView;
  rules: Record<string, RuleView>;
  sections: RulesSection[];
  /** The facts that a page needs to play by them, as in `/facts`. */
  facts: Record<string, unknown> | null;
  like: SimilarVariant | null;
  /** The variant and its switches as the query of a page. */
  query: string;
  file_name: string;
  toml: string;
  opentafl: string;
  /** The parts of the rules that a rules string of OpenTafl cannot express. */
  gaps: string[];
}

/** The server restarts: connect again after this time. */
export interface ServerClosing {
  type: "closing";
  /** After how long to connect again, in milliseconds. */
  retry_after_ms: number;
}

/** A damaged game in the list of a visitor's games, with what can still be read of it. */
export interface SetAsideGame {
  game: string;
  /** None if the event is damaged that has the variant, the level and the kind of opponent. */
  variant: string | null;
  you: number[];
  /** Empty for a name that is damaged. */
  names: (string | null)[];
  level: number | null;
  opponent: "friend" | "computer" | "same_device" | null;
  /** The time of the last event that can be read. */
  changed_ms: number;
}

/** The special squares of a board. */
export interface ShapeView {
  size: number;
  throne: string | null;
  corners: string[];
  camps: string[][];
  goals: string[];
}

/** The variant most similar to the rules. */
export interface SimilarVariant {
  variant: string;
  name: string;
  /** How similar, in a sentence. */
  message: string;
}

/** The last moves of the leg were taken back. */
export interface TakenBack {
  kind: "taken_back";
  /** How many moves were taken back. */
  count: number;
}

/** A move of a record or of one of its variations; see `hnefi.record.TreePly`. */
export interface TreePlyView {
  /** The index of the move before it, -1 for none. Moves with the same parent are alternatives. */
  parent: number;
  move: string;
  glyph?: "" | "!!" | "!" | "!?" | "?!" | "?" | "??";
  comments?: string[];
  /** The comments before it, where it begins a variation. */
  before?: string[];
  call?: number;
  clock_ms?: number | null;
  /** Whether it counts. A refused escape follows the move that was taken back for it. */
  status?: "played" | "taken_back" | "refused";
}

/** The winner of the match, None for a draw, and what decided it. */
export interface VerdictView {
  /** The player, 0 or 1, who won; None for a draw. */
  winner: number | null;
  /** The criterion that decided it. */
  decision: "points" | "captures" | "drawn";
}

export type ClientMessage = Hello | MoveMessage | Command | Ping;

export type ServerMessage = GameView | EventMessage | Ack | Reject | Presence | Pong | ServerClosing;

export type Body = Created | Named | Joined | Began | Moved | Offered | Declined | TakenBack | Ended | LegBegan | Aborted | Adjudicated | Resumed | Rematched;

export type Clock = NoClock | Fischer | Days;

export type ActionName = "resign" | "abort" | "offer_draw" | "accept_draw" | "decline_draw" | "offer_takeback" | "accept_takeback" | "decline_takeback" | "claim" | "next_leg" | "offer_rematch" | "accept_rematch" | "decline_rematch";

export type SideName = "attackers" | "defenders";

export type StatusName = "waiting" | "playing" | "between_legs" | "over" | "aborted";
