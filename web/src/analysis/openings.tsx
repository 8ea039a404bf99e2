// The openings: what the games of the library played at the position shown, with what result, and those games.

import type { Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { LibraryGameView, OpeningMoveView, RecordView } from "../messages.ts";
import type { Game } from "../rules.ts";
import { LANGUAGE, plural, t } from "../texts.ts";
import { keepWish, keptWish, libraryGame, type Played, useOpenings } from "./library.ts";
import { troubleOf } from "./records.tsx";
import type { Study } from "./study.ts";

interface Props {
  readonly study: Study;
  readonly game: Game;
  readonly play: (move: string) => void;
  readonly open: (record: RecordView) => Promise<void>;
}

const NUMBER = new Intl.NumberFormat(LANGUAGE);

export function Openings({ study, game, play, open }: Props) {
  const [wish, setWish] = useState(keptWish);
  const change = (changed: Partial<typeof wish>) => {
    const next = { ...wish, ...changed };
    keepWish(next);
    setWish(next);
  };
  const { turn, position } = game.state;
  const isAsked = wish.isOpen && turn !== null;
  const played = useOpenings(study, isAsked ? position : null, wish.variantOnly);
  const isOld = played.position !== position;
  const { summary, table, follow } = useFocus(played);
  return (
    <details class="openings" open={wish.isOpen} onToggle={(event) => change({ isOpen: event.currentTarget.open })}>
      <summary ref={summary}>{t("web.openings")}</summary>
      <label class="tick">
        <input
          type="checkbox"
          checked={wish.variantOnly}
          onChange={(event) => change({ variantOnly: event.currentTarget.checked })}
        />
        {t("web.openings.variant_only", { name: study.facts.name })}
      </label>
      <p class="openings-state" role="status">
        {turn === null ? t("web.analysis.over") : stateOf(played)}
      </p>
      {turn !== null && played.view && (
        <div class={isOld ? "openings-found old" : "openings-found"} aria-busy={isOld}>
          {played.view.moves.length > 0 && (
            <Moves
              moves={played.view.moves}
              game={game}
              table={table}
              play={(move) => {
                if (isOld || !isLegal(game, move)) return;
                follow();
                play(move);
              }}
            />
          )}
          {played.view.latest.length > 0 && <Latest games={played.view.latest} study={study} open={open} />}
        </div>
      )}
    </details>
  );
}

function stateOf({ view, trouble }: Played): string {
  if (trouble) return trouble;
  return view ? plural("web.openings.games", view.games, { count: NUMBER.format(view.games) }) : t("web.waiting");
}

/** Keeps the focus in the panel when the row that had it is no more: whoever plays by keys plays on. */
function useFocus(played: Played) {
  const summary = useRef<HTMLElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const follows = useRef(false);
  useEffect(() => {
    if (!follows.current) return;
    follows.current = false;
    if (document.activeElement && document.activeElement !== document.body) return;
    (table.current?.querySelector("button") ?? summary.current)?.focus({ preventScroll: true });
  }, [played]);
  const follow = () => {
    follows.current = true;
  };
  return { summary, table, follow };
}

interface MovesProps {
  readonly moves: readonly OpeningMoveView[];
  readonly game: Game;
  readonly table: Ref<HTMLTableElement>;
  readonly play: (move: string) => void;
}

function Moves({ moves, game, table, play }: MovesProps) {
  return (
    <>
      <table ref={table}>
        <caption class="unseen">{t("web.openings.moves")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("web.openings.move")}</th>
            <th scope="col">{t("web.openings.count")}</th>
            <th scope="col">{t("web.openings.results")}</th>
            <th scope="col">{t("web.openings.share")}</th>
          </tr>
        </thead>
        <tbody>
          {moves.map((one, place) => (
            <tr key={place}>
              <th scope="row">
                <button
                  type="button"
                  aria-label={t("web.openings.play", { move: written(game, one) })}
                  aria-disabled={!isLegal(game, one.move)}
                  onClick={() => play(one.move)}
                >
                  {written(game, one)}
                </button>
              </th>
              <td>{NUMBER.format(gamesOf(one))}</td>
              <td>
                <Results of={one} />
              </td>
              <td>{shareOf(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="openings-key">{t("web.openings.key")}</p>
    </>
  );
}

function written({ state }: Game, { move }: OpeningMoveView): string {
  const text = move.replace("-", "–");
  return move.split("-")[0] === state.king ? `${t("web.king.letter")} ${text}` : text;
}

/** Whether it may be played in this very game: one that repeats positions may forbid what others played. */
function isLegal({ legal }: Game, move: string): boolean {
  const [from = "", to] = move.split("-");
  return legal[from]?.some((one) => one.to === to) ?? false;
}

function gamesOf({ attackers, draws, defenders, unknown }: OpeningMoveView): number {
  return attackers + draws + defenders + unknown;
}

function shareOf({ share, interval: [low = 0, high = 1] }: OpeningMoveView): string {
  if (share === null) return "–";
  const [percent, least, most] = [share, low, high].map((one) => Math.round(100 * one)) as [number, number, number];
  return t("web.openings.share.bounds", { share: percent, low: least, high: most });
}

/** A bar from the attackers' side to the defenders', draws hatched between them; the numbers stand below it. */
function Results({ of: { attackers, draws, defenders, unknown } }: { readonly of: OpeningMoveView }) {
  const known = attackers + draws + defenders;
  const facts = { attackers, draws, defenders, unknown };
  const [dark, drawn] = known > 0 ? [(100 * attackers) / known, (100 * draws) / known] : [0, 0];
  return (
    <>
      {known > 0 && (
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect class="of-defenders" width="100" height="8" />
          <rect class="drawn" x={dark} width={drawn} height="8" />
          {Array.from({ length: Math.floor(drawn / 4) }, (_, k) => (
            <path key={k} class="hatch" d={`M${dark + 4 * k} 8l4 -8`} />
          ))}
          <rect class="of-attackers" width={dark} height="8" />
        </svg>
      )}
      <span class="numbers" aria-hidden="true">
        {[attackers, draws, defenders].map((one) => NUMBER.format(one)).join(" · ")}
        {unknown > 0 && ` (${NUMBER.format(unknown)} ?)`}
      </span>
      <span class="unseen">{t(unknown > 0 ? "web.openings.results.unknown" : "web.openings.results.said", facts)}</span>
    </>
  );
}

interface LatestProps {
  readonly games: readonly LibraryGameView[];
  readonly study: Study;
  readonly open: Props["open"];
}

function Latest({ games, study, open }: LatestProps) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const show = async (id: number) => {
    setTrouble(null);
    try {
      await open(await libraryGame(id, study));
    } catch (error) {
      setTrouble(troubleOf(error));
    }
  };
  return (
    <>
      <h2>{t("web.openings.latest")}</h2>
      <ul class="openings-games">
        {games.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => void show(one.id)}>
              <span>{t("web.openings.players", { attackers: one.attackers || "?", defenders: one.defenders || "?" })}</span>
              <span class="facts">{lineOf(one)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="alert">{trouble}</p>
    </>
  );
}

function lineOf({ result, date, plies }: LibraryGameView): string {
  const end = result === "*" ? "unknown" : result;
  // Of a date that is known in part, the part that is known.
  const day = date.replace(/[.-]\?\?/g, "").replace(/^\?+$/, "");
  return [t(`web.openings.result.${end}`), plural("web.openings.plies", plies), day].filter(Boolean).join(" · ");
}
