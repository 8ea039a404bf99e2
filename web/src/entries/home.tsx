// The board of the first page: move a piece, and a game with the computer has begun.

import { render } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
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

/** Begins a game with the computer; without a connection, none. */
async function begin(facts: GameFacts, side: Side): Promise<RemoteGame | null> {
  const request = { variant: facts.id, opponent: "computer", level: LEVEL, side };
  try {
    const response = await fetch("/api/games", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    return response.ok ? RemoteGame.open(((await response.json()) as GameMade).state, facts) : null;
  } catch {
    return null;
  }
}

const NO_MARKS: readonly Mark[] = [];

/** Marks a piece and where it may go, as if it had been taken up. */
function lifted(game: Game): readonly Mark[] {
  const targets = game.state.ply === 0 ? (game.legal[LIFTED] ?? []) : [];
  if (targets.length === 0) return NO_MARKS;
  return [{ square: LIFTED, kind: "selected" }, ...targets.map(({ to }) => ({ square: to, kind: "move" as const }))];
}

function HomeBoard({ facts, preview }: Props) {
  const [side, setSide] = useState<Side>("attackers");
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

  useEffect(() => {
    const sides = document.querySelector("[data-home-side]");
    const onChange = (event: Event) => setSide((event.target as HTMLInputElement).value as Side);
    sides?.addEventListener("change", onChange);
    return () => sides?.removeEventListener("change", onChange);
  }, []);

  // Another side is another game; the computer begins where the attackers do.
  useEffect(() => {
    if (side === "attackers" && !game) return;
    void begin(facts, side).then((begun) => begun && setSource(begun));
  }, [side]);

  const move = useCallback(
    (played: string) => {
      setWhy(null);
      if (source !== preview || now(preview.table!.line).state.ply > 0) {
        return reasonAgainst(() => source.move(played, 0));
      }
      void begin(facts, side).then((begun) => {
        if (begun) setSource(begun);
        (begun ?? preview).move(played, 0);
      });
      return null;
    },
    [source, side],
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
