// What a board tells screen readers besides the moves that are played.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { TaflBoard } from "../board/element.ts";
import type { Move } from "../rules.ts";
import { t } from "../texts.ts";

/** Screen readers read the move first: a sentence that came at once would replace it. */
const AFTER_MOVE_MS = 500;

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

/** Returns the sentence for a position to which a step has led: it names the last move. */
export function placeText(last: Move | null | undefined): string {
  return `${last ? t("web.voice.after", { move: `${last.from}–${last.to}` }) : t("web.analysis.start")}.`;
}
