// The page of a puzzle; on the page of all puzzles, which are solved, the streak, and the choice of a game.

import { render } from "preact";
import { pageAddress } from "../../addresses.ts";
import type { Shape } from "../../board/types.ts";
import type { PuzzleFacts } from "./puzzle.ts";
import { DAY_MS, dayText, solvedPuzzles } from "./solved.ts";
import { PegRow, ROW, StreakRow } from "./streak.tsx";
import { readJson, t } from "../../texts.ts";
import { MiniBoard } from "../../ui/mini_board.tsx";
import { renderInPlace } from "../../ui/render.ts";
import type { VariantFacts } from "../../variants.ts";

async function openPuzzle(place: HTMLElement, puzzle: PuzzleFacts): Promise<void> {
  const { PuzzlePage } = await import("./page.tsx");
  const facts = readJson<VariantFacts>("game");
  if (!facts) return;
  const weekday = (new Date(puzzle.day).getUTCDay() + 6) % 7;
  // The server says it of its own day; a page that is kept, or is a file, of none.
  const isDaily = daily !== null && puzzleOf(daily) === puzzle.id;
  const [game, title, task] = textsOf(place);
  const about = isDaily ? `${t(`page.puzzle.day.${weekday}`)}\u00a0· ${game}` : game;
  renderInPlace(place, <PuzzlePage puzzle={puzzle} facts={facts} about={about} title={title} task={task} />);
}

function isSolved(link: Element): boolean {
  return link.classList.contains("done");
}

/** Returns how many of the puzzles are solved, as a sentence. */
function tally(links: readonly Element[]): string {
  return t("web.puzzle.tally", { done: links.filter(isSolved).length, all: links.length });
}

/** Marks the puzzles that are solved, shows only those of the chosen game, and leads to those that are not solved. */
function openList(list: HTMLElement): void {
  const solved = solvedPuzzles();
  const links = [...list.querySelectorAll<HTMLAnchorElement>("a[data-puzzle]")];
  for (const link of links) {
    if (!solved.has(link.dataset["puzzle"] ?? "")) continue;
    link.classList.add("done");
    link.setAttribute("aria-label", `${link.getAttribute("aria-label")}, ${t("web.puzzle.done")}`);
  }
  const choice = list.querySelector("select");
  const button = document.querySelector<HTMLAnchorElement>("[data-next]");
  const nextWords = button?.textContent ?? "";
  // The first puzzle of a beginner is an easy one, which that of the day need not be.
  const seeksEasy = solved.size === 0 && !list.querySelector(`[data-group=easy] [data-puzzle="${daily ? puzzleOf(daily) : shownToday()}"]`);
  const filter = () => {
    const shown = links.filter(({ dataset }) => !choice?.value || dataset["puzzle"]?.replace(/-\d+$/, "") === choice.value);
    for (const link of links) (link.parentElement as HTMLElement).hidden = !shown.includes(link);
    for (const group of list.querySelectorAll<HTMLElement>("[data-group]")) {
      const inGroup = shown.filter((link) => group.contains(link));
      group.hidden = inGroup.length === 0;
      const next = group.querySelector<HTMLAnchorElement>(":scope > .puzzle-next");
      if (next && inGroup[0]) showNext(next, inGroup);
    }
    const all = list.querySelector("[data-tally]");
    if (all) all.textContent = tally(shown);
    const easy = seeksEasy ? shown.find((link) => link.closest("[data-group=easy]")) : undefined;
    const first = easy ?? shown.find((link) => !isSolved(link));
    if (!button) return;
    button.hidden = !first;
    if (first) button.href = first.href;
    button.textContent = easy ? t("web.puzzle.today.easy") : nextWords;
  };
  choice?.addEventListener("change", filter);
  filter();
  if (!seeksEasy) return;
  button?.classList.add("main");
  button?.previousElementSibling?.classList.remove("main");
}

/** Returns the puzzle to which the button of today leads. */
function shownToday(): string {
  const link = document.querySelector(".puzzle-today .buttons a");
  return link?.getAttribute("href")?.split("/").at(-1)?.replace(".html", "") ?? "";
}

