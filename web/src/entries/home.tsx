// The board of the home page: the first move begins a game against the computer.

import { render } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Mark } from "../board/types.ts";
import { GameBoard } from "../game/board.tsx";
import { HotSeat } from "../game/hotseat.ts";
import { now } from "../game/played_game.ts";
import { RemoteGame } from "../game/remote_game.ts";
import { type GameSource, useSnapshot } from "../game/source.ts";
import { createGame } from "../new_game.ts";
import type { Game, Side } from "../rules.ts";
import { LANGUAGE, t } from "../texts.ts";
import { outcomeText } from "../ui/outcome.ts";
import { refusalOf } from "../ui/refusals.ts";
import { readSettings } from "../ui/settings.ts";
import { pageVariants } from "../variants.ts";

const VARIANT = "brandub-globe";
const LEVEL = 2;
// The piece that is shown as taken up until the user takes one up.
const LIFTED = "d6";

/** Begins a game against the computer, unless another one is wanted by then. Returns null without a connection. */
async function begin(side: Side, isWanted: () => boolean): Promise<RemoteGame | null> {
  try {
    const { state } = await createGame({ variant: VARIANT, opponent: "computer", level: LEVEL, side });
    return isWanted() ? await RemoteGame.open(state) : null;
  } catch {
    return null;
  }
}

/** Returns the side that is chosen on the page; browsers restore it when the user comes back. */
function chosenSide(): Side {
  return (document.querySelector<HTMLInputElement>("[data-home-side] :checked")?.value ?? "attackers") as Side;
}

const NO_MARKS: readonly Mark[] = [];

/** Returns marks as if a piece had been taken up. */
function previewMarks(game: Game): readonly Mark[] {
  const targets = game.state.ply === 0 ? (game.legal[LIFTED] ?? []) : [];
  if (targets.length === 0) return NO_MARKS;
  return [{ square: LIFTED, kind: "selected" }, ...targets.map(({ to }) => ({ square: to, kind: "move" as const }))];
}

function HomeBoard({ preview }: { readonly preview: HotSeat }) {
  const [side, setSide] = useState(chosenSide);
  const [source, setSource] = useState<GameSource>(preview);
  const [refusal, setRefusal] = useState<string | null>(null);
  const snapshot = useSnapshot(source);
  const game = source instanceof RemoteGame ? source : null;
  const [isUntouched, setUntouched] = useState(true);
  useEffect(() => {
    const onSelect = () => setUntouched(false);
    addEventListener("tafl-select", onSelect);
    return () => removeEventListener("tafl-select", onSelect);
  }, []);

  // Counts requests for a game: the game of an earlier request comes too late.
  const requests = useRef(0);
  const beginGame = async (played: string | null) => {
    requests.current += 1;
    const request = requests.current;
    const chosen = chosenSide();
    setSide(chosen);
    // The attackers begin: until they have moved, the preview will do for them.
    if (played === null && chosen === "attackers" && !game) return;
    const begun = await begin(chosen, () => request === requests.current);
    if (request !== requests.current) return;
    if (begun) setSource(begun);
    if (played !== null) (begun ?? preview).move(played, 0);
  };
  useLayoutEffect(() => {
    const sides = document.querySelector("[data-home-side]");
    const onChange = () => void beginGame(null);
    sides?.addEventListener("change", onChange);
    return () => sides?.removeEventListener("change", onChange);
  }, [game]);
  useLayoutEffect(() => {
    if (side !== "attackers") void beginGame(null);
  }, []);

  const move = useCallback(
    (played: string) => {
      setRefusal(null);
      if (source !== preview || now(preview.snapshot!.line).state.ply > 0) {
        return refusalOf(() => source.move(played, 0));
      }
      void beginGame(played);
      return null;
    },
    [source],
  );
  if (!snapshot) return null;
  const { outcome, turn } = now(snapshot.line).state;
  const isYours = turn !== null && (snapshot.movable === turn || snapshot.movable === "both");
  return (
    <>
      <GameBoard
        snapshot={source === preview && now(snapshot.line).state.ply === 0 ? { ...snapshot, movable: side } : snapshot}
        at={snapshot.line.games.length - 1}
        settings={readSettings()}
        isFlipped={false}
        marks={isUntouched ? previewMarks(now(snapshot.line)) : NO_MARKS}
        move={move}
        refused={setRefusal}
        announced={outcome ? outcomeText(outcome) : null}
      />
      <p class="turn">
        {outcome ? <b class="over">{outcomeText(outcome)}</b> : <b>{t(isYours ? "page.home.turn" : "web.thinks")}</b>}
        {game ? <a href={`/${LANGUAGE}/game/${game.view.game}`}>{t("web.home.open")}</a> : <span>{t("page.home.opponent")}</span>}
      </p>
      {refusal && <p class="fault">{refusal}</p>}
    </>
  );
}

const place = document.querySelector<HTMLElement>("[data-home-board]");
const facts = pageVariants()[VARIANT];
if (place && facts) {
  const preview = await HotSeat.begin({ facts, mode: "auto", legs: 1, start: null }, { isSaved: false });
  place.replaceChildren();
  render(<HomeBoard preview={preview} />, place);
}
