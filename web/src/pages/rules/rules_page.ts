// The page with the rules of a variant: the contents mark the current section, and every picture can be played.

import type { TaflBoard } from "../../board/element.ts";
import type { Game } from "../../rules.ts";
import { LANGUAGE, readJson, t, textsOf } from "../../texts.ts";
import type { VariantFacts } from "../../variants.ts";

const links = new Map<string, HTMLAnchorElement>();
for (const link of document.querySelectorAll<HTMLAnchorElement>(".contents a")) links.set(link.hash.slice(1), link);

/** The ids of the sections in the contents. */
const sections = new Map<Element, string>();
const visible = new Set<string>();

/** Marks the last section that reaches into the upper half of the window. */
function markCurrent(): void {
  const current = [...links.keys()].findLast((id) => visible.has(id));
  if (!current) return;
  for (const [id, link] of links) {
    if (id === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const list = document.querySelector<HTMLElement>(".contents ul");
  const link = links.get(current);
  if (list && link) list.scrollTo({ left: link.offsetLeft - list.offsetLeft - 16 });
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const id = sections.get(target) ?? "";
      if (isIntersecting) visible.add(id);
      else visible.delete(id);
    }
    markCurrent();
  },
  { rootMargin: "0px 0px -50% 0px" },
);
for (const id of links.keys()) {
  const heading = document.getElementById(id);
  const section = heading?.closest("section") ?? heading;
  if (!section) continue;
  sections.set(section, id);
  observer.observe(section);
}

/** Replaces a picture by a board with the same position. The rules are loaded with the first one. */
async function makePlayable(figure: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  const facts = readJson<VariantFacts>("game");
  if (!facts) return;
  const [{ Rules }, { outcomeText }] = await Promise.all([
    import("../../rules.ts"),
    import("../../ui/outcome.ts"),
    import("../../board/register.ts"),
  ]);
  const rules = await Rules.load(facts.tree);
  const setup = new URL(link.href).searchParams.get("position");
  const board = document.createElement("tafl-board") as TaflBoard;
  const result = document.createElement("p");
  result.setAttribute("role", "status");
  board.lang = LANGUAGE;
  board.words = textsOf("board.");
  board.shape = rules.facts;
  const show = (game: Game) => {
    const state = link.dataset["try"] === "roads" ? game.state : { ...game.state, roads: [] };
    board.show({ ...state, legal: game.legal });
    result.textContent = game.state.outcome ? outcomeText(game.state.outcome) : "";
    link.textContent = t(game.parent ? "page.rules.again" : "page.rules.try_now");
  };
  let game = rules.newGame({ setup });
  const start = game;
  board.addEventListener("tafl-move", ({ detail: { from, to } }) => {
    game = game.play(`${from}-${to}`);
    show(game);
  });
  link.addEventListener("click", () => {
    game = start;
    show(game);
  });
  figure.querySelector("svg")?.replaceWith(board);
  figure.classList.add("playable");
  link.before(result);
  show(game);
}

for (const figure of document.querySelectorAll<HTMLElement>(".figures figure")) {
  const link = figure.querySelector<HTMLAnchorElement>("a[data-try]");
  link?.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (!figure.classList.contains("playable")) void makePlayable(figure, link);
  });
}

// The mark of a sentence opens the sources of the section; some browsers do not open them for a link.
for (const mark of document.querySelectorAll<HTMLAnchorElement>("a.mark")) {
  mark.addEventListener("click", () => {
    const source = document.getElementById(mark.hash.slice(1));
    const sources = source?.closest("details");
    if (sources) sources.open = true;
    source?.focus();
  });
}

// The list of what can be printed opens upwards on wide windows: there it may begin above a low one.
const print = document.getElementById("print");
print?.addEventListener("toggle", () => print.querySelector("ul")?.scrollIntoView({ block: "nearest" }));
// A link to everything that can be printed.
if (location.hash === "#print") print?.setAttribute("open", "");
