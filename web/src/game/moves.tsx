// The moves that were played, in a list.

import { useEffect, useRef } from "preact/hooks";
import type { Ply } from "../rules.ts";
import { t } from "../texts.ts";
import type { GameFacts } from "./facts.ts";
import { called, plies } from "./line.ts";
import type { Table } from "./source.ts";

interface Props {
  readonly table: Table;
  readonly at: number;
  readonly go: (at: number) => void;
}

interface Row {
  readonly number: number;
  /** The plies of the side that began and of the other, by their place in the game. */
  readonly cells: [number | null, number | null];
}

/** Puts plies into rows of two; a side that had to pass leaves its place empty. */
function rowsOf(all: readonly Ply[]): readonly Row[] {
  const first = all[0]?.side;
  const rows: Row[] = [];
  all.forEach((ply, index) => {
    const last = rows.at(-1);
    if (ply.side === first || !last || last.cells[1] !== null) {
      rows.push({ number: rows.length + 1, cells: ply.side === first ? [index + 1, null] : [null, index + 1] });
    } else last.cells[1] = index + 1;
  });
  return rows;
}

/** Numbers a ply as the list does: "4.", or "4. …" for a move of the side that answers. */
export function numberOf(all: readonly Ply[], at: number): string {
  const row = rowsOf(all).find(({ cells }) => cells.includes(at));
  return row ? `${row.number}.${row.cells[0] === at ? "" : "\u00a0…"}` : "";
}

export function Moves({ table, at, go }: Props) {
  const all = plies(table.line);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    if (!box) return;
    const show = () => {
      const current = box.querySelector<HTMLElement>("[aria-current]");
      if (!current) return;
      const row = current.parentElement as HTMLElement;
      box.scrollTo({ top: row.offsetTop - box.clientHeight + row.offsetHeight, left: current.offsetLeft - 96 });
    };
    // What comes above or below it leaves it more or less room.
    const watching = new ResizeObserver(show);
    watching.observe(box);
    show();
    return () => watching.disconnect();
  }, [at, all.length]);
  return (
    <ol class="moves" ref={list} aria-label={t("web.moves")} tabIndex={0}>
      {rowsOf(all).map((row) => (
        <li key={row.number}>
          <span class="number">{row.number}.</span>
          {row.cells.map((ply, column) =>
            ply === null ? (
              <span key={column} class="no-move">
                …
              </span>
            ) : (
              <MoveButton key={column} table={table} ply={ply} isCurrent={ply === at} go={go} />
            ),
          )}
        </li>
      ))}
      {all.length === 0 && <li class="none">{t("web.moves.none")}</li>}
    </ol>
  );
}

function MoveButton({ table, ply, isCurrent, go }: { table: Table; ply: number; isCurrent: boolean; go: Props["go"] }) {
  const played = table.line.games[ply]?.state.last;
  if (!played) return null;
  const call = callWord(table.facts, called(table.line, ply));
  return (
    <button type="button" aria-current={isCurrent ? "step" : undefined} onClick={() => go(ply)}>
      {played.piece === "king" && <span>{t("web.king.letter")}</span>} {played.from}–{played.to}
      {played.captures.length > 0 && <span class="taken"> ×{played.captures.map((one) => one.square).join(" ")}</span>}
      {call && <em>{call}</em>}
      {played.passed && <span class="taken"> {t("web.passed")}</span>}
    </button>
  );
}

function callWord(facts: GameFacts, roads: 0 | 1 | 2): string | null {
  if (!facts.calls || roads === 0) return null;
  return roads === 1 ? facts.calls.words.one_exit : facts.calls.words.two_exits;
}
