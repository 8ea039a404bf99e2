// The page for analysis: the variant, the position and the moves that the address names, or what was looked at last.

import { render } from "preact";
import { AnalysisPage } from "../analysis/page.tsx";
import type { RuleChoice } from "../analysis/chooser.tsx";
import { faultsOf } from "../analysis/setup.tsx";
import { begin, factsOf, follow, keptAddress, movesIn, restored, type Study } from "../analysis/study.ts";
import { type GameFacts, knownGames } from "../game/facts.ts";
import { showPlain } from "../game/plain.tsx";
import { readJson, t } from "../texts.ts";

const known = knownGames();

/** The variant that the address names. A page that was kept for times offline may be that of another. */
async function wantedBy(query: URLSearchParams): Promise<GameFacts> {
  const given = readJson<GameFacts>("wanted") as GameFacts;
  const rules = [...query].filter(([key, value]) => key.startsWith("rule.") && value !== "");
  const isIt = given.id === (query.get("variant") ?? given.id) && Object.keys(given.switches).length === rules.length;
  if (isIt) return given;
  const switches = Object.fromEntries(rules.map(([key, value]) => [key.slice("rule.".length), value]));
  return factsOf(known, query.get("variant") ?? given.id, switches);
}

async function open(): Promise<[Study, string | null]> {
  const query = new URLSearchParams(location.search);
  const facts = await wantedBy(query);
  const moves = movesIn(location.hash);
  try {
    return [follow(restored(await begin(facts, query.get("position"))), moves), null];
  } catch (error) {
    return [await begin(facts, null), faultsOf(error)];
  }
}

/** Where whoever comes back without naming anything goes on; null if there is nothing. */
async function leftOff(): Promise<string | null> {
  const kept = location.search === "" ? keptAddress() : null;
  if (!kept) return null;
  const there = await fetch(location.pathname + kept).catch(() => null);
  return there === null || there.ok ? kept : null;
}

async function show(place: HTMLElement): Promise<void> {
  const kept = await leftOff();
  if (kept) return location.replace(location.pathname + kept);
  try {
    const [study, fault] = await open();
    place.replaceChildren();
    const rules = readJson<readonly RuleChoice[]>("rules") ?? [];
    render(<AnalysisPage first={study} known={known} rules={rules} fault={fault} hasLibrary={readJson<boolean>("library") ?? false} />, place);
  } catch (error) {
    showPlain(place, error instanceof TypeError ? t("web.analysis.no_connection") : (error as Error).message);
  }
}

await show(document.getElementById("main") as HTMLElement);
// Somebody follows a link to other moves of the same position.
addEventListener("hashchange", () => {
  if (movesIn(location.hash).length > 0) location.reload();
});