/** Shows the first puzzle of a theme and difficulty that is not solved, with its board, and how many are. */
function showNext(place: HTMLAnchorElement, links: readonly HTMLAnchorElement[]): void {
  const next = links.find((link) => !isSolved(link)) ?? links[0];
  const [picture, note] = place.querySelectorAll(".picture, .note");
  if (!next || !picture || !note) return;
  if (next.href !== place.href) {
    place.href = next.href;
    renderInPlace(picture, <MiniBoard position={next.dataset["setup"] ?? ""} shape={shapeOf(next.dataset["puzzle"])} />);
  }
  const done = Math.ceil((ROW * links.filter(isSolved).length) / links.length);
  renderInPlace(
    note,
    <>
      {tally(links)}
      <PegRow done={done} />
    </>,
  );
}

/** Shows the puzzle of today where the page has that of the day on which it was written. */
async function showToday(section: HTMLElement, today: Today): Promise<void> {
  const address = pageAddress(`puzzles/${puzzleOf(today)}`);
  const link = section.querySelector<HTMLAnchorElement>(".buttons a");
  if (!link || link.href === new URL(address, location.href).href) return;
  const response = await fetch(address).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [about, title, task] = textsOf(page);
  const note = section.querySelector(".note");
  if (note) note.textContent = `${note.textContent?.split(/\s·\s/)[0]}\u00a0· ${about}`;
  section.querySelector("h1")?.replaceChildren(title);
  section.querySelector(".lead")?.replaceChildren(task);
  const board = page.querySelector(".puzzle-board svg");
  // In a site of static files the board is a file, at an address relative to that page.
  for (const part of board?.querySelectorAll("use[href]") ?? []) {
    part.setAttribute("href", new URL(part.getAttribute("href") ?? "", response.url).href);
  }
  const picture = section.querySelector(".board");
  if (board) picture?.replaceChildren(board);
  // A page that is kept for use offline has no picture.
  else if (picture) renderInPlace(picture, <MiniBoard position={positionIn(page)} shape={shapeOf(puzzleOf(today))} />);
  link.href = address;
}

/** Shows that the puzzle of today is solved: the button only leads back to it. */
function markSolved(section: HTMLElement): void {
  const link = section.querySelector<HTMLAnchorElement>(".buttons a");
  if (!link || !solvedPuzzles().has(shownToday())) return;
  link.classList.remove("main");
  section.querySelector("[data-next]")?.classList.add("main");
  link.textContent = t("web.puzzle.today.again");
  const done = document.createElement("p");
  done.className = "today-solved";
  done.textContent = t("web.puzzle.today.solved");
  link.parentElement?.before(done);
}

/** Returns the board of the variant of a puzzle. */
function shapeOf(puzzle: string | null | undefined): Shape | undefined {
  return readJson<Readonly<Record<string, Shape>>>("shapes")?.[puzzle?.replace(/-\d+$/, "") ?? ""];
}

/** Returns the position of the puzzle of a page. */
function positionIn(page: Document): string {
  const facts = JSON.parse(page.getElementById("puzzle")?.textContent ?? "null") as PuzzleFacts | null;
  return facts?.setup ?? "";
}

/** Returns what is said about a puzzle, its title and its task. */
function textsOf(place: ParentNode): readonly [string, string, string] {
  const [about = "", title = "", task = ""] = [".note", "h1", ".lead"].map(
    (part) => place.querySelector(`.puzzle-side ${part}`)?.textContent ?? "",
  );
  return [about, title, task];
}

/** The puzzles of 52 weeks from a Monday, in a site of static files and in pages that are kept. They begin anew after that. */
interface Days {
  readonly first: string;
  readonly puzzles: readonly string[];
}

type Today = Pick<PuzzleFacts, "day" | "week">;

const WEEK = 7;

/** Returns the day and the puzzles of its week from those in the page; null if the server has written them. */
function todayInPage(now = Date.now()): Today | null {
  const days = readJson<Days>("days");
  if (!days) return null;
  const first = Date.parse(days.first);
  const today = Math.floor((now - first) / DAY_MS);
  const monday = today - (((today % WEEK) + WEEK) % WEEK);
  const count = days.puzzles.length;
  const week = Array.from({ length: WEEK }, (_, place) => ({
    day: dayText(first + (monday + place) * DAY_MS),
    puzzle: days.puzzles[(((monday + place) % count) + count) % count] as string,
  }));
  return { day: dayText(now), week };
}

/** Returns the puzzle of a day. */
function puzzleOf({ day, week }: Today): string | null {
  return week.find((one) => one.day === day)?.puzzle ?? null;
}

const today = dayText(Date.now());
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
if (section) markSolved(section);
