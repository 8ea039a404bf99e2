// The game page: the board, and beside it everything that one wants to see while playing.

import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { t } from "../texts.ts";
import { Actions } from "./actions.tsx";
import { Board, reasonAgainst } from "./board.tsx";
import { CallOut, sayingAt, scoreText } from "./callout.tsx";
import { type Call, Calling } from "./calling.tsx";
import { Counters } from "./counters.tsx";
import { other } from "./facts.ts";
import { useSettings, useSounds, useTable } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { now } from "./line.ts";
import { Moves, Steps } from "./moves.tsx";
import { Player } from "./players.tsx";
import type { Step } from "../rules.ts";
import { SettingsDialog } from "./settings.tsx";
import type { ActionName, Source, Table } from "./source.ts";

interface Props {
  readonly source: Source;
  /** What the page does itself: a new game. */
  readonly leave: (name: ActionName) => void;
  /** What stands above the moves while nobody has come yet. */
  readonly waiting?: ComponentChildren;
  /** Makes a link that carries the own seat to another device, where there is one. */
  readonly carry?: (() => Promise<string>) | undefined;
}

export function GamePage({ source, leave, waiting, carry }: Props) {
  const table = useTable(source);
  const [settings, change] = useSettings();
  const [viewed, setViewed] = useState<number | null>(null);
  // Everybody sees the board from the own side, in each leg; turned is what turns away from that.
  const [isTurned, setTurned] = useState(false);
  const isFlipped = isDefender(table) !== isTurned;
  const [isOpen, setOpen] = useState(false);
  const [call, setCall] = useState<Call>(0);
  const [why, setWhy] = useState<string | null>(null);
  const [pending, setPending] = useState<Step | null>(null);
  const last = (table?.line.games.length ?? 1) - 1;
  const at = Math.min(viewed ?? last, last);

  const go = useCallback((to: number) => setViewed(to >= last ? null : Math.max(0, to)), [last]);
  useKeys(at, last, go, () => setTurned((was) => !was));
  useEffect(() => {
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
  if (!table) return <p class="waiting">{t("web.waiting")}</p>;

  const { facts, line, mode, score } = table;
  const state = (line.games[at] ?? now(line)).state;
  const saying = sayingAt(table, at);
  const near = isFlipped ? "defenders" : "attackers";
  const isCalling = mode === "manual" && facts.calls && state.turn === "defenders" && at === last;
  const act = (name: ActionName) => (name === "new_game" ? leave(name) : source.act(name));
  return (
    <>
      <h1 class="unseen">{facts.name}</h1>
      <div class="game-board">
        <Board
          table={table}
          at={at}
          settings={settings}
          isFlipped={isFlipped}
          move={move}
          refused={setWhy}
          pending={setPending}
          saying={saying ? `${saying.title} ${saying.words}` : null}
        />
      </div>
      <div class="game-side">
        <Player table={table} side={other(near)} at={at} isTop isTurned={settings.opposite} />
        {score && !saying?.words && <p class="score">{scoreText(score)}</p>}
        <CallOut saying={saying} isKept={facts.calls !== null && mode !== "off"} />
        {why && <p class="why-not">{why}</p>}
        {table.notice && (
          <p class="notice" role="status">
            {table.notice}
          </p>
        )}
        {waiting}
        {isCalling && facts.calls && <Calling calls={facts.calls} chosen={call} choose={setCall} />}
        {pending && <Confirming step={pending} />}
        <Moves table={table} at={at} go={go} />
        <Steps
          table={table}
          at={at}
          go={go}
          extra={
            <>
              <button type="button" aria-label={t("web.flip")} title={t("web.flip")} onClick={() => setTurned(!isTurned)}>
                <Icon name="flip" />
              </button>
              <button
                type="button"
                aria-label={t("web.settings.sounds")}
                title={t("web.settings.sounds")}
                aria-pressed={settings.sounds}
                onClick={() => change({ sounds: !settings.sounds })}
              >
                <Icon name={settings.sounds ? "sounds" : "silent"} />
              </button>
              <button type="button" aria-label={t("web.settings")} title={t("web.settings")} onClick={() => setOpen(true)}>
                <Icon name="more" />
              </button>
            </>
          }
        />
        <Counters facts={facts} state={state} />
        <Actions actions={table.actions} act={act} />
        <Player table={table} side={near} at={at} isTop={false} isTurned={false} />
      </div>
      <SettingsDialog isOpen={isOpen} close={() => setOpen(false)} settings={settings} change={change} rules={facts.rules} carry={carry} />
    </>
  );
}

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

/** Whether the one who looks at the page has the defenders alone: their board is turned to them. */
function isDefender(table: Table | null): boolean {
  return table !== null && table.seats.defenders.isYou && !table.seats.attackers.isYou;
}

/** Left and right go back and forth, Home and End to the ends, f turns the board. */
function useKeys(at: number, last: number, go: (at: number) => void, flip: () => void): void {
  useEffect(() => {
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
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [at, last, go, flip]);
}
