// The classes that this device knows: a game of one leads back to it, and to the next game when there is one.

import { getJson } from "./http.ts";
import type { ClassView } from "./messages.ts";
import { store, stored } from "./storage.ts";
import { LANGUAGE, t } from "./texts.ts";

const KEY = "hnefi.classes";
/** How many classes are remembered, the last one first. */
const MOST = 5;
const REPEAT_MS = 10_000;

interface Known {
  readonly code: string;
  readonly name: string;
  readonly games: readonly string[];
}

export function knownClasses(): readonly Known[] {
  return stored<Known[]>(KEY, []);
}

/** Stores which games of a class this device may see. */
export function rememberClass({ code, name, games }: ClassView): void {
  const others = knownClasses().filter((one) => one.code !== code);
  store(KEY, [{ code, name, games: games.map(({ game }) => game) }, ...others].slice(0, MOST));
}

export function forgetClass(code: string): void {
  store(KEY, knownClasses().filter((one) => one.code !== code));
}

export function classAddress(code: string): string {
  return `/${LANGUAGE}/class/${encodeURIComponent(code)}`;
}

function knownClassOf(game: string): Known | undefined {
  return knownClasses().find(({ games }) => games.includes(game));
}

/** Returns the address of the class of a game; null if it is of none that this device knows. */
export function classOf(game: string): string | null {
  const known = knownClassOf(game);
  return known ? classAddress(known.code) : null;
}

/** Shows a link to the class of a game below its page; it becomes one to the next game of the device. */
export function showClassOf(game: string): void {
  const code = knownClassOf(game)?.code;
  if (!code) return;
  const back = classAddress(code);
  const place = document.createElement("aside");
  place.className = "class-bar";
  place.setAttribute("role", "status");
  document.querySelector("main")?.before(place);
  const show = (next: string | null, words: string) => {
    const link = document.createElement("a");
    link.href = next ? `/${LANGUAGE}/game/${next}` : back;
    link.textContent = t(next ? "web.class.next" : words);
    place.classList.toggle("calls", next !== null);
    place.replaceChildren(link);
  };
  show(null, "web.class.back");
  let shown = "";
  const look = async () => {
    const view = await getJson<ClassView>(`/api/classes/${code}`).catch(() => null);
    if (view) rememberClass(view);
    const own = view?.games.filter((one) => one.attackers === view.you || one.defenders === view.you) ?? [];
    const isOver = own.some((one) => one.game === game && one.result !== null);
    const next = isOver ? (own.find(({ result }) => result === null)?.game ?? null) : null;
    const words = isOver ? "web.class.noted" : view?.is_closed ? "web.class.over" : "web.class.back";
    const found = `${next ?? ""} ${words}`;
    if (view && found !== shown) {
      shown = found;
      show(next, words);
    }
    setTimeout(() => void look(), REPEAT_MS);
  };
  void look();
}
