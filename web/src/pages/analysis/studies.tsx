// The list of earlier studies that this browser keeps, each with a link that opens it.

import { DATE_LOCALE, displayedName, t } from "../../texts.ts";
import { gameTitle, pageVariants } from "../../variants.ts";
import { changesOf } from "../../changes.ts";
import { writtenMove } from "../../ui/written_move.ts";
import { type SavedStudy, savedStudies } from "./saved_studies.ts";
import { queryOf, type Study } from "./study.ts";

const SHOWN_MOVES = 3;
const DATE = new Intl.DateTimeFormat(DATE_LOCALE, { dateStyle: "long", timeZone: "UTC" });

export function EarlierStudies({ study }: { readonly study: Study }) {
  const earlier = savedStudies().filter(({ query }) => query !== queryOf(study));
  if (earlier.length === 0) return null;
  return (
    <section>
      <h2>{t("web.analysis.earlier")}</h2>
      <p class="note">{t("web.analysis.earlier.kept")}</p>
      <ul>
        {earlier.map((saved) => (
          <li key={saved.query}>
            <a href={saved.address}>{titleOf(saved)}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns what a study is recognised by: the game, the players, else the first moves. */
function titleOf({ query, headers, plies }: SavedStudy): string {
  const asked = new URLSearchParams(query);
  const id = asked.get("variant") ?? "";
  const name = gameTitle({ name: pageVariants()[id]?.name ?? id, ...changesOf(asked) });
  const header = (one: string) => headers.find((known) => known.name === one)?.value;
  const players = [header("Attackers"), header("Defenders")].map((player) => (player === "?" ? "" : displayedName(player ?? ""))).filter(Boolean);
  const moves = plies.slice(0, SHOWN_MOVES).map(({ move }) => writtenMove(move));
  return [name, players.join(" – ") || moves.join(" "), dateText(header("Date") ?? "")].filter(Boolean).join(" · ");
}

/** Formats the date of a record; one that is no whole date, such as "1732", stays as it is written. */
export function dateText(date: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && Number.isFinite(Date.parse(date)) ? DATE.format(new Date(date)) : date;
}
