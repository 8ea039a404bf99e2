// Links to replay a game: the players stand in the query of the analysis page.

const MOST_LETTERS = 40;

/** Returns the part of the query that asks for a replay, with the names of attackers and defenders. */
export function replayQuery([attackers = "", defenders = ""]: readonly string[]): string {
  return new URLSearchParams({ replay: attackers, against: defenders }).toString();
}

/** Returns the names of attackers and defenders of the replay that an address asks for; null if it asks for none. */
export function replayIn(query: URLSearchParams): readonly [string, string] | null {
  const attackers = query.get("replay");
  if (attackers === null) return null;
  return [attackers.slice(0, MOST_LETTERS), (query.get("against") ?? "").slice(0, MOST_LETTERS)];
}
