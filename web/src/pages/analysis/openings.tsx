// The openings panel: what the library's games played at this position, with results, and the latest games.

import type { Ref } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { failureText, getText, postJson } from "../../http.ts";
import type { LibraryGameView, OpeningMoveView, OpeningsRequest, OpeningsView, RecordView } from "../../messages.ts";
import type { Game } from "../../rules.ts";
import { storedText, storeText } from "../../storage.ts";
import { LANGUAGE, plural, t } from "../../texts.ts";
import { Tick } from "../../ui/choice.tsx";
import { moveText } from "../../ui/written_move.ts";
import { readRecords } from "./record_files.ts";
import type { Study } from "./study.ts";

interface Props {
  readonly study: Study;
  readonly game: Game;
  readonly play: (move: string) => void;
  readonly open: (record: RecordView) => Promise<void>;
}

const NUMBER = new Intl.NumberFormat(LANGUAGE);

export function OpeningsPanel({ study, game, play, open }: Props) {
  const [panel, setPanel] = useState(storedPanelState);
  const change = (changed: Partial<typeof panel>) => {
    const next = { ...panel, ...changed };
    storePanelState(next);
    setPanel(next);
  };
  const { turn, position } = game.state;
  const isLoaded = panel.isOpen && turn !== null;
  const openings = useOpenings(study, isLoaded ? position : null, panel.variantOnly);
  const isOutdated = openings.position !== position;
  const { summary, moveTable, keepFocus } = useFocus(openings);
  return (
    <details class="openings played" open={panel.isOpen} onToggle={(event) => change({ isOpen: event.currentTarget.open })}>
      <summary ref={summary}>{t("web.openings")}</summary>
      <Tick
        isOn={panel.variantOnly}
        set={(variantOnly) => change({ variantOnly })}
        label={t("web.openings.variant_only", { name: study.facts.name })}
      />
      <p class="openings-state" role="status">
        {turn === null ? t("web.analysis.over") : stateText(openings)}
      </p>
      {turn !== null && openings.view && (
        <div class={isOutdated ? "openings-result outdated" : "openings-result"} aria-busy={isOutdated}>
          {openings.view.moves.length > 0 && (
            <Moves
              moves={openings.view.moves}
              game={game}
              moveTable={moveTable}
              play={(move) => {
                if (isOutdated || !isLegal(game, move)) return;
                keepFocus();
                play(move);
              }}
            />
          )}
          {openings.view.latest.length > 0 && <Latest games={openings.view.latest} study={study} open={open} />}
        </div>
      )}
    </details>
  );
}

function stateText({ view, failure }: Openings): string {
  if (failure) return failure;
  return view ? plural("web.openings.games", view.games, { count: NUMBER.format(view.games) }) : t("web.waiting");
}

/** Keeps the focus in the panel when the row that had it is gone, for users who play by keys. */
function useFocus(openings: Openings) {
  const summary = useRef<HTMLElement>(null);
  const moveTable = useRef<HTMLTableElement>(null);
  const isKept = useRef(false);
  useEffect(() => {
    if (!isKept.current) return;
    isKept.current = false;
    if (document.activeElement && document.activeElement !== document.body) return;
    (moveTable.current?.querySelector("button") ?? summary.current)?.focus({ preventScroll: true });
  }, [openings]);
  const keepFocus = () => {
    isKept.current = true;
  };
  return { summary, moveTable, keepFocus };
}

interface MovesProps {
  readonly moves: readonly OpeningMoveView[];
  readonly game: Game;
  readonly moveTable: Ref<HTMLTableElement>;
  readonly play: (move: string) => void;
}

