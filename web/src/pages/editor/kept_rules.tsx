// The rules that the user has made in this browser: they are kept when the page is left, as queries of the editor.

import { useState } from "preact/hooks";
import { pageAddress } from "../../addresses.ts";
import { store, stored } from "../../storage.ts";
import { t } from "../../texts.ts";
import type { RulesDraft } from "./rules_draft.ts";

const KEY = "hnefi.rules";
const MOST_RULES = 12;

/** Keeps what the user has changed whenever the page is left. Rules that are opened again replace themselves. */
export function keepRules(draft: RulesDraft): void {
  let opened = location.search.slice(1);
  document.addEventListener("visibilitychange", () => {
    const { query, canUndo, isRenamed, view } = draft;
    if (document.visibilityState === "visible" || !(canUndo || isRenamed) || Object.keys(view.switches).length === 0) return;
    const others = stored<string[]>(KEY, []).filter((one) => one !== opened && one !== query);
    store(KEY, [query, ...others].slice(0, MOST_RULES));
    opened = query;
  });
}

interface Props {
  /** Returns the title of a rule. */
  readonly ruleTitle: (leaf: string) => string;
  readonly gameTitle: (variant: string) => string;
}

export function KeptRules({ ruleTitle, gameTitle }: Props) {
  const [kept, setKept] = useState(() => stored<string[]>(KEY, []));
  if (kept.length === 0) return null;
  const forget = (query: string) => {
    const left = stored<string[]>(KEY, []).filter((one) => one !== query);
    store(KEY, left);
    setKept(left);
  };
  return (
    <details>
      <summary>
        {t("web.editor.kept")} ({kept.length})
      </summary>
      <p class="note">{t("web.editor.kept.note")}</p>
      <ul class="bare">
        {kept.map((query) => {
          const values = new URLSearchParams(query);
          const name = values.get("name") || gameTitle(values.get("variant") ?? "");
          const leaves = [...values.keys()].filter((key) => key.startsWith("rule.")).map((key) => key.split(".")[1] as string);
          return (
            <li key={query} class="links">
              <a href={pageAddress(`rules/new?${query}`)}>
                {name}
              </a>
              <span class="note tap">{[...new Set(leaves)].map(ruleTitle).join(", ")}</span>
              <button type="button" class="link" aria-label={t("web.editor.kept.forget", { name })} onClick={() => forget(query)}>
                {t("web.games.forget")}
              </button>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
