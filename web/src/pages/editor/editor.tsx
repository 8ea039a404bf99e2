// The rules editor: the questions are in the page; board, text and links follow the answers here.

import { render } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { HAS_SERVER, pageAddress } from "../../addresses.ts";
import { useConnection } from "../../connection.ts";
import { BoardPanel } from "./board.tsx";
import { importRules, RulesExport, RulesImport } from "./exchange.tsx";
import type { KnownLayout } from "./layout.ts";
import { keepOwnRules, OwnRules } from "./own_rules.tsx";
import { listenToQuestions, showRules } from "./questions.ts";
import { addRuleHelp } from "./rule_help.tsx";
import { RulesDraft } from "./rules_draft.ts";
import { RulesText } from "./rules_text.tsx";
import { setNoConnectionText } from "../../http.ts";
import type { RuleFault, RulesView } from "../../messages.ts";
import { lastChoice } from "../../new_game.ts";
import { readJson, t } from "../../texts.ts";

const form = document.querySelector("form.editor") as HTMLFormElement;
const part = (name: string) => form.querySelector(`[data-${name}]`) as HTMLElement;
const variant = form.elements.namedItem("variant") as HTMLSelectElement;
const title = form.elements.namedItem("name") as HTMLInputElement;
const layouts = readJson<Readonly<Record<string, readonly KnownLayout[]>>>("layouts") ?? {};
setNoConnectionText("web.analysis.no_connection");
const draft = new RulesDraft(variant.value, title.value);

/** Renders again whenever the draft changes. */
function useDraft(): void {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  useEffect(() => draft.subscribe(() => rerender(undefined)), []);
}

function BoardColumn() {
  useDraft();
  const { view } = draft;
  return (
    <>
      <BoardPanel draft={draft} view={view} layouts={layouts}>
        <State />
      </BoardPanel>
      <PlayLinks />
    </>
  );
}

const ruleTitle = (leaf: string) => form.querySelector(`[data-rule="${leaf}"] legend`)?.textContent?.trim() ?? "";

/** Returns the rules that have a fault, with their titles, by what is wrong with them. */
function faultsByMessage(faults: readonly RuleFault[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const { leaf, message } of faults) {
    const rules = found.get(message) ?? new Map<string, string>();
    const title = leaf && ruleTitle(leaf);
    if (leaf && title) rules.set(leaf, title);
    found.set(message, rules);
  }
  return found;
}

/** Unfolds the question to which the address leads: not every browser does. */
function unfoldLinked(): void {
  const rule = document.getElementById(location.hash.slice(1));
  rule?.closest("details")?.setAttribute("open", "");
  rule?.scrollIntoView();
}

