// The class of a game: its page leads back to the class, and to the next game when there is one.

import { getJson } from "./http.ts";
import type { ClassView } from "./messages.ts";
import { store, stored } from "./storage.ts";
import { LANGUAGE, t } from "./texts.ts";

const KEY = "hnefi.class";
const REPEAT_MS = 10_000;

interface Known {
  readonly code: string;
  readonly games: readonly string[];
}

/** Stores which games of a class this device may see. */
export function rememberClass({ code, games }: ClassView): void {
  store(KEY, { code, games: games.map(({ game }) => game) });
}

/** Returns the address of the class of a game; null if it is of none that this device knows. */
export function classOf(game: string): string | null {
  const { code, games } = stored<Known>(KEY, { code: "", games: [] });
  return code && games.includes(game) ? `/${LANGUAGE}/class/${code}` : null;
}

/** Shows a link to the class of a game below its page; it becomes one to the next game of the device. */
export function showClassOf(game: string): void {
  const { code } = stored<Known>(KEY, { code: "", games: [] });
  const back = classOf(game);
  if (!back) return;
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
