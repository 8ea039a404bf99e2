// What this browser knows for games with others: the own name, and the secrets with which friends take the
// other seat. The server tells each only once, to whoever made the game.

const KEY = "hnefi.invites";

export function rememberInvite(game: string, secret: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [game]: secret }));
  } catch {
    // Without a memory the link is only on the page that follows.
  }
}

export function inviteOf(game: string): string | null {
  return all()[game] ?? null;
}

function all(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

const NAME = "hnefi.name";

/** The name under which one played last; nothing if one gave none. */
export function ownName(): string {
  try {
    return localStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}

export function keepName(name: string): void {
  try {
    localStorage.setItem(NAME, name.trim());
  } catch {
    // Then it is asked again.
  }
}
