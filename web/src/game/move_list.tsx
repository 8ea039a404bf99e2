// The list of moves that were played, each with its number, as in records and on paper; each side has a column.

import { useEffect, useRef } from "preact/hooks";
import { t } from "../texts.ts";
import { callWord } from "../variants.ts";
import { calledAt, plies } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

interface Props {
  readonly snapshot: Snapshot;
  readonly at: number;
  readonly go: (at: number) => void;
}

export function MoveList({ snapshot, at, go }: Props) {
  const all = plies(snapshot.line);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current as HTMLOListElement;
    // The height of the list changes with what stands above and below it. An observer begins with a first report.
    const observer = new ResizeObserver(() => {
      const current = box.querySelector<HTMLElement>("[tabindex='0']");
      if (!current) return;
      if (box.contains(document.activeElement)) current.focus({ preventScroll: true });
      const item = current.parentElement as HTMLElement;
      box.scrollTo({ top: item.offsetTop - box.clientHeight + item.offsetHeight, left: current.offsetLeft - 96 });
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [at, all.length]);
  return (
    <ol class="moves bare" ref={list} aria-label={t("web.moves")}>
      {all.map(({ side }, index) => (
        <li key={index} class={side === all[0]?.side ? "" : "answer"}>
          <span class="number">{index + 1}.</span>
          <MoveButton snapshot={snapshot} ply={index + 1} at={at} go={go} />
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
