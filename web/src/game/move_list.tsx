// The list of moves that were played.

import { useEffect, useRef } from "preact/hooks";
import type { Ply } from "../rules.ts";
import { t } from "../texts.ts";
import { moveNumbers } from "../ui/move_numbers.ts";
import { callWord } from "../variants.ts";
import { calledAt, now, plies } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly at: number;
  readonly go: (at: number) => void;
}

interface Row {
  readonly number: number;
  /** The numbers of the plies of the side that began and of the other side. */
  readonly cells: [first: number | null, second: number | null];
}

/** Arranges plies in rows of two. A side that had to pass has an empty cell. */
function rowsOf(all: readonly Ply[]): readonly Row[] {
  const rows: Row[] = [];
  moveNumbers(all.map(({ side }) => side)).forEach(({ number, isFirst }, index) => {
    if (rows.length < number) rows.push({ number, cells: [null, null] });
    (rows[number - 1] as Row).cells[isFirst ? 0 : 1] = index + 1;
  });
  return rows;
}

export function MoveList({ snapshot, at, go }: Props) {
  const all = plies(snapshot.line);
  const isOver = now(snapshot.line).state.outcome !== null;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current as HTMLOListElement;
    // The height of the list changes with what stands above and below it. An observer begins with a first report.
    const observer = new ResizeObserver(() => {
      const current = box.querySelector<HTMLElement>("[tabindex='0']");
      if (!current) return;
      if (box.contains(document.activeElement)) current.focus({ preventScroll: true });
      const row = current.parentElement as HTMLElement;
      box.scrollTo({ top: row.offsetTop - box.clientHeight + row.offsetHeight, left: current.offsetLeft - 96 });
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [at, all.length]);
  return (
    <ol class="moves bare" ref={list} aria-label={t("web.moves")}>
      {rowsOf(all).map((row, place, rows) => (
        <li key={row.number}>
          <span class="number">{row.number}.</span>
          {row.cells.map((ply, column) =>
            ply === null ? (
              <span key={column} class="no-move">
                {isOver && column === 1 && place === rows.length - 1 ? "" : "…"}
              </span>
            ) : (
              <MoveButton key={column} snapshot={snapshot} ply={ply} at={at} go={go} />
            ),
          )}
        </li>
      ))}
      {all.length === 0 && <li class="none">{t("web.moves.none")}</li>}
    </ol>
  );
}

interface ButtonProps extends Props {
  readonly ply: number;
}

/** A move. One of them is the tab stop of the list: the move that is shown, or the first one at the start. */
function MoveButton({ snapshot, ply, at, go }: ButtonProps) {
  const played = snapshot.line.games[ply]?.state.last;
  if (!played) return null;
  const call = calledAt(snapshot.line, ply);
  return (
    <button type="button" aria-current={ply === at ? "step" : undefined} tabIndex={ply === (at || 1) ? 0 : -1} onClick={() => go(ply)}>
      {played.piece === "king" && <span>{t("web.king.letter")}</span>} {played.from}–{played.to}
      {played.captures.length > 0 && <span class="taken"> ×{played.captures.map((one) => one.square).join(" ")}</span>}
      {call > 0 && snapshot.facts.calls && <em> {callWord(snapshot.facts.calls, call)}</em>}
      {played.passed && <span class="taken"> {t("web.passed")}</span>}
    </button>
  );
}
