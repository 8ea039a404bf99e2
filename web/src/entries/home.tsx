// The board of the first page: move a piece, and a game with the computer has begun.

import { render } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Board } from "../game/board.tsx";
import { outcomeText } from "../game/callout.tsx";
import { type GameFacts, knownGames } from "../game/facts.ts";
import { readSettings, useTable } from "../game/hooks.ts";
import { HotSeat } from "../game/hotseat.ts";
import { now } from "../game/line.ts";
import { RemoteGame } from "../game/remote.ts";
import type { Source } from "../game/source.ts";
import { reasonAgainst } from "../game/wiring.ts";
import type { GameMade } from "../messages.ts";
import type { Mark } from "../board/types.ts";
import type { Game, Side } from "../rules.ts";
import { LANGUAGE, t } from "../texts.ts";

const LEVEL = 2;
// The piece that is shown as taken up until a piece is.
const LIFTED = "d6";

interface Props {
  readonly facts: GameFacts;
  readonly preview: HotSeat;
}

/** Begins a game with the computer if it is still wished for then; without a connection, none. */
async function begin(facts: GameFacts, side: Side, isWished: () => boolean): Promise<RemoteGame | null> {
  const request = { variant: facts.id, opponent: "computer", level: LEVEL, side };
  try {
    const response = await fetch("/api/games", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    if (!response.ok) return null;
    const { state } = (await response.json()) as GameMade;
    return isWished() ? await RemoteGame.open(state, facts) : null;
  } catch {
    return null;
  }
}

/** The side that is chosen on the page: a browser that comes back to it has kept what was. */
function sideChosen(): Side {
  return (document.querySelector<HTMLInputElement>("[data-home-side] :checked")?.value ?? "attackers") as Side;
}

const NO_MARKS: readonly Mark[] = [];

/** Marks a piece and where it may go, as if it had been taken up. */
function lifted(game: Game): readonly Mark[] {
  const targets = game.state.ply === 0 ? (game.legal[LIFTED] ?? []) : [];
  if (targets.length === 0) return NO_MARKS;
  return [{ square: LIFTED, kind: "selected" }, ...targets.map(({ to }) => ({ square: to, kind: "move" as const }))];
}

function HomeBoard({ facts, preview }: Props) {
  const [side, setSide] = useState(sideChosen);
  const [source, setSource] = useState<Source>(preview);
  const [why, setWhy] = useState<string | null>(null);
  const table = useTable(source);
  const game = source instanceof RemoteGame ? source : null;
  const [isUntouched, setUntouched] = useState(true);
  useEffect(() => {
    const touched = () => setUntouched(false);
    addEventListener("tafl-select", touched);
    return () => removeEventListener("tafl-select", touched);
  }, []);

  // How often another game was wished for: what an earlier wish has brought comes too late.
  const wishes = useRef(0);
  const sitDown = async (played: string | null) => {
    wishes.current += 1;
    const wish = wishes.current;
    const chosen = sideChosen();
    setSide(chosen);
    // Another side is another game; the computer begins where the attackers do.
    if (played === null && chosen === "attackers" && !game) return;
    const begun = await begin(facts, chosen, () => wish === wishes.current);
    if (wish !== wishes.current) return;
    if (begun) setSource(begun);
    if (played !== null) (begun ?? preview).move(played, 0);
  };
  useLayoutEffect(() => {
    const sides = document.querySelector("[data-home-side]");
    const onChange = () => void sitDown(null);
    sides?.addEventListener("change", onChange);
    return () => sides?.removeEventListener("change", onChange);
  }, [game]);
  useLayoutEffect(() => {
    if (side !== "attackers") void sitDown(null);
  }, []);

  const move = useCallback(
    (played: string) => {
      setWhy(null);
      if (source !== preview || now(preview.table!.line).state.ply > 0) {
        return reasonAgainst(() => source.move(played, 0));
      }
      void sitDown(played);
      return null;
    },
    [source],
  );
  if (!table) return null;
  const { outcome, turn } = now(table.line).state;
  const isYours = turn !== null && (table.movable === turn || table.movable === "both");
  return (
    <>
      <Board
        table={source === preview && now(table.line).state.ply === 0 ? { ...table, movable: side } : table}
        at={table.line.games.length - 1}
        settings={readSettings()}
        isFlipped={false}
        marks={isUntouched ? lifted(now(table.line)) : NO_MARKS}
        move={move}
        refused={setWhy}
        saying={outcome ? outcomeText(outcome) : null}
      />
      <p class="turn">
        {outcome ? <b class="over">{outcomeText(outcome)}</b> : <b>{t(isYours ? "page.home.turn" : "web.thinks")}</b>}
        {game ? <a href={`/${LANGUAGE}/game/${game.view.game}`}>{t("web.home.open")}</a> : <span>{t("page.home.opponent")}</span>}
      </p>
      {why && <p class="why-not">{why}</p>}
    </>
  );
}

const place = document.querySelector<HTMLElement>("[data-home-board]");
const facts = knownGames()["brandub-globe"];
if (place && facts) {
  const preview = await HotSeat.begin({ facts, mode: "auto", legs: 1, start: null }, { isKept: false });
  place.replaceChildren();
  render(<HomeBoard facts={facts} preview={preview} />, place);
}
