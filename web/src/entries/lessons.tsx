// The lessons of a variant; on the page with all variants, how many have been done.

import { render } from "preact";
import type { GameFacts } from "../game/facts.ts";
import type { Lesson } from "../lessons/lesson.ts";
import { lessonsDone } from "../lessons/done.ts";
import { readJson, t } from "../texts.ts";

async function openLessons(place: HTMLElement, lessons: readonly Lesson[]): Promise<void> {
  const { LessonsPage, firstPlace } = await import("../lessons/page.tsx");
  const facts = readJson<GameFacts>("game");
  if (!facts) return;
  place.replaceChildren();
  render(<LessonsPage facts={facts} lessons={lessons} first={firstPlace(lessons, facts.id)} />, place);
}

const lessons = readJson<readonly Lesson[]>("lessons");
const place = document.getElementById("main");
if (place && lessons) await openLessons(place, lessons);
for (const line of document.querySelectorAll<HTMLElement>("[data-lessons]")) {
  const done = lessonsDone(line.dataset["course"] ?? "").length;
  if (done > 0) line.textContent = t("web.lesson.tally", { done, all: line.dataset["lessons"] ?? "" });
}
