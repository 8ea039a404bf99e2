// A page that is opened from a folder, alone: a game against the computer or for two, its lessons and its rules. Rules and
// engine are parts of this script, since browsers load no modules there.

import { render } from "preact";
import { BrowserEngine, placedGame } from "../engine/engine.ts";
import { ComputerGame } from "../game/computer_game.ts";
import { HotSeat } from "../game/hotseat.ts";
import type { LocalGame } from "../game/local_game.ts";
import { GamePage } from "../game/page.tsx";
import { requestedSide } from "../game/requested_game.ts";
import type { Lesson } from "../pages/lessons/lesson.ts";
import { LessonsPage } from "../pages/lessons/page.tsx";
import { Rules } from "../rules.ts";
import { forget } from "../storage.ts";
import { LANGUAGE, readJson } from "../texts.ts";
import type { VariantFacts } from "../variants.ts";

/** What is seen: elements name theirs in `data-views`. */
type View = "start" | "game" | "lessons" | "rules";

interface OpenedGame {
  readonly facts: VariantFacts;
  readonly lessons: readonly Lesson[];
}

const games = readJson<readonly OpenedGame[]>("opened") ?? [{ facts: readJson("game"), lessons: readJson("lessons") } as OpenedGame];
const form = element<HTMLFormElement>("form");
const places = { game: element("[data-place=game]"), lessons: element("[data-place=lessons]") };
const title = document.title;
let isPlaying = false;
let shown: View | null = null;

function element<Kind extends HTMLElement>(selector: string): Kind {
  return document.querySelector<Kind>(selector) as Kind;
}

function answer(name: string): string {
  return String(new FormData(form).get(name));
}

function chosen(): OpenedGame {
  const id = answer("variant");
  return games.find(({ facts }) => facts.id === id) as OpenedGame;
}

function show(view: View): void {
  const { facts, lessons } = chosen();
  for (const one of document.querySelectorAll<HTMLElement>("[data-views]")) {
    one.hidden = !one.dataset["views"]?.split(" ").includes(view);
  }
  for (const one of document.querySelectorAll<HTMLElement>("[data-rules]")) one.hidden = one.dataset["rules"] !== facts.id;
  if (lessons.length === 0) element("[data-go=lessons]").hidden = true;
  if (view !== shown) scrollTo(0, 0);
  shown = view;
}

/** Shows a game. One for two takes the place of one that the computer cannot go on with. */
async function open(opening: Promise<LocalGame>): Promise<void> {
  const source = await opening;
  isPlaying = true;
  render(null, places.game);
  render(
    <GamePage
      source={source}
      leave={(name) => {
        if (name === "play_both" && source instanceof ComputerGame) void open(HotSeat.resume(source.forTwo()));
        else begin();
      }}
    />,
    places.game,
  );
  show("game");
}

function play(): Promise<void> {
  const wanted = { facts: chosen().facts, mode: "auto", legs: 1, start: null } as const;
  if (answer("opponent") !== "computer") return open(HotSeat.begin(wanted));
  return open(ComputerGame.begin({ ...wanted, side: requestedSide(answer("side")), level: Number(answer("level")) }));
}

/** Shows the start, with what was chosen last. */
function begin(): void {
  for (const place of Object.values(places)) render(null, place);
  isPlaying = false;
  document.title = title;
  history.replaceState(null, "", location.pathname);
  show("start");
}

function learn(): void {
  const { facts, lessons } = chosen();
  render(<LessonsPage key={facts.id} facts={facts} lessons={lessons} path={[]} first={0} />, places.lessons);
  show("lessons");
}

const WARNED_S = 10;
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel"] as const;

/** Calls `end` after so many seconds without a touch, once there was one, here or on the way here; a dialog counts the last ten. */
function returnWhenIdle(seconds: number, wasTouched: boolean, dialog: HTMLDialogElement, end: () => void): void {
  const count = dialog.querySelector("[data-left]") as HTMLElement;
  let left = wasTouched ? seconds : 0;
  for (const touch of TOUCHES) {
    addEventListener(touch, () => (left = seconds), { capture: true, passive: true });
  }
  // It covers the page, so that the touch that ends the warning does nothing else.
  dialog.addEventListener("click", () => dialog.close());
  setInterval(() => {
    if (left === 0) return;
    left -= 1;
    count.textContent = String(left);
    if (left === 0) end();
    else if (left > WARNED_S) dialog.close();
    else if (!dialog.open) dialog.showModal();
  }, 1000);
}

/** Offers games for two alone, and says so, if this browser runs no engine in such a page. */
async function checkEngine(): Promise<void> {
  try {
    const engine = await BrowserEngine.load();
    await engine.move(placedGame(await Rules.load(chosen().facts.tree), null, []), 1);
  } catch {
    element("[data-no-computer]").hidden = false;
    element<HTMLInputElement>("[value=computer]").disabled = true;
    element<HTMLInputElement>("[value=here]").checked = true;
  }
}

const WAYS: Readonly<Record<string, () => void>> = {
  back: () => (isPlaying && shown !== "game" ? show("game") : begin()),
  rules: () => show("rules"),
  lessons: learn,
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void play();
});
form.addEventListener("change", () => show("start"));
for (const button of document.querySelectorAll<HTMLElement>("[data-go]")) {
  button.addEventListener("click", WAYS[button.dataset["go"] ?? ""] ?? begin);
}
show("start");
void checkEngine();

const { idle, first, main } = document.documentElement.dataset;
if (idle !== undefined) {
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  // Only a touch leads from the main language to another one.
  const isElsewhere = first !== undefined && main !== LANGUAGE;
  returnWhenIdle(Number(idle), isElsewhere, element<HTMLDialogElement>("dialog[data-warning]"), () => {
    forget();
    form.reset();
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    begin();
    // The next visitor begins in the main language.
    if (isElsewhere) location.replace(first);
  });
}
