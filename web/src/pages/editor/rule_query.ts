// Queries to the server about one rule beside the other rules of the draft; repeated when those change.

import { useEffect, useState } from "preact/hooks";
import { failureText, postJson } from "../../http.ts";
import type { AnswersRequest } from "../../messages.ts";
import { LANGUAGE, t } from "../../texts.ts";
import type { RulesDraft } from "./rules_draft.ts";

const DELAY_MS = 350;

interface RuleAnswer<T> {
  /** Null until it has come. */
  readonly answer: T | null;
  readonly failure: string | null;
}

/** Posts a rule to an address that takes a variant, its switches and a rule. */
export function useRuleQuery<T>(draft: RulesDraft, leaf: string, address: string): RuleAnswer<T> {
  const [result, setResult] = useState<RuleAnswer<T>>({ answer: null, failure: null });
  const [query, setQuery] = useState(draft.playable?.query);
  useEffect(() => draft.subscribe(() => setQuery(draft.playable?.query)), []);
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const { playable, input } = draft;
      const switches = { ...playable?.switches };
      const request: AnswersRequest = { variant: input.variant, switches, leaf, lang: LANGUAGE };
      try {
        const answer = await postJson<T>(address, request, stop.signal);
        if (!stop.signal.aborted) setResult({ answer, failure: null });
      } catch (error) {
        // `fetch` rejects with a TypeError if the server cannot be reached.
        const failure = error instanceof TypeError ? t("web.editor.help.offline") : failureText(error);
        if (!stop.signal.aborted) setResult({ answer: null, failure });
      }
    };
    const timer = setTimeout(() => void load(), result.answer ? DELAY_MS : 0);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [query]);
  return result;
}