/** Shows why the rules cannot be played. */
function State() {
  const { view, failure } = draft;
  return (
    <div class="editor-state" role="status">
      {failure && <p>{failure}</p>}
      {!view.ok && (
        <>
          <p>{t("page.editor.faults")}</p>
          <ul class="fault">
            {[...faultsByMessage(view.faults)].map(([message, rules]) => (
              <li key={message}>
                {rules.size > 0 ? (
                  <a href={`#rule-${[...rules.keys()][0]}`}>{t("page.new.value", { name: [...rules.values()].join(", "), value: message })}</a>
                ) : (
                  message
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Links to games and to the analysis by the edited rules. */
function PlayLinks() {
  const { query, view } = draft;
  // A link that is clicked right after a change waits until the server has answered the change.
  const follow = async (event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    if (!link || draft.isSettled || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    await draft.settled();
    if (draft.failure === null && link.isConnected) link.click();
  };
  return (
    <section class="play-links" aria-labelledby="play-links" onClick={(event) => void follow(event)}>
      <h2 id="play-links">{t("page.editor.play")}</h2>
      <div class="buttons">
        {view.ok ? (
          <>
            <a class="button main" href={pageAddress(`new?opponent=computer&${lastOpponent()}${query}`)}>
              {t("web.analysis.play.computer")}
            </a>
            {HAS_SERVER && (
              <a class="button" href={pageAddress(`new?opponent=friend&${query}`)}>
                {t("page.editor.play.friend")}
              </a>
            )}
            <a class="button" href={pageAddress(`table?${query}`)}>
              {t("page.editor.play.here")}
            </a>
            <a class="button" href={pageAddress(`analysis?${query}`)}>
              {t("page.editor.play.analyse")}
            </a>
          </>
        ) : (
          <button type="button" class="main" disabled>
            {t("web.analysis.play.computer")}
          </button>
        )}
      </div>
    </section>
  );
}

/** Returns the level and the side of the last game against the computer, as part of a query. */
function lastOpponent(): string {
  const last = lastChoice();
  return ["level", "side"].map((name) => (last.has(name) ? `${name}=${last.get(name)}&` : "")).join("");
}

function TextColumn() {
  useDraft();
  const isConnected = useConnection();
  const view = draft.playable;
  return (
    <>
      {view && (
        <RulesText
          view={view}
          base={draft.input.variant}
          name={draft.input.name}
          previous={draft.previous}
          isOutdated={view !== draft.view}
        />
      )}
      {view && <RulesExport draft={draft} view={view} />}
      {isConnected && <RulesImport draft={draft} />}
    </>
  );
}

function UndoButton() {
  useDraft();
  return (
    <button type="button" disabled={!draft.canUndo} onClick={() => draft.undo()}>
      {t("web.editor.undo")}
    </button>
  );
}

function OwnRulesPart() {
  return <OwnRules ruleTitle={ruleTitle} gameTitle={(id) => variant.querySelector(`[value="${id}"]`)?.textContent?.trim() ?? id} />;
}

/** Announces the change to screen readers. */
function announce(place: HTMLElement): void {
  const { view, changed } = draft;
  const leaf = changed.split(".")[0] ?? "";
  const sentences = [view.rules[leaf]?.text, ...view.follows.map((follow) => follow.message)];
  const text = view.ok && changed ? sentences.filter(Boolean).join(" ") : "";
  if (place.textContent !== text) place.textContent = text;
}

/** Begins with the rules of the query: a page that is kept for use offline, or is a file, has those of no query. */
function openQuery(): void {
  const query = new URLSearchParams(location.search);
  const changes: Record<string, string> = {};
  for (const key of new Set(query.keys())) {
    const values = query.getAll(key).filter((value) => value !== "");
    const ticked = values.length > 1 ? values.filter((value) => value !== "none") : values;
    if (key.startsWith("rule.") && values.length > 0) changes[key.slice("rule.".length)] = ticked.join(",");
  }
  const wanted = query.get("variant") ?? variant.value;
  const isThere = wanted === variant.value && (Object.keys(changes).length === 0) === (Object.keys(draft.view.switches).length === 0);
  if (!isThere) draft.set({ variant: wanted, changes, name: query.get("name") ?? "" });
}

for (const [name, Part] of [
  ["side", BoardColumn],
  ["words", TextColumn],
  ["steps", UndoButton],
  ["own", OwnRulesPart],
] as const) {
  part(name).replaceChildren();
  render(<Part />, part(name));
}
for (const element of form.querySelectorAll<HTMLElement>(".without-script")) element.remove();
form.addEventListener("submit", (event) => event.preventDefault());
listenToQuestions(part("rules"), draft);
if (HAS_SERVER) addRuleHelp(part("rules"), draft);
variant.addEventListener("change", () => draft.setUndoable({ ...draft.input, variant: variant.value, changes: {} }));
title.addEventListener("input", () => draft.rename(title.value));
let shown: RulesView | null = null;
const showView = () => {
  // Until the server has answered, the questions show what the user entered.
  if (draft.view === shown) return;
  shown = draft.view;
  variant.value = draft.input.variant;
  if (document.activeElement !== title) title.value = draft.input.name;
  showRules(part("rules"), draft);
  announce(part("announcement"));
};
draft.subscribe(showView);
showView();
keepOwnRules(draft);
openQuery();
addEventListener("hashchange", unfoldLinked);
unfoldLinked();
// The fragment may hold a whole variant, as `hnefi variants export --to link` writes it.
if (/^#[\w-]{40,}$/.test(location.hash)) await importRules(draft, location.hash).catch(() => []);
