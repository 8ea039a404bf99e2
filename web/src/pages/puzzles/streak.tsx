// The streak as a row of ten pegs, and the puzzles of the week.

import { pageAddress } from "../../addresses.ts";
import { plural, t } from "../../texts.ts";
import type { PuzzleFacts } from "./puzzle.ts";
import { solvedPuzzles, streak, wasShown } from "./solved.ts";

export const ROW = 10;

/** A row of holes, with pegs in the first ones. */
export function PegRow({ done }: { readonly done: number }) {
  return (
    <span class="peg-row" aria-hidden="true">
      {Array.from({ length: ROW }, (_, place) => (
        <span key={place} class={place < done ? "peg on" : "peg"} />
      ))}
    </span>
  );
}

export function StreakRow({ today }: { readonly today: string }) {
  const { days, best } = streak(today);
  const done = days === 0 ? 0 : ((days - 1) % ROW) + 1;
  const missing = ROW - done;
  const row = missing === 0 ? t("web.puzzle.streak.full") : plural("web.puzzle.streak.row", missing);
  const next = days === 0 ? t("web.puzzle.streak.none") : row;
  return (
    <div class="streak">
      <p>
        <b>{t("web.puzzle.streak", { days })}</b>{" "}
        <span class="note">
          {wasShown(today) ? t("web.puzzle.streak.shown") : next} {best > days && t("web.puzzle.streak.best", { best })}
        </span>
      </p>
      <div role="img" aria-label={t("web.puzzle.streak.pegs", { done })}>
        <PegRow done={done} />
      </div>
    </div>
  );
}

export function Week({ puzzle }: { readonly puzzle: PuzzleFacts }) {
  const solved = solvedPuzzles();
  if (puzzle.week.length === 0) return null;
  return (
    <ol class="week" aria-label={t("web.puzzle.week")}>
      {puzzle.week.map(({ day, puzzle: id }, place) => {
        const isOpen = day <= puzzle.day;
        const isSolved = solved.has(id);
        const content = (
          <>
            <span class={isSolved ? "peg on" : "peg"} />
            <b>{t(`page.puzzle.weekday.${place}`)}</b>
            {isSolved && <span class="unseen">{t("web.puzzle.done")}</span>}
          </>
        );
        return (
          <li key={day} class={day === puzzle.day ? "today" : ""}>
            {isOpen && id !== puzzle.id ? <a href={pageAddress(`puzzles/${id}`)}>{content}</a> : <span>{content}</span>}
          </li>
        );
      })}
    </ol>
  );
}
