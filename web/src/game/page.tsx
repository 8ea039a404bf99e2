// The game page: the board, and beside it everything that one wants to see while playing.

import type { ComponentChildren } from "preact";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Arrow } from "../board/types.ts";
import { plural, t } from "../texts.ts";
import { Actions } from "./actions.tsx";
import { Board } from "./board.tsx";
import { CallOut, sayingAt, scoreText } from "./callout.tsx";
import { type Call, Calling } from "./calling.tsx";
import { Counters } from "./counters.tsx";
import { other } from "./facts.ts";
import { useLowTime, useSettings, useSounds, useTable } from "./hooks.ts";
import { now, seenAt } from "./line.ts";
import { Moves } from "./moves.tsx";
import { Player } from "./players.tsx";
import type { Step } from "../rules.ts";
import { SettingsDialog } from "./settings.tsx";
import type { ActionName, Source, Table } from "./source.ts";
import { FlipButton, IconButton, Steps, waysAlong } from "./steps.tsx";
import { reasonAgainst } from "./wiring.ts";

interface Props {
  readonly source: Source;
  /** What the page does itself: a new game. */
  readonly leave: (name: ActionName) => void;
  /** What stands above the moves while nobody has come yet. */
  readonly waiting?: ComponentChildren;
  /** What stands where the counters were once the game is over. */
  readonly after?: (table: Table, at: number, go: (at: number) => void) => ComponentChildren;
  /** The ply that is looked at first; the last one if null. */
  readonly opened?: number | null;
  /** Opens what the page offers for sharing, for the ply that is looked at. */
  readonly share?: (at: number) => void;
}

const LEAVING: readonly ActionName[] = ["new_game", "to_rematch"];

export function GamePage({ source, leave, waiting, after, opened = null, share }: Props) {
  const table = useTable(source);
  const [settings, change] = useSettings();
  const [viewed, setViewed] = useState<number | null>(opened);
  // Everybody sees the board from the own side, in each leg; turned is what turns away from that.
  const [isTurned, setTurned] = useState(false);
  const isFlipped = isDefender(table) !== isTurned;
  const [dialog, setDialog] = useState<"settings" | "keys" | null>(null);
  const [call, setCall] = useState<Call>(0);
  const [why, setWhy] = useState<string | null>(null);
  const [pending, setPending] = useState<Step | null>(null);
  const last = (table?.line.games.length ?? 1) - 1;
  const at = Math.min(viewed ?? last, last);

  const go = useCallback((to: number) => setViewed(to >= last ? null : Math.max(0, to)), [last]);
  useKeys(at, last, go, { flip: () => setTurned((was) => !was), help: () => setDialog("keys") });
  const shownLine = useRef(table?.line);
  // At once: what somebody chooses for the next move must not be undone after it.
  useLayoutEffect(() => {
    if (shownLine.current === table?.line) return;
    shownLine.current = table?.line;
    setViewed(null);
    setCall(0);
  }, [table?.line]);

  const move = useCallback(
    (played: string) => {
      setWhy(null);
      return reasonAgainst(() => source.move(played, call));
    },
    [source, call],
  );
  useSounds(table, settings.sounds);
  useLowTime(table, settings.sounds);
  const hint = table?.hint;
  const arrows = useMemo((): readonly Arrow[] => (hint ? [{ ...hint, kind: "move" }] : []), [hint]);
  if (!table) return <p class="waiting">{t("web.waiting")}</p>;

  const { facts, line, mode, score } = table;
  const state = seenAt(line, at);
  const saying = sayingAt(table, at);
  const near = isFlipped ? "defenders" : "attackers";
  const isCalling = mode === "manual" && facts.calls && state.turn === "defenders" && at === last;
  const act = (name: ActionName) => (LEAVING.includes(name) ? leave(name) : source.act(name));
  const isDone = now(line).state.outcome !== null;
  return (
    <>
      <h1 class="unseen">{facts.name}</h1>
      <div class="game-board">
        <Board
          table={table}
          at={at}
          settings={settings}
          isFlipped={isFlipped}
          arrows={at === last ? arrows : NO_ARROWS}
          move={move}
          refused={setWhy}
          pending={setPending}
          saying={saying ? `${saying.title} ${saying.words}` : null}
        />
      </div>
      <div class="beside-column game-side">
        <Player table={table} side={other(near)} at={at} isTop isTurned={settings.opposite} />
        {score && !table.isWaiting && !saying?.words && <p class="score">{scoreText(score)}</p>}
        <CallOut saying={saying} isKept={facts.calls !== null && mode !== "off" && !table.isWaiting} />
        {why && <p class="why-not">{why}</p>}
        {table.notice && (
          <p class="notice" role="status">
            {table.notice}
          </p>
        )}
        {waiting}
        <LegChoice table={table} show={(number) => source.showLeg?.(number)} />
        {(table.watching ?? 0) > 0 && <p class="watching">{plural("web.watching", table.watching ?? 0)}</p>}
        {isCalling && facts.calls && <Calling calls={facts.calls} chosen={call} choose={setCall} />}
        {!table.isWaiting && <Moves table={table} at={at} go={go} />}
        <Steps at={at} ways={waysAlong(at, last)} go={go}>
          <FlipButton flip={() => setTurned(!isTurned)} />
          <IconButton
            icon={settings.sounds ? "sounds" : "silent"}
            label={t("web.settings.sounds")}
            isPressed={settings.sounds}
            act={() => change({ sounds: !settings.sounds })}
          />
          {share && <IconButton icon="share" label={t("web.share")} act={() => share(at)} />}
          <IconButton icon="more" label={t("web.settings")} act={() => setDialog("settings")} />
        </Steps>
        {isDone && after && after(table, at, go)}
        {!(isDone && after) && !table.isWaiting && <Counters facts={facts} state={state} />}
        {pending ? <Confirming step={pending} /> : <Actions actions={table.actions} act={act} />}
        <Player table={table} side={near} at={at} isTop={false} isTurned={false} />
      </div>
      <SettingsDialog opened={dialog} close={() => setDialog(null)} settings={settings} change={change} rules={facts.rules} />
    </>
  );
}

