// The tally of completed lessons: a stick with a deep notch for each.

import { t } from "../../texts.ts";

const STEP = 12;

interface Props {
  readonly all: number;
  readonly isDone: (place: number) => boolean;
  /** The index of the lesson that is open. */
  readonly at?: number;
  /** The index of the lesson that has just been completed: its notch is cut before the eyes of the user. */
  readonly cut?: number | undefined;
}

export function Tally({ all, isDone, at, cut }: Props) {
  const places = Array.from({ length: all }, (_, place) => place);
  const done = places.filter(isDone).length;
  const width = all * STEP + 4;
  return (
    <svg class="tally" viewBox={`0 0 ${width} 30`} role="img" aria-label={t("web.lesson.tally", { done, all })}>
      <path class="stick" d={`M0 20.5H${width}`} />
      {places.map((place) => (
        <path key={place} class={notchClass(isDone(place), place === cut)} d={notch(place, isDone(place) ? 17 : 6)} />
      ))}
      {at !== undefined && <path class="tally-here" d={`M${at * STEP + 8} 23l-5 7h10z`} />}
    </svg>
  );
}

function notchClass(isDone: boolean, isNew: boolean): string {
  return isDone ? `cut-notches${isNew ? " new-notch" : ""}` : "left-notches";
}

function notch(place: number, depth: number): string {
  return `M${place * STEP + 4} 20l4-${depth} 4 ${depth}z`;
}
