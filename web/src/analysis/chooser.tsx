// Which game is looked at, and which of its rules are played differently; links to the position; playing on from it.

import { useEffect, useState } from "preact/hooks";
import type { GameFacts } from "../game/facts.ts";
import type { Side } from "../rules.ts";
import { goToGame } from "../game/making.ts";
import type { NewGameRequest } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";
import { addressOf, type Study } from "./study.ts";
import { START } from "./tree.ts";

/** A rule that may be played in several ways, as `new_page.py` finds them. */
export interface RuleChoice {
  readonly leaf: string;
  readonly title: string;
  readonly ways: readonly (readonly [string, string])[];
}

interface ChooserProps {
  readonly study: Study;
  readonly games: readonly { readonly id: string; readonly name: string }[];
  readonly rules: readonly RuleChoice[];
}

/** A plain form: another game is another page. */
export function Chooser({ study, games, rules }: ChooserProps) {
  const { facts } = study;
  const [chosen, setChosen] = useState(facts.id);
  const isSame = chosen === facts.id;
  const asked = new Set(rules.map((rule) => rule.leaf));
  const others = Object.entries(facts.switches).filter(([key]) => !asked.has(key));
  return (
    <form class="chooser" method="get" action={location.pathname}>
      <label class="which">
        <span>{t("web.analysis.variant")}</span>
        <select name="variant" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
          {games.map((one) => (
            <option key={one.id} value={one.id} selected={one.id === chosen}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {/* Rules that no question is about stay as they are, as long as it is the same game. */}
      {isSame && others.map(([key, value]) => <input key={key} type="hidden" name={`rule.${key}`} value={value} />)}
      {isSame && rules.length > 0 && (
        <details class="own-rules" open={Object.keys(facts.switches).length > 0}>
          <summary>{t("web.analysis.rules", { name: facts.name })}</summary>
          {rules.map((rule) => (
            <fieldset key={rule.leaf}>
              <legend>{rule.title}</legend>
              {rule.ways.map(([value, sentence]) => (
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
          <a class="button" href={facts.rules}>
            {t("web.rules")}
          </a>
        )}
      </div>
    </form>
  );
}

interface OnwardsProps {
  readonly study: Study;
  /** The position that it is about, which may be one that is being set up. */
  readonly position: string;
  readonly turn: Side | null;
}

/** What leads away from a position: a link to it, and games from here. */
export function Onwards({ study, position, turn }: OnwardsProps) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => setSaid(null), [position]);
  const rules = Object.entries(study.facts.switches).map(([key, value]) => [`rule.${key}`, value]);
  const table = new URLSearchParams([["variant", study.facts.id], ["position", position], ...rules]);
  const link = location.origin + addressOf({ ...study, start: position, at: START });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setSaid(t("web.analysis.copied"));
    } catch {
      setSaid(link);
    }
  };
  const play = () => void goToGame(requestOf(study.facts, position, turn), setSaid);
  return (
    <section class="onwards">
      <h2>{t("web.analysis.here")}</h2>
      <div class="buttons">
        <button type="button" onClick={() => void copy()}>
          {t("web.analysis.link")}
        </button>
        {turn && (
          <>
            <button type="button" onClick={play}>
              {t("web.analysis.play.computer")}
            </button>
            <a class="button" href={`/${LANGUAGE}/new?opponent=friend&${table}`}>
              {t("web.analysis.play.friend")}
            </a>
            <a class="button" href={`/${LANGUAGE}/table?${table}`}>
              {t("web.analysis.play.here")}
            </a>
          </>
        )}
      </div>
      <p role="status">{said}</p>
    </section>
  );
}

const USUAL_LEVEL = 3;

/** A game against the computer from a position: whoever looks at it has the side that is to move. */
function requestOf(facts: GameFacts, start: string, side: Side | null): NewGameRequest {
  const chosen = new URLSearchParams(localStorage.getItem("hnefi.new") ?? "").get("level");
  return {
    variant: facts.id,
    switches: { ...facts.switches },
    start,
    opponent: "computer",
    level: Number(chosen) || USUAL_LEVEL,
    side: side ?? "attackers",
    calls: "auto",
  };
}
