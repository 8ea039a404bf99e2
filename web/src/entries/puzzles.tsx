// The page of a puzzle; on the page of all puzzles, which are solved, the streak, and the choice of a game.

import { render } from "preact";
import { pageAddress, sharedAddress } from "../addresses.ts";
import { puzzleOf, type Today, todayInPage } from "../puzzles/daily.ts";
import type { PuzzleFacts } from "../puzzles/puzzle.ts";
import { solvedPuzzles } from "../puzzles/solved.ts";
import { StreakRow } from "../puzzles/streak.tsx";
import { readJson, t } from "../texts.ts";
import type { VariantFacts } from "../variants.ts";

async function openPuzzle(place: HTMLElement, puzzle: PuzzleFacts): Promise<void> {
  const { PuzzlePage } = await import("../puzzles/page.tsx");
  const facts = readJson<VariantFacts>("game");
  if (!facts) return;
  const [about, title, task] = textsOf(place);
  place.replaceChildren();
  render(<PuzzlePage puzzle={puzzle} facts={facts} about={about} title={title} task={task} />, place);
}

/** Marks the puzzles that are solved, and shows only those of the chosen game. */
function openList(list: HTMLElement): void {
  const solved = solvedPuzzles();
  const links = [...list.querySelectorAll<HTMLAnchorElement>("a[data-puzzle]")];
  for (const link of links) {
    if (!solved.has(link.dataset["puzzle"] ?? "")) continue;
    link.classList.add("done");
    link.setAttribute("aria-label", `${link.getAttribute("aria-label")}, ${t("web.puzzle.done")}`);
  }
  const choice = list.querySelector("select");
  const filter = () => {
    const shown = links.filter((link) => !choice?.value || link.dataset["game"] === choice.value);
    for (const link of links) (link.parentElement as HTMLElement).hidden = !shown.includes(link);
    for (const group of list.querySelectorAll<HTMLElement>("[data-group]")) {
      group.hidden = !group.querySelector("li:not([hidden])");
    }
    const tally = list.querySelector("[data-tally]");
    const done = shown.filter((link) => link.classList.contains("done")).length;
    if (tally) tally.textContent = t("web.puzzle.tally", { done, all: shown.length });
  };
  choice?.addEventListener("change", filter);
  filter();
}

/** Shows the puzzle of today where the page has that of the day on which it was written. */
async function showToday(section: HTMLElement, today: Today): Promise<void> {
  const address = pageAddress(`puzzles/${puzzleOf(today)}`);
  const link = section.querySelector<HTMLAnchorElement>(".buttons a");
  if (!link || link.href === sharedAddress(address)) return;
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [about, title, task] = textsOf(page);
  const note = section.querySelector(".note");
  if (note) note.textContent = `${note.textContent?.split(" · ")[0]} · ${about}`;
  section.querySelector("h1")?.replaceChildren(title);
  section.querySelector(".lead")?.replaceChildren(task);
  const board = page.querySelector(".puzzle-board svg");
  // A page that is kept for use offline has no picture.
  if (board) section.querySelector(".board svg")?.replaceWith(board);
  else section.querySelector(".board svg")?.remove();
  link.href = address;
}

/** Returns what is said about a puzzle, its title and its task. */
function textsOf(place: ParentNode): readonly [string, string, string] {
  const [about = "", title = "", task = ""] = [".note", "h1", ".lead"].map(
    (part) => place.querySelector(`.puzzle-side ${part}`)?.textContent ?? "",
  );
  return [about, title, task];
}

const today = new Date().toISOString().slice(0, 10);
const daily = todayInPage();
const written = readJson<PuzzleFacts>("puzzle");
const puzzle = written && { ...written, ...daily };
const place = document.getElementById("puzzle-place");
if (place && puzzle) await openPuzzle(place, { ...puzzle, day: puzzle.day || today });
const list = document.getElementById("puzzle-list");
if (list) openList(list);
const streak = document.getElementById("streak");
if (streak) render(<StreakRow today={daily?.day ?? streak.dataset["day"] ?? today} />, streak);
const section = document.querySelector<HTMLElement>(".puzzle-today");
if (section && daily) await showToday(section, daily);
