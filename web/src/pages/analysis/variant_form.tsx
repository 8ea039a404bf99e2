// The form to analyse another variant, or to change rules of this one.

import { useState } from "preact/hooks";
import { siteAddress } from "../../addresses.ts";
import { LANGUAGE, t } from "../../texts.ts";
import type { VariantFacts } from "../../variants.ts";
import type { Study } from "./study.ts";

/** A rule that may be played in several ways, as `analysis_page.py` lists them. */
export interface RuleChoice {
  readonly leaf: string;
  readonly title: string;
  readonly choices: readonly (readonly [string, string])[];
}

interface Props {
  readonly study: Study;
  readonly games: readonly VariantFacts[];
  readonly rules: readonly RuleChoice[];
}

/** Returns groups by size of the board, the smallest first, each sorted by name in the language of the page. */
function bySize(games: Props["games"]): [number, Props["games"]][] {
  const groups = new Map<number, VariantFacts[]>();
  for (const one of [...games].sort((a, b) => a.name.localeCompare(b.name, LANGUAGE))) {
    const { size } = one.tree["board"] as { readonly size: number };
    groups.set(size, [...(groups.get(size) ?? []), one]);
  }
  return [...groups].sort(([a], [b]) => a - b);
}

/** A plain HTML form: another variant is another page. */
export function VariantForm({ study, games, rules }: Props) {
  const { facts } = study;
  const [chosen, setChosen] = useState(facts.id);
  const isSame = chosen === facts.id;
  const choosable = new Set(rules.map((rule) => rule.leaf));
  const others = Object.entries(facts.switches).filter(([key]) => !choosable.has(key));
  return (
    <form class="stack variant-form" method="get" action={location.pathname}>
      <label class="variant-choice">
        <span>{t("web.analysis.variant")}</span>
        <select name="variant" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          {bySize(games).map(([size, listed]) => (
            <optgroup key={size} label={t("page.board.size", { size })}>
              {listed.map((one) => (
                <option key={one.id} value={one.id} selected={one.id === chosen}>
                  {one.name}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {/* Switches that the form does not offer, and the name, are kept as long as the variant is the same. */}
      {isSame && facts.title && <input type="hidden" name="name" value={facts.title} />}
      {isSame && others.map(([key, value]) => <input key={key} type="hidden" name={`rule.${key}`} value={value} />)}
      {isSame && rules.length > 0 && (
        <details class="rule-choices" open={Object.keys(facts.switches).length > 0}>
          <summary class="fold">{t("web.analysis.rules", { name: facts.name })}</summary>
          {rules.map((rule) => (
            <fieldset key={rule.leaf}>
              <legend>{rule.title}</legend>
              {rule.choices.map(([value, sentence]) => (
                <label key={value} class="tick">
                  <input
                    type="radio"
                    name={`rule.${rule.leaf}`}
                    value={value}
                    defaultChecked={(facts.switches[rule.leaf] ?? "") === value}
                  />
                  <span>{sentence}</span>
                </label>
              ))}
            </fieldset>
          ))}
        </details>
      )}
      <div class="buttons">
        <button type="submit" class="main">
          {t("web.analysis.choose")}
        </button>
        {facts.rules && (
          <a class="button" href={siteAddress(facts.rules)}>
            {t("web.rules")}
          </a>
        )}
      </div>
    </form>
  );
}
