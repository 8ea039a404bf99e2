// What the server tells of one rule beside the others as they are now; it is asked again when they change.

import { useEffect, useState } from "preact/hooks";
import { asked, troubleOf } from "../analysis/records.tsx";
import type { AnswersRequest } from "../messages.ts";
import { LANGUAGE } from "../texts.ts";
import type { Rulebook } from "./rulebook.ts";

const WAIT_MS = 350;

interface Told<Answer> {
  /** What was told; null until then. */
  readonly told: Answer | null;
  /** Why it was not. */
  readonly trouble: string | null;
}

/** Asks about a rule at an address that takes the variant, its switches and the rule. */
export function useTold<Answer>(book: Rulebook, leaf: string, address: string): Told<Answer> {
  const [found, setFound] = useState<Told<Answer>>({ told: null, trouble: null });
  const [query, setQuery] = useState(book.sound?.query);
  useEffect(() => book.subscribe(() => setQuery(book.sound?.query)), []);
  useEffect(() => {
    const asking = new AbortController();
    const ask = async () => {
      const { sound, draft } = book;
      const request: AnswersRequest = { variant: draft.variant, switches: { ...sound?.switches }, leaf, lang: LANGUAGE };
      try {
        const told = (await (await asked(address, request, asking.signal)).json()) as Answer;
        if (!asking.signal.aborted) setFound({ told, trouble: null });
      } catch (error) {
        if (!asking.signal.aborted) setFound({ told: null, trouble: troubleOf(error) });
      }
    };
    const timer = setTimeout(() => void ask(), found.told ? WAIT_MS : 0);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [query]);
  return found;
}
