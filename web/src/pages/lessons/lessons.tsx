// The lessons of a variant; on the page of all lessons, how many have been completed.

import { render } from "preact";
import { completedLessons } from "./completed.ts";
import type { Lesson } from "./lesson.ts";
import { readJson, t } from "../../texts.ts";
import type { VariantFacts } from "../../variants.ts";

async function openLessons(place: HTMLElement, lessons: readonly Lesson[]): Promise<void> {
  const { LessonsPage, firstPlace } = await import("./page.tsx");
  const facts = readJson<VariantFacts>("game");
  if (!facts) return;
  place.replaceChildren();
  render(<LessonsPage facts={facts} lessons={lessons} first={firstPlace(lessons, facts.id)} />, place);
}

const lessons = readJson<readonly Lesson[]>("lessons");
const place = document.getElementById("main");
if (place && lessons) await openLessons(place, lessons);
for (const line of document.querySelectorAll<HTMLElement>("[data-lessons]")) {
  const done = completedLessons(line.dataset["course"] ?? "").length;
  if (done > 0) line.textContent = t("web.lesson.tally", { done, all: line.dataset["lessons"] ?? "" });
}
