// The page for rules of one's own: the questions are the server's; board, words and ways out follow their answers here.

import { render } from "preact";
import { useEffect, useReducer } from "preact/hooks";
import { Away, BringIn, bringIn, Playing } from "../editor/away.tsx";
import { BoardPanel, type KnownLayout } from "../editor/board.tsx";
import { offerHelps } from "../editor/helps.tsx";
import { listenTo, show } from "../editor/questions.ts";
import { Rulebook } from "../editor/rulebook.ts";
import { RulesInWords } from "../editor/words.tsx";
import type { RulesView } from "../messages.ts";
import { readJson, t } from "../texts.ts";

const form = document.querySelector("form.editor") as HTMLFormElement;
const part = (name: string) => form.querySelector(`[data-${name}]`) as HTMLElement;
const base = form.elements.namedItem("variant") as HTMLSelectElement;
const title = form.elements.namedItem("name") as HTMLInputElement;
const layouts = readJson<Readonly<Record<string, readonly KnownLayout[]>>>("layouts") ?? {};
const book = new Rulebook(base.value, title.value);

/** Draws anew whenever the rules are others. */
function useBook(): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => book.subscribe(() => again(undefined)), []);
}

function Side() {
  useBook();
  const { view } = book;
  return (
    <>
      <BoardPanel book={book} view={view} layouts={layouts}>
        <State />
      </BoardPanel>
      <Playing book={book} view={view} />
    </>
  );
}

/** What keeps the rules from being played. */
function State() {
  const { view, trouble } = book;
  return (
    <div class="editor-state" role="status">
      {trouble && <p>{trouble}</p>}
      {!view.ok && (
        <>
          <p>{t("page.editor.faults")}</p>
          <ul class="why-not">
            {view.faults.map((fault) => (
              <li key={fault.message}>{fault.message}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Words() {
  useBook();
  const view = book.sound;
  return (
    <>
      {view && <RulesInWords view={view} before={book.before} isOld={view !== book.view} />}
      {view && <Away book={book} view={view} />}
      <BringIn book={book} />
    </>
  );
}

function Steps() {
  useBook();
  return (
    <button type="button" disabled={!book.canUndo} onClick={() => book.undo()}>
      {t("web.editor.undo")}
    </button>
  );
}

/** What is said to those who do not see the page change. */
function announce(place: HTMLElement): void {
  const { view, changed } = book;
  const leaf = changed.split(".")[0] ?? "";
  const told = [view.rules[leaf]?.text, ...view.follows.map((one) => one.message)];
  const said = view.ok && changed ? told.filter(Boolean).join(" ") : "";
  if (place.textContent !== said) place.textContent = said;
}

for (const [name, Part] of [
  ["side", Side],
  ["words", Words],
  ["steps", Steps],
] as const) {
  part(name).replaceChildren();
  render(<Part />, part(name));
}
for (const one of form.querySelectorAll<HTMLElement>(".without-script")) one.remove();
form.addEventListener("submit", (event) => event.preventDefault());
listenTo(part("rules"), book);
offerHelps(part("rules"), book);
base.addEventListener("change", () => book.begin({ ...book.draft, variant: base.value, wishes: {} }));
title.addEventListener("input", () => book.rename(title.value));
let shown: RulesView | null = null;
const follow = () => {
  // What was just answered stands there until the server has said what comes of it.
  if (book.view === shown) return;
  shown = book.view;
  base.value = book.draft.variant;
  if (document.activeElement !== title) title.value = book.draft.name;
  show(part("rules"), book);
  announce(part("heard"));
};
book.subscribe(follow);
follow();
// A link that holds a whole variant behind its `#`, as `hnefi variants export --to link` writes it.
if (/^#[\w-]{40,}$/.test(location.hash)) await bringIn(book, location.hash).catch(() => []);
