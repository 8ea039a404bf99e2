// The results of a class: the table and all games, on the page, on paper and as files.

import { useEffect, useRef } from "preact/hooks";
import type { ClassMemberView } from "../../messages.ts";
import { LANGUAGE, t } from "../../texts.ts";
import { type ClassProps, gameName, nameOf, ranking, stateOf } from "./room.ts";
import { ResultChoice } from "./wall.tsx";

const POINTS = new Intl.NumberFormat(LANGUAGE);
const COLUMNS = ["rank", "name", "played", "won", "drawn", "lost", "points"];
const GAME_COLUMNS = ["round", "game", "attackers", "defenders", "result"];

/** How many stand beside the boards. */
const BEST = 12;

/** Shows the best with their points, and leads to all results. */
export function Standings({ members }: { readonly members: readonly ClassMemberView[] }) {
  return (
    <section class="class-standings" aria-labelledby="standings">
      <h2 id="standings">{t("page.class.standings")}</h2>
      <table>
        <tbody>
          {ranking(members).slice(0, BEST).map(([rank, one]) => (
            <tr key={one.number}>
              <td>{rank}</td>
              <th scope="row">{one.name}</th>
              <td>{POINTS.format(one.points)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <a href="#results">{t("page.class.all_results")}</a>
    </section>
  );
}

export function Results({ view, room, act }: ClassProps) {
  const rows = ranking(view.members);
  return (
    <section class="class-results">
      <h2 id="results">{t("page.class.results")}</h2>
      <div class="scrolls" tabIndex={0} role="region" aria-labelledby="results">
        <table>
          <Head columns={COLUMNS} />
          <tbody>
            {rows.map(([rank, one]) => (
              <tr key={one.number}>
                <td>{rank}</td>
                <th scope="row">{one.name}</th>
                <td>{one.played}</td>
                <td>{one.won}</td>
                <td>{one.drawn}</td>
                <td>{one.played - one.won - one.drawn}</td>
                <td>{POINTS.format(one.points)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">{t("page.class.ranking")}</p>
      <p class="row class-files">
        <button type="button" onClick={() => print()}>
          {t("page.class.print")}
        </button>
        <a class="button link" href={room.results("csv")} download>
          {t("page.class.csv")}
        </a>
        <a class="button link" href={room.results("games")} download>
          {t("page.class.csv.games")}
        </a>
        <a class="button link" href={room.results("json")} download>
          {t("page.class.json")}
        </a>
      </p>
      <AllGames view={view} room={room} act={act} />
    </section>
  );
}

function Head({ columns }: { readonly columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col">
            {t(`page.class.column.${name}`)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function AllGames({ view, room, act }: ClassProps) {
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    // What is closed is not printed.
    const open = () => place.current?.setAttribute("open", "");
    addEventListener("beforeprint", open);
    return () => removeEventListener("beforeprint", open);
  }, []);
  return (
    <details ref={place} class="class-games">
      <summary>{t("page.class.all_games")}</summary>
      <div class="scrolls" tabIndex={0} role="region" aria-label={t("page.class.all_games")}>
        <table>
          <Head columns={GAME_COLUMNS} />
          <tbody>
            {view.games.map((game) => {
              const [attackers, defenders] = game.names.map(nameOf) as [string, string];
              return (
                <tr key={game.game}>
                  <td>{game.round || "–"}</td>
                  <td>
                    <a href={`/${LANGUAGE}/game/${game.game}`}>{gameName(game.variant)}</a>
                  </td>
                  <td>{attackers}</td>
                  <td>{defenders}</td>
                  <td>
                    <span class={view.is_closed ? "" : "printed"}>{stateOf(game)}</span>
                    {!view.is_closed && <ResultChoice game={game} room={room} act={act} />}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </details>
  );
}
