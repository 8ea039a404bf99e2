// The rules that the user has made in this browser: they are kept when the page is left, as queries of the editor.

import { useState } from "preact/hooks";
import { pageAddress } from "../../addresses.ts";
import { ownRules, storeOwnRules } from "../../own_rules.ts";
import { t } from "../../texts.ts";
import type { RulesDraft } from "./rules_draft.ts";

/** Keeps what the user has changed whenever the page is left. Rules that are opened again replace themselves. */
export function keepOwnRules(draft: RulesDraft): void {
  let opened = location.search.slice(1);
  document.addEventListener("visibilitychange", () => {
    const { query, canUndo, isRenamed, view } = draft;
    if (document.visibilityState === "visible" || !(canUndo || isRenamed) || Object.keys(view.switches).length === 0) return;
    storeOwnRules([query, ...ownRules().filter((one) => one !== opened && one !== query)]);
    opened = query;
  });
}

interface Props {
  /** Returns the title of a rule. */
  readonly ruleTitle: (leaf: string) => string;
  readonly gameTitle: (variant: string) => string;
}

export function OwnRules({ ruleTitle, gameTitle }: Props) {
  const [kept, setKept] = useState(ownRules);
  const [before, setBefore] = useState<readonly string[] | null>(null);
  if (kept.length === 0 && !before) return null;
  const keep = (left: readonly string[], undone: readonly string[] | null) => {
    storeOwnRules(left);
    setKept(left);
    setBefore(undone);
  };
  return (
    <details>
      <summary>
        {t("web.editor.own")} ({kept.length})
      </summary>
      <p class="note">{t("web.editor.own.note")}</p>
      <ul class="bare">
        {kept.map((query) => {
          const values = new URLSearchParams(query);
          const base = gameTitle(values.get("variant") ?? "");
          const name = values.get("name") || t("web.changed_game", { name: base });
          const leaves = [...values.keys()].filter((key) => key.startsWith("rule.")).map((key) => key.split(".")[1] as string);
          return (
            <li key={query} class="links">
              <a href={pageAddress(`rules/new?${query}`)}>
                {name}
              </a>
              <a href={pageAddress(`new?opponent=computer&${query}`)} aria-label={t("page.new.value", { name: t("page.editor.play"), value: name })}>
                {t("page.editor.play")}
              </a>
              <span class="note tap">{[...new Set(leaves)].map(ruleTitle).join(", ")}</span>
              <button type="button" class="link" aria-label={t("web.editor.own.forget", { name })} onClick={() => keep(kept.filter((one) => one !== query), kept)}>
                {t("web.games.forget")}
              </button>
            </li>
          );
        })}
      </ul>
      {before && (
        <p role="status">
          {t("web.editor.own.removed")}{" "}
          <button type="button" class="link" onClick={() => keep(before, null)}>
            {t("web.editor.undo")}
          </button>
        </p>
      )}
    </details>
  );
}