function Moves({ moves, game, moveTable, play }: MovesProps) {
  return (
    <>
      <table ref={moveTable}>
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
                  aria-label={t("web.openings.play", { move: moveText(game, one.move) })}
                  aria-disabled={!isLegal(game, one.move)}
                  onClick={() => play(one.move)}
                >
                  {moveText(game, one.move)}
                </button>
              </th>
              <td>{NUMBER.format(gamesOf(one))}</td>
              <td>
                <Results of={one} />
              </td>
              <td>{shareText(one)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="openings-key">{t("web.openings.key")}</p>
    </>
  );
}

/** Checks whether a move is legal in this game, whose repetitions may forbid what other games played. */
export function isLegal({ legal }: Game, move: string): boolean {
  const [from = "", to] = move.split("-");
  return legal[from]?.some((one) => one.to === to) ?? false;
}

function gamesOf({ attackers, draws, defenders, unknown }: OpeningMoveView): number {
  return attackers + draws + defenders + unknown;
}

function shareText({ share, interval: [low = 0, high = 1] }: OpeningMoveView): string {
  if (share === null) return "–";
  const [percent, least, most] = [share, low, high].map((one) => Math.round(100 * one)) as [number, number, number];
  return t("web.openings.share.bounds", { share: percent, low: least, high: most });
}

type ResultCounts = Pick<OpeningMoveView, "attackers" | "draws" | "defenders" | "unknown">;

/** A bar of the results: attackers, draws (hatched), defenders; and the numbers below it. */
export function Results({ of: { attackers, draws, defenders, unknown } }: { readonly of: ResultCounts }) {
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
  const [failure, setFailure] = useState<string | null>(null);
  const show = async (id: number) => {
    setFailure(null);
    try {
      await open(await libraryGame(id, study));
    } catch (error) {
      setFailure(failureText(error));
    }
  };
  return (
    <>
      <h2>{t("web.openings.latest")}</h2>
      <ul class="openings-games bare">
        {games.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => void show(one.id)}>
              <span>{t("web.openings.players", { attackers: one.attackers || "?", defenders: one.defenders || "?" })}</span>
              <span class="facts">{summaryOf(one)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p role="alert">{failure}</p>
    </>
  );
}

function summaryOf({ result, date, plies }: LibraryGameView): string {
  const end = result === "*" ? "unknown" : result;
  // The known part of a date.
  const day = date.replace(/[.-]\?\?/g, "").replace(/^\?+$/, "");
  return [t(`web.openings.result.${end}`), plural("web.openings.plies", plies), day].filter(Boolean).join(" · ");
}

/** The delay before a request, for users who step through a game. */
const DELAY_MS = 200;
const KEY = "hnefi.openings";

interface Openings {
  readonly view: OpeningsView | null;
  /** The position of the view, which may be an earlier one. */
  readonly position: string | null;
  readonly failure: string | null;
}

interface PanelState {
  readonly isOpen: boolean;
  readonly variantOnly: boolean;
}

function storedPanelState(): PanelState {
  const [fold, which] = (storedText(KEY) ?? "").split(" ");
  return { isOpen: fold === "open", variantOnly: which !== "all" };
}

function storePanelState({ isOpen, variantOnly }: PanelState): void {
  storeText(KEY, `${isOpen ? "open" : "folded"} ${variantOnly ? "variant" : "all"}`);
}

/** Gets the openings of a position, or nothing if null. A response that comes too late is dropped. */
function useOpenings({ facts }: Study, position: string | null, variantOnly: boolean): Openings {
  const [openings, setOpenings] = useState<Openings>({ view: null, position: null, failure: null });
  useEffect(() => {
    if (position === null) return;
    const stop = new AbortController();
    const load = async () => {
      const switches = { ...facts.switches };
      const request: OpeningsRequest = { variant: facts.id, switches, position, variant_only: variantOnly };
      try {
        const view = await postJson<OpeningsView>("/api/openings", request, stop.signal);
        if (!stop.signal.aborted) setOpenings({ view, position, failure: null });
      } catch (error) {
        if (!stop.signal.aborted) setOpenings({ view: null, position, failure: failureText(error) });
      }
    };
    const timer = setTimeout(() => void load(), DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [facts, position, variantOnly]);
  return openings;
}

/** Gets a game of the library as a parsed record. */
async function libraryGame(id: number, study: Study): Promise<RecordView> {
  const text = await getText(`/api/library/games/${id}`);
  const { games, faults } = await readRecords(text, study);
  const [game] = games;
  if (!game) throw new Error(faults[0]?.message ?? t("web.rejected"));
  return game;
}
