// The page of lessons: which lesson is open, and which have been completed.

import { useEffect, useState } from "preact/hooks";
import { t } from "../../texts.ts";
import type { VariantFacts } from "../../variants.ts";
import { completedLessons, completeLesson } from "./completed.ts";
import type { Lesson } from "./lesson.ts";
import { OneLesson } from "./one_lesson.tsx";

/** Begins the name of a lesson in the address of a step of the path for beginners. */
const ON_PATH = "#path-";

interface Props {
  readonly facts: VariantFacts;
  readonly lessons: readonly Lesson[];
  /** The ids of the lessons on the path. */
  readonly path: readonly string[];
  readonly first: number;
}

export function LessonsPage({ facts, lessons, path, first }: Props) {
  const [at, setAt] = useState(first);
  const [done, setDone] = useState(() => completedLessons(facts.id));
  const [run, setRun] = useState(0);
  const lesson = lessons[at] as Lesson;

  const open = (place: number) => {
    const { id } = lessons[place] as Lesson;
    setAt(place);
    setRun((was) => was + 1);
    history.replaceState(null, "", `${isOnPath() ? ON_PATH : "#"}${id}`);
    scrollTo(0, 0);
  };
  useEffect(() => {
    const onHash = () => {
      const named = placeNamed(lessons);
      if (named >= 0) open(named);
    };
    addEventListener("hashchange", onHash);
    return () => removeEventListener("hashchange", onHash);
  }, []);

  return (
    <OneLesson
      key={`${lesson.id} ${run}`}
      facts={facts}
      lessons={lessons}
      path={isOnPath() ? path : []}
      place={at}
      isFirstOpened={run === 0}
      done={done}
      finish={() => setDone(completeLesson(facts.id, lesson.id))}
      open={open}
      contents={(isOpen) => <Contents lessons={lessons} at={at} done={done} isOpen={isOpen} />}
    />
  );
}

/** Returns the index of the lesson that the address names, else of the first that has not been completed. */
export function firstPlace(lessons: readonly Lesson[], variant: string): number {
  const named = placeNamed(lessons);
  const done = completedLessons(variant);
  const next = lessons.findIndex((lesson) => !done.includes(lesson.id));
  return Math.max(0, named < 0 ? next : named);
}

/** Returns the index of the lesson that the address names, or -1. */
function placeNamed(lessons: readonly Lesson[]): number {
  return lessons.findIndex(({ id }) => location.hash === `#${id}` || location.hash === ON_PATH + id);
}

/** Checks whether the user has come from the path, and goes on along it. */
function isOnPath(): boolean {
  return location.hash.startsWith(ON_PATH);
}

interface ContentsProps {
  readonly lessons: readonly Lesson[];
  readonly at: number;
  readonly done: readonly string[];
  readonly isOpen: boolean;
}

function Contents({ lessons, at, done, isOpen }: ContentsProps) {
  return (
    <details class="lesson-list" open={isOpen}>
      <summary class="fold">{t("web.lessons.all")}</summary>
      <ol>
        {lessons.map((lesson, place) => (
          <li key={lesson.id} class={done.includes(lesson.id) ? "done" : ""}>
            <a class="pair" href={`#${lesson.id}`} aria-current={place === at ? "true" : undefined}>
              <span class="number">{place + 1}</span>
              {lesson.title}
              {done.includes(lesson.id) && <span class="mark">{t("web.lesson.done")}</span>}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
