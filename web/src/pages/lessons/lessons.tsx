// The lessons of a variant; on the page of all lessons, which have been completed, and the next step of the path.

import { firstWin } from "../../first_win.ts";
import { completedLessons } from "./completed.ts";
import type { Lesson } from "./lesson.ts";
import { readJson, t } from "../../texts.ts";
import { renderInPlace } from "../../ui/render.ts";
import type { VariantFacts } from "../../variants.ts";

async function openLessons(place: HTMLElement, lessons: readonly Lesson[]): Promise<void> {
  const { LessonsPage, firstPlace } = await import("./page.tsx");
  const facts = readJson<VariantFacts>("game");
  if (!facts) return;
  const path = place.dataset["path"]?.split(" ") ?? [];
  renderInPlace(place, <LessonsPage facts={facts} lessons={lessons} path={path} first={firstPlace(lessons, facts.id)} />);
}

/** Puts a peg into the steps of the path that are done, and shows the first of the others. */
function showPath(path: HTMLElement): void {
  const completed = new Set(completedLessons(path.dataset["path"] ?? ""));
  if (firstWin() !== null) completed.add("game");
  const steps = [...path.querySelectorAll<HTMLElement>("[data-step]")];
  const next = steps.find((step) => !completed.has(step.dataset["step"] ?? ""));
  for (const step of steps) {
    const isDone = completed.has(step.dataset["step"] ?? "");
    step.className = isDone ? "done" : step === next ? "now" : "";
    step.querySelector(".peg")?.classList.toggle("on", isDone);
    if (step === next) step.querySelector("a")?.setAttribute("aria-current", "step");
    else step.querySelector("a")?.removeAttribute("aria-current");
    const here = step.querySelector(".here");
    if (isDone && here) here.textContent = t("web.lesson.done");
  }
  for (const hero of document.querySelectorAll<HTMLElement>("[data-hero]")) {
    hero.hidden = hero.dataset["hero"] !== (next?.dataset["step"] ?? "done");
  }
}

const path = document.querySelector<HTMLElement>(".path");
if (path) showPath(path);
const lessons = readJson<readonly Lesson[]>("lessons");
const place = document.getElementById("main");
if (place && lessons) await openLessons(place, lessons);
for (const line of document.querySelectorAll<HTMLElement>("[data-lessons]")) {
  const done = completedLessons(line.dataset["course"] ?? "").length;
  if (done > 0) line.textContent = t("web.lesson.tally", { done, all: line.dataset["lessons"] ?? "" });
}
