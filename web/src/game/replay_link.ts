// Links to replay a game: the players, and an end that the rules did not make, stand in the query of the analysis page.

import type { Outcome, Protocol, Side } from "../rules.ts";
import { BY_PLAYERS } from "../ui/outcome.ts";
import type { CallFacts } from "../variants.ts";
import type { Entry } from "./played_game.ts";

const MOST_LETTERS = 40;
const WINNERS: readonly string[] = ["attackers", "defenders", "draw"];

/** What the address of a replay, or of the analysis of a game, says of it. */
export interface Replay {
  /** The names of the players with attackers and defenders; empty without a name. */
  readonly players: readonly [string, string];
  /** The date, as records have it; empty if it is not known. */
  readonly date: string;
  /** Who called. */
  readonly calls: Protocol["mode"];
  /** How the players ended the game after its last move. */
  readonly ended: Outcome | null;
}

/** Returns a time in milliseconds since 1970 as the date of a record. */
export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns the part of the query that asks for a replay. */
export function replayQuery({ players: [replay, against], date, calls, ended }: Replay): string {
  const end = ended && BY_PLAYERS.includes(ended.reason) ? { ended: `${ended.reason}.${ended.winner ?? "draw"}` } : {};
  return new URLSearchParams({ replay, against, ...(date ? { date } : {}), ...(calls === "off" ? {} : { calls }), ...end }).toString();
}

/** Returns the replay that an address asks for; null if it asks for none. */
export function replayIn(query: URLSearchParams): Replay | null {
  const name = (key: string) => (query.get(key) ?? "").slice(0, MOST_LETTERS);
  const [reason, winner] = (query.get("ended") ?? "").split(".");
  if (!query.has("replay")) return null;
  return { players: [name("replay"), name("against")], date: name("date"), calls: callMode(query.get("calls")), ended: endBy(reason, winner) };
}

/** Returns who calls, by the word of a record or an address. */
export function callMode(word: string | null): Protocol["mode"] {
  return word === "auto" || word === "manual" ? word : "off";
}

/** Returns the headers of a record that say by which rules the players call, if the game has calls. */
export function callHeaders(calls: CallFacts | null, mode: Protocol["mode"]): Readonly<Record<string, string>> {
  if (!calls || mode === "off") return { Calls: "off" };
  const { sanction, replay, wrong_number } = calls;
  return { Calls: mode, Sanction: sanction, Replay: replay, ...(wrong_number === "forgotten" ? { WrongNumber: wrong_number } : {}) };
}

/** Returns an end that players made, by the words of a record or an address; null if it is none. */
export function endBy(reason = "", winner = ""): Outcome | null {
  if (!BY_PLAYERS.includes(reason) || !WINNERS.includes(winner)) return null;
  return { reason, winner: winner === "draw" ? null : (winner as Side) };
}

/** Returns a move as links have it: `c5-a5`, or `c5-a5!2` with its call. */
export function linkedMove(move: string, call: number): string {
  return call ? `${move}!${call}` : move;
}

/** Returns the first moves of a game as links have them, each refused escape behind the move taken back for it. */
export function linkedMoves(entries: readonly Entry[], count = Infinity): string {
  let text = "";
  for (const { number, from, to, call, status } of entries) {
    if (number > count && status !== "refused") break;
    text += linkedMove(`${from}-${to}`, call) + (status === "taken_back" ? "~" : ".");
  }
  return text.replace(/.$/, "");
}
