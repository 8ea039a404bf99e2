// The analysis page: opens the variant, position and moves that the address names, else the study of the last visit.

import { AnalysisPage } from "./page.tsx";
import { leftStudy, savedAddress, withSavedTree } from "./saved_studies.ts";
import { beginStudy, movesIn, ofGame, type Study, withMoves } from "./study.ts";
import type { RuleChoice } from "./variant_form.tsx";
import { changesOf } from "../../changes.ts";
import { replayIn } from "../../game/replay_link.ts";
import { setNoConnectionText } from "../../http.ts";
import { Refused } from "../../rules.ts";
import { newId } from "../../storage.ts";
import { readJson, t } from "../../texts.ts";
import { showFailure } from "../../ui/error_page.tsx";
import { positionFaultText } from "../../ui/refusals.ts";
import { renderInPlace } from "../../ui/render.ts";
import { variantFacts } from "../../variant_facts.ts";
import { gameTitle, type VariantFacts } from "../../variants.ts";

/** Returns the variant that the address names. The service worker may have cached the page of another one. */
async function requestedVariant(query: URLSearchParams): Promise<VariantFacts> {
  const onPage = readJson<VariantFacts>("wanted") as VariantFacts;
  const variant = query.get("variant") ?? onPage.id;
  const changes = changesOf(query);
  const count = Object.keys(changes.switches).length;
  return onPage.id === variant && Object.keys(onPage.switches).length === count ? onPage : variantFacts(variant, changes);
}

/** Opens the study of the address; returns also the faults of its position. */
async function openStudy(): Promise<[Study, string | null]> {
  const query = new URLSearchParams(location.search);
  const facts = await requestedVariant(query);
  try {
    const replay = replayIn(query);
    // A replay is that of another player: it has none of the moves that were tried here.
    const id = query.get("study") ?? (replay ? newId() : "");
    const study = await beginStudy(facts, query.get("position"), id);
    const read = withMoves(withSavedTree(study), movesIn(location.hash));
    return [replay ? ofGame(read, replay) : read, null];
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return [await beginStudy(facts, null), positionFaultText(error.refusal)];
  }
}

/** Returns the address of the last visit, if the current one names nothing and the server still has that one. */
async function lastAddress(): Promise<string | null> {
  const saved = location.search === "" ? savedAddress() : null;
  if (!saved) return null;
  const response = await fetch(location.pathname + saved).catch(() => null);
  return response === null || response.ok ? saved : null;
}

async function open(place: HTMLElement): Promise<void> {
  const last = await lastAddress();
  if (last) {
    const address = new URL(last, location.href);
    // A tab that is asked for counts more than the moves of the last visit.
    address.hash = location.hash || address.hash;
    return location.replace(address);
  }
  try {
    const [study, fault] = await openStudy();
    const rules = readJson<readonly RuleChoice[]>("rules") ?? [];
    const query = new URLSearchParams(location.search);
    const replay = fault === null && !query.has("study") ? replayIn(query) : null;
    const hasLibrary = readJson<boolean>("library") ?? false;
    // A page of static files is that of another game.
    document.title = `${t("page.analysis.title", { name: gameTitle(study.facts) })} · Hnefi`;
    renderInPlace(place, <AnalysisPage first={study} rules={rules} fault={fault} earlier={leftStudy(study)} hasLibrary={hasLibrary} players={replay?.players ?? null} />);
  } catch (error) {
    showFailure(place, error);
  }
}

setNoConnectionText("web.analysis.no_connection");
await open(document.getElementById("main") as HTMLElement);
// A link to other moves of the same position changes only the fragment.
addEventListener("hashchange", (event) => {
  const { hash } = new URL(event.newURL);
  if (movesIn(hash).length === 0) return;
  // The page may have written its own moves into the address since.
  history.replaceState(null, "", hash);
  location.reload();
});
