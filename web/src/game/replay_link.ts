// Links to replay a game: the players, and an end that the rules did not make, stand in the query of the analysis page.

import type { Outcome, Side } from "../rules.ts";
import { BY_PLAYERS } from "../ui/outcome.ts";

const MOST_LETTERS = 40;
const WINNERS: readonly string[] = ["attackers", "defenders", "draw"];

/** What the address of a replay says of its game. */
export interface Replay {
  /** The names of the players with attackers and defenders; empty without a name. */
  readonly players: readonly [string, string];
  /** How the players ended the game after its last move. */
  readonly ended: Outcome | null;
}

/** Returns the part of the query that asks for a replay. */
export function replayQuery({ players: [replay, against], ended }: Replay): string {
  const end = ended && BY_PLAYERS.includes(ended.reason) ? { ended: `${ended.reason}.${ended.winner ?? "draw"}` } : {};
  return new URLSearchParams({ replay, against, ...end }).toString();
}

/** Returns the replay that an address asks for; null if it asks for none. */
export function replayIn(query: URLSearchParams): Replay | null {
  const name = (key: string) => (query.get(key) ?? "").slice(0, MOST_LETTERS);
  const [reason, winner] = (query.get("ended") ?? "").split(".");
  return query.has("replay") ? { players: [name("replay"), name("against")], ended: endBy(reason, winner) } : null;
}

/** Returns an end that players made, by the words of a record or an address; null if it is none. */
export function endBy(reason = "", winner = ""): Outcome | null {
  if (!BY_PLAYERS.includes(reason) || !WINNERS.includes(winner)) return null;
  return { reason, winner: winner === "draw" ? null : (winner as Side) };
}
