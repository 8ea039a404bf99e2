// Links to replay a game: the players, and an end that the rules did not make, stand in the query of the analysis page.

import type { Outcome, Side } from "../rules.ts";
import { BY_PLAYERS } from "../ui/outcome.ts";

const MOST_LETTERS = 40;
const WINNERS: readonly string[] = ["attackers", "defenders", "draw"];

/** What the address of a replay, or of the analysis of a game, says of it. */
export interface Replay {
  /** The names of the players with attackers and defenders; empty without a name. */
  readonly players: readonly [string, string];
  /** The date, as records have it; empty if it is not known. */
  readonly date: string;
  /** How the players ended the game after its last move. */
  readonly ended: Outcome | null;
}

/** Returns a time in milliseconds since 1970 as the date of a record. */
export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns the part of the query that asks for a replay. */
export function replayQuery({ players: [replay, against], date, ended }: Replay): string {
  const end = ended && BY_PLAYERS.includes(ended.reason) ? { ended: `${ended.reason}.${ended.winner ?? "draw"}` } : {};
  return new URLSearchParams({ replay, against, ...(date ? { date } : {}), ...end }).toString();
}

/** Returns the replay that an address asks for; null if it asks for none. */
export function replayIn(query: URLSearchParams): Replay | null {
  const name = (key: string) => (query.get(key) ?? "").slice(0, MOST_LETTERS);
  const [reason, winner] = (query.get("ended") ?? "").split(".");
  if (!query.has("replay")) return null;
  return { players: [name("replay"), name("against")], date: name("date"), ended: endBy(reason, winner) };
}

/** Returns an end that players made, by the words of a record or an address; null if it is none. */
export function endBy(reason = "", winner = ""): Outcome | null {
  if (!BY_PLAYERS.includes(reason) || !WINNERS.includes(winner)) return null;
  return { reason, winner: winner === "draw" ? null : (winner as Side) };
}
