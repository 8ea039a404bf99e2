// What a board tells screen readers besides the moves that are played, and where the focus goes when what had it is gone.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Ply } from "../rules.ts";
import { t } from "../texts.ts";

/** Screen readers read the move first: a sentence that came at once would replace it. */
export const AFTER_MOVE_MS = 500;

/** Sentences, some of which may be missing. */
export type Sentences = readonly (string | null | undefined | false)[];

/** Tells sentences once each, when they are new. */
export function useAnnouncer(element: RefObject<TaflBoard | null>, all: Sentences): void {
  const sentences = [...new Set(all)].filter((one): one is string => !!one);
  const told = useRef<readonly string[]>([]);
  const waiting = useRef<readonly string[]>([]);
  useEffect(() => {
    waiting.current = sentences.filter((one) => waiting.current.includes(one) || !told.current.includes(one));
    told.current = sentences;
    if (waiting.current.length === 0) return;
    const timer = setTimeout(() => {
      element.current?.announce(waiting.current.join(" "));
      waiting.current = [];
    }, AFTER_MOVE_MS);
    return () => clearTimeout(timer);
  }, [sentences.join("\n")]);
}

/** Returns the sentence for a position to which a step has led: it names the last move and its captures. */
export function placeText(last: Ply | null | undefined): string {
  if (!last) return `${t("web.analysis.start")}.`;
  const { from, to, captures } = last;
  const squares = captures.map(({ square }) => square).join(", ");
  return t(squares ? "web.voice.after.captures" : "web.voice.after", { from, to, squares });
}

/** Gives the focus to the heading of an end, or to the board, in the same task in which the button or field that had it
 * goes; at first to that of the page, if something begins. */
export function useKeptFocus(isBeginning = false): void {
  const hasFocus = useRef(false);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("focusin", () => (hasFocus.current = true), { signal });
    // A click beside everything takes the focus away on purpose.
    document.addEventListener("pointerdown", () => (hasFocus.current = false), { signal });
    return () => stop.abort();
  }, []);
  useLayoutEffect(() => {
    if (isBeginning && document.activeElement === document.body) document.querySelector("h1")?.focus({ preventScroll: true });
  }, []);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    // What is hidden loses the focus only with the next frame.
    if (!hasFocus.current || (activeElement !== body && activeElement?.checkVisibility())) return;
    const board = document.querySelector("tafl-board");
    const heading = document.getElementById("ending");
    if (heading) heading.focus();
    else board?.focusSquare(board.state?.last?.to ?? board.state?.king ?? "a1");
  });
}
