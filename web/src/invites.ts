// Invitations to games with friends, and the name the user plays under.

import { store, stored, storedText, storeText } from "./storage.ts";

const INVITES = "hnefi.invites";
const NAME = "hnefi.name";
const NAMES = "hnefi.names";

/** Stores the secret with which a friend takes the other seat: the server sends it only once, to the creator. */
export function saveInvite(game: string, secret: string): void {
  store(INVITES, { ...stored<Record<string, string>>(INVITES, {}), [game]: secret });
}

/** Returns the secret of a game that was created in this browser, or null. */
export function inviteOf(game: string): string | null {
  return stored<Record<string, string>>(INVITES, {})[game] ?? null;
}

/** Returns the name the user played under last, or an empty text. */
export function playerName(): string {
  return storedText(NAME) ?? "";
}

export function savePlayerName(name: string): void {
  storeText(NAME, name.trim());
}

/** Returns the names of the last two who played at this device, that of the attackers first. */
export function playersHere(): readonly string[] {
  return stored<string[]>(NAMES, []);
}

export function savePlayersHere(names: readonly string[]): void {
  store(NAMES, names);
}
