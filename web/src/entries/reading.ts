// The page of the rules: the contents follow the reader, and every picture can be tried at once.

import type { TaflBoard } from "../board/element.ts";
import type { GameFacts } from "../game/facts.ts";
import type { Game } from "../rules.ts";
import { LANGUAGE, readJson, t, textsOf } from "../texts.ts";

const links = new Map<string, HTMLAnchorElement>();
for (const link of document.querySelectorAll<HTMLAnchorElement>(".contents a")) links.set(link.hash.slice(1), link);

/** The parts of the page, by the name that the contents have for them. */
const parts = new Map<Element, string>();
const seen = new Set<string>();

/** Marks the last part that reaches into the upper half of the window. */
function mark(): void {
  const current = [...links.keys()].findLast((id) => seen.has(id));
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
      const id = parts.get(target) ?? "";
      if (isIntersecting) seen.add(id);
      else seen.delete(id);
    }
    mark();
  },
  { rootMargin: "0px 0px -50% 0px" },
);
for (const id of links.keys()) {
  const heading = document.getElementById(id);
  const part = heading?.closest("section") ?? heading;
  if (!part) continue;
  parts.set(part, id);
  observer.observe(part);
}

/** Puts a board in the place of a picture, set up as it is there; the rules are loaded with the first. */
async function tryOut(figure: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  const facts = readJson<GameFacts>("game");
  if (!facts) return;
  const [{ Rules }, { outcomeText }] = await Promise.all([
    import("../rules.ts"),
    import("../game/callout.tsx"),
    import("./board.ts"),
  ]);
  const rules = await Rules.load(facts.tree);
  const setup = new URL(link.href).searchParams.get("position");
  const board = document.createElement("tafl-board") as TaflBoard;
  const said = document.createElement("p");
  said.setAttribute("role", "status");
  board.lang = LANGUAGE;
  board.words = textsOf("board.");
  board.shape = rules.facts;
  const show = (game: Game) => {
    const state = link.dataset["try"] === "roads" ? game.state : { ...game.state, roads: [] };
    board.show({ ...state, legal: game.legal });
    said.textContent = game.state.outcome ? outcomeText(game.state.outcome) : "";
    link.textContent = t(game.parent ? "page.rules.again" : "page.rules.try_now");
  };
  let game = rules.newGame(setup ? { setup } : {});
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
  figure.classList.add("tried");
  link.before(said);
  show(game);
}

for (const figure of document.querySelectorAll<HTMLElement>(".figures figure")) {
  const link = figure.querySelector<HTMLAnchorElement>("a[data-try]");
  link?.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    if (!figure.classList.contains("tried")) void tryOut(figure, link);
  });
}