const NO_ARROWS: readonly Arrow[] = [];

/** A move that waits: made or taken back with a button, too. */
function Confirming({ step }: { readonly step: Step }) {
  const board = () => document.querySelector("tafl-board");
  return (
    <div class="actions asked">
      <span>
        {step.from}–{step.to}
      </span>
      <button type="button" class="main" onClick={() => board()?.confirm()}>
        {t("web.confirm")}
      </button>
      <button type="button" onClick={() => board()?.cancel()}>
        {t("web.cancel")}
      </button>
    </div>
  );
}

/** Which leg of a match is looked at, once there are two. */
function LegChoice({ table, show }: { readonly table: Table; readonly show: (number: number) => void }) {
  const { legs } = table;
  if (!legs || legs.count < 2) return null;
  return (
    <fieldset class="choice leg-choice">
      <legend class="unseen">{t("web.leg.which")}</legend>
      {[1, 2].map((number) => (
        <label key={number}>
          <input type="radio" name="leg" checked={legs.shown === number} onChange={() => show(number)} />
          {t("web.leg", { leg: number })}
        </label>
      ))}
    </fieldset>
  );
}

/** Whether the one who looks at the page has the defenders alone: their board is turned to them. */
function isDefender(table: Table | null): boolean {
  return table !== null && table.seats.defenders.isYou && !table.seats.attackers.isYou;
}

/** Left and right go back and forth, Home and End to the ends, f turns the board, ? tells the keys. */
function useKeys(at: number, last: number, go: (at: number) => void, { flip, help }: Record<"flip" | "help", () => void>): void {
  // At once: a key that is held down comes again before the page is drawn.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (target.closest("tafl-board, input, select, textarea, dialog") || event.altKey || event.ctrlKey || event.metaKey) {
        return;
      }
      if (event.key === "ArrowLeft") go(at - 1);
      else if (event.key === "ArrowRight") go(at + 1);
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(last);
      else if (event.key === "f") flip();
      else if (event.key === "?") help();
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [at, last, go, flip, help]);
}
