// A class as its page knows it: requests to the server, and what is computed from its view.

import { changeJson, getJson, postJson } from "../../http.ts";
import type { ClassGameView, ClassMemberView, ClassView, LinkCreated } from "../../messages.ts";
import { LANGUAGE, readJson, t } from "../../texts.ts";

export type Result = NonNullable<ClassGameView["result"]>;

/** Runs an action that changes the class; the page shows the class after it, or why it failed. */
export type Act = (action: () => Promise<ClassView | null>) => void;

/** What the parts of the page of a class show and change. */
export interface ClassProps {
  readonly view: ClassView;
  readonly room: Room;
  readonly act: Act;
}

const NAMES = readJson<Readonly<Record<string, string>>>("names") ?? {};

export function gameName(variant: string): string {
  return NAMES[variant] ?? variant;
}

/** The requests of a class. */
export class Room {
  readonly code: string;
  readonly #path: string;

  constructor(code: string) {
    this.code = code;
    this.#path = `/api/classes/${encodeURIComponent(code)}`;
  }

  read(): Promise<ClassView> {
    return getJson(this.#path);
  }

  join(name: string, kind: "join" | "rename" = "join"): Promise<ClassView> {
    return postJson(`${this.#path}/members`, { name, kind });
  }

  /** Frees this device from its member, whose name and results stay. */
  handOver(): Promise<ClassView> {
    return postJson(`${this.#path}/hand-over`);
  }

  /** Lets the next device that joins under the name of a member take the place. */
  openPlace(member: number): Promise<ClassView> {
    return postJson(`${this.#path}/members/${member}/open`);
  }

  remove(member: number): Promise<ClassView | null> {
    return changeJson("DELETE", `${this.#path}/members/${member}`);
  }

  pair(attackers: number, defenders: number, variant: string): Promise<ClassView> {
    return postJson(`${this.#path}/games`, { attackers, defenders, variant });
  }

  pairAll(kind: "next" | "swapped", variant: string): Promise<ClassView> {
    return postJson(`${this.#path}/rounds`, { kind, variant });
  }

  enter(game: string, result: Result): Promise<ClassView> {
    return postJson(`${this.#path}/games/${game}`, { result });
  }

  change(changes: { name?: string; is_locked?: boolean; is_closed?: boolean }): Promise<ClassView | null> {
    return changeJson("PATCH", this.#path, changes);
  }

  delete(): Promise<null> {
    return changeJson("DELETE", this.#path);
  }

  async hostLink(): Promise<string> {
    const { secret } = await postJson<LinkCreated>(`${this.#path}/host-links`);
    return `${location.origin}${location.pathname}#host=${secret}`;
  }

  lead(secret: string): Promise<ClassView> {
    return postJson(`${this.#path}/hosts`, { secret });
  }

  /** Returns the address of a file: the table or the games for a spreadsheet, or all as JSON. */
  results(format: "csv" | "games" | "json"): string {
    return `${this.#path}/results?format=${format}&lang=${LANGUAGE}`;
  }
}

/** Returns a code as it is shown: two halves of capitals. */
export function shownCode(code: string): string {
  const text = code.toUpperCase();
  return `${text.slice(0, 4)} ${text.slice(4)}`;
}

/** Returns the name of a player of a game; those who were removed have none. */
export function nameOf(name: string | undefined): string {
  return name || t("page.class.removed");
}

/** Returns how a game ended, or who is to move. */
export function stateOf(game: ClassGameView): string {
  const [attackers, defenders] = game.names.map(nameOf) as [string, string];
  if (game.result === "attackers") return t("page.class.won", { name: attackers });
  if (game.result === "defenders") return t("page.class.won", { name: defenders });
  if (game.result) return t(`page.class.${game.result}`);
  return t("page.class.to_move", { name: game.turn === "defenders" ? defenders : attackers });
}

const NAMES_ORDER = new Intl.Collator(LANGUAGE);

/** Returns the members with their ranks, the best first; equal ones share a rank. */
export function ranking(members: readonly ClassMemberView[]): readonly (readonly [number, ClassMemberView])[] {
  const sorted = [...members].sort((one, other) => other.points - one.points || other.won - one.won || NAMES_ORDER.compare(one.name, other.name));
  const isEqual = (one: ClassMemberView, other: ClassMemberView) => one.points === other.points && one.won === other.won;
  return sorted.map((one) => [sorted.findIndex((other) => isEqual(one, other)) + 1, one]);
}
