// The rules editor: the server renders the questions; board, text and links follow the answers here.

import { render } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { BoardPanel, type KnownLayout } from "../editor/board.tsx";
import { RulesExport } from "../editor/export.tsx";
import { importRules, RulesImport } from "../editor/import.tsx";
import { PlayLinks } from "../editor/play_links.tsx";
import { listenToQuestions, showRules } from "../editor/questions.ts";
import { addRuleHelp } from "../editor/rule_help.tsx";
import { RulesDraft } from "../editor/rules_draft.ts";
import { RulesText } from "../editor/rules_text.tsx";
import { setNoConnectionText } from "../http.ts";
import type { RulesView } from "../messages.ts";
import { readJson, t } from "../texts.ts";

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
      <PlayLinks draft={draft} view={view} />
    </>
  );
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
            {view.faults.map((fault) => (
              <li key={fault.message}>{fault.message}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function TextColumn() {
  useDraft();
  const view = draft.playable;
  return (
    <>
      {view && <RulesText view={view} previous={draft.previous} isOutdated={view !== draft.view} />}
      {view && <RulesExport draft={draft} view={view} />}
      <RulesImport draft={draft} />
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

/** Announces the change to screen readers. */
function announce(place: HTMLElement): void {
  const { view, changed } = draft;
  const leaf = changed.split(".")[0] ?? "";
  const sentences = [view.rules[leaf]?.text, ...view.follows.map((follow) => follow.message)];
  const text = view.ok && changed ? sentences.filter(Boolean).join(" ") : "";
  if (place.textContent !== text) place.textContent = text;
}

for (const [name, Part] of [
  ["side", BoardColumn],
  ["words", TextColumn],
  ["steps", UndoButton],
] as const) {
  part(name).replaceChildren();
  render(<Part />, part(name));
}
for (const element of form.querySelectorAll<HTMLElement>(".without-script")) element.remove();
form.addEventListener("submit", (event) => event.preventDefault());
listenToQuestions(part("rules"), draft);
addRuleHelp(part("rules"), draft);
variant.addEventListener("change", () => draft.begin({ ...draft.input, variant: variant.value, changes: {} }));
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
// The fragment may hold a whole variant, as `hnefi variants export --to link` writes it.
if (/^#[\w-]{40,}$/.test(location.hash)) await importRules(draft, location.hash).catch(() => []);
