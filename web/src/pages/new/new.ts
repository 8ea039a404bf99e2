// The page for a new game. Its style shows the questions of the chosen opponent; the script keeps the summaries
// up to date, loads the questions of another variant, and creates games with others at the server.

import { HAS_SERVER } from "../../addresses.ts";
import { changesOf } from "../../changes.ts";
import { playerName, playersHere, savePlayerName, savePlayersHere } from "../../invites.ts";
import type { Clock, NewGameRequest } from "../../messages.ts";
import { lastChoice, openNewGame, saveChoice } from "../../new_game.ts";
import { linksToOwnRules } from "../../own_rules.ts";
import { piecesOf, placeOf, sizeOf } from "../../positions.ts";
import { ruleInWords } from "../../rule_words.ts";
import { computerName, hasText, inSentence, t } from "../../texts.ts";

const form = document.querySelector("form.new") as HTMLFormElement;

/** Returns the answers that are not left empty. */
function chosen(): URLSearchParams {
  const fields = new FormData(form);
  return new URLSearchParams([...fields].filter(([, value]) => value !== "").map(([key, value]) => [key, String(value)]));
}

/** Returns the text of the chosen answer, with the name of the question if it needs one. */
function answerOf(question: HTMLElement): string {
  const value = question.querySelector("label:has(:checked)")?.textContent?.trim() ?? "";
  const name = question.querySelector("legend")?.textContent ?? "";
  if (question.dataset["summed"] !== "named") return value;
  return t("page.new.value", { name, value: inSentence(value) });
}

/** Shows what is chosen: the values of the folded options, and the game beside the button. */
function showChoice(): void {
  const name = form.querySelector<HTMLInputElement>("[data-name]");
  if (name && name !== document.activeElement) name.value = playerName();
  const [first = "", second = ""] = playersHere();
  for (const [index, field] of namesOf().entries()) {
    if (field !== document.activeElement) field.value = index === 0 ? first : second;
  }
  const query = chosen();
  const opponent = query.get("opponent") ?? "";
  // Only people play by correspondence.
  const clock = form.querySelector<HTMLInputElement>("[name=clock]:checked");
  const noClock = form.querySelector<HTMLInputElement>("[name=clock][value=none]");
  if (opponent !== "friend" && clock?.value.startsWith("days") && noClock) noClock.checked = true;
  const asked = [...form.querySelectorAll<HTMLElement>("[data-summed]")].filter((question) => isAsked(question, opponent));
  const values = form.querySelector("[data-values]");
  if (values) values.textContent = asked.map(answerOf).join("\u00a0· ");
  showGame(query);
  showOwnRules();
}

/** Shows the games that the user has invented below the others. */
function showOwnRules(): void {
  const answers = answersForOthers();
  answers.delete("variant");
  const links = linksToOwnRules("new", `${answers}&`);
  const place = form.querySelector<HTMLElement>("[data-own]");
  if (!place?.firstElementChild || links.length === 0) return;
  place.replaceChildren(place.firstElementChild, ...links);
  place.hidden = false;
}

/** Returns the answers that are kept for another game: its switches, legs and positions do not fit. */
function answersForOthers(): URLSearchParams {
  return new URLSearchParams([...chosen()].filter(([key]) => !key.startsWith("rule.") && !["name", "legs", "position"].includes(key)));
}

/** Returns the fields for the names of two at this device, that of the attackers first. */
function namesOf(): readonly HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("[name=names]")];
}

function isAsked(question: HTMLElement, opponent: string): boolean {
  const condition = question.closest<HTMLElement>("[data-for]")?.dataset["for"];
  return condition === undefined || condition.split(" ").includes(opponent);
}

function showGame(query: URLSearchParams): void {
  const [heading, note] = form.querySelectorAll(".chosen > *");
  const facts = form.querySelector<HTMLElement>(".chosen")?.dataset;
  if (!facts || !heading || !note) return;
  const opponent = query.get("opponent") ?? "computer";
  const side = query.get("side") ?? "lot";
  const game = changesOf(query).title || (facts["game"] ?? "");
  // The aim of the rules that the form carries, which are not always those of the picture.
  const goal = query.get("rule.goal");
  const aims: Readonly<Record<string, string | undefined>> = { ...facts, ...(goal && hasText(`web.goal.${goal}`) ? { defenders: t(`web.goal.${goal}`) } : {}) };
  heading.textContent = t(`page.new.chosen.${opponent}`, { game, opponent: computerName(Number(query.get("level"))) });
  note.textContent =
    opponent === "here" ? t("page.new.chosen.turns") : t(`page.new.chosen.side.${side}`, { goal: aims[side] ?? "" });
}

let request = new AbortController();

function variantOf(): string {
  return String(new FormData(form).get("variant") ?? "");
}

/** Returns the address of a page with the questions of a variant. A site of static files has one for each. */
function questionsAddress(query: URLSearchParams): string {
  const { here } = form.dataset;
  return HAS_SERVER ? `${here}?${query}` : `${here}${query.get("variant") ?? variantOf()}.html`;
}

/** Replaces the questions by those of another variant, and sets the focus. A later choice cancels this one. */
async function loadQuestions(query: URLSearchParams, focus: string | null): Promise<void> {
  request.abort();
  request = new AbortController();
  const { signal } = request;
  const response = await fetch(questionsAddress(query), { signal }).catch(() => null);
  if (!response?.ok) return;
  const text = await response.text().catch(() => "");
  if (signal.aborted) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const next = page.querySelector("form.new");
  if (!next) return;
  for (const fold of ["details.games", "details.more"]) {
    next.querySelector(fold)?.toggleAttribute("open", form.querySelector<HTMLDetailsElement>(fold)?.open ?? false);
  }
  // In a site of static files the page alone has the pictures of the games.
  for (const input of next.querySelectorAll<HTMLInputElement>(".tiles label:not(:has(svg)) > input")) {
    input.after(...form.querySelectorAll(`.tiles input[value="${input.value}"] + svg`));
  }
  form.replaceChildren(...next.childNodes);
  answerBy(query);
  showChoice();
  if (focus) form.querySelector<HTMLElement>(focus)?.focus();
}

/**
 * Answers the questions by a query. The server has done so already; a page that is kept for use offline is that of its
 * variant alone. Rules, their name and a position that no question asks for are carried in the form, rules as they are
 * written.
 */
function answerBy(query: URLSearchParams): void {
  if (query.get("variant") && new FormData(form).get("variant") !== query.get("variant")) return;
  for (const [name, value] of query) {
    const inputs = [...form.querySelectorAll<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`)];
    const input = inputs.find((one) => one.value === value);
    if (input?.type === "radio") input.checked = true;
    else if (value !== "" && (name.startsWith("rule.") ? !input : ["name", "position"].includes(name) && inputs.length === 0)) {
      carry(name, name === "name" ? changesOf(query).title : value);
    }
  }
}

function carry(name: string, value: string): void {
  const input = document.createElement("input");
  [input.type, input.name, input.value] = ["hidden", name, value];
  if (name === "name") return form.append(input);
  const line = document.createElement("p");
  line.className = "note linked-rules";
  line.append(name === "position" ? t("page.new.position") : "", input);
  if (name !== "position") {
    void ruleInWords(name.slice("rule.".length), value).then((words) => line.prepend(words));
    return form.querySelector("details.more")?.before(line);
  }
  form.querySelector("h1")?.after(line);
  const board = form.querySelector<SVGElement>(".new-board svg");
  if (board) setUp(board, value);
}

/** Draws a position on the picture of a start position. */
function setUp(board: SVGElement, position: string): void {
  const drawn = [...board.querySelectorAll<SVGUseElement>("use[x]")];
  const symbols = drawn.map((use) => use.href.baseVal);
  const [first] = drawn;
  for (const one of drawn) one.remove();
  for (const [square, piece] of piecesOf(position)) {
    const { file, rank } = placeOf(square);
    const use = first?.cloneNode() as SVGUseElement | undefined;
    const symbol = symbols.find((one) => one.endsWith(`-${piece}`));
    if (!use || !symbol) continue;
    use.setAttribute("href", symbol);
    use.setAttribute("x", String(100 * file + 50));
    use.setAttribute("y", String(100 * (sizeOf(position) - 1 - rank) + 50));
    board.append(use);
  }
}

function clockOf(value: string): Clock {
  const [first, second] = value.split("_");
  if (second === undefined) return { kind: "none" };
  if (first === "days") return { kind: "days", days: Number(second) };
  return { kind: "fischer", initial_s: 60 * Number(first), increment_s: Number(second) };
}

function requestOf(query: URLSearchParams): NewGameRequest {
  const opponent = query.get("opponent") === "friend" ? "friend" : "computer";
  return {
    variant: query.get("variant") ?? "",
    start: query.get("position"),
    ...changesOf(query),
    opponent,
    level: opponent === "computer" ? Number(query.get("level")) : null,
    side: query.get("side") as "attackers" | "defenders" | "lot",
    form: query.get("legs") === "2" ? "two_legs" : "single",
    clock: clockOf(query.get("clock") ?? "none"),
    calls: (query.get("calls") ?? "auto") as "off" | "auto" | "manual",
    name: opponent === "friend" ? playerName() : "",
  };
}

/** Creates the game at the server and opens it. */
function create(): Promise<void> {
  return openNewGame(requestOf(chosen()), (reason) => {
    const failure = form.querySelector<HTMLElement>(".failure");
    if (!failure) return;
    failure.textContent = reason;
    failure.hidden = false;
  });
}

/** Checks whether the answer to a question is the usual one. A site of static files asks fewer questions. */
function isUsual(query: URLSearchParams, question: string, usual: string): boolean {
  return (query.get(question) ?? usual) === usual;
}

/** Returns the address of the game against the computer on this device; null if the server plays it. */
function localAddress(query: URLSearchParams): string | null {
  const address = form.dataset["computer"];
  const isLocal = query.get("opponent") === "computer" && isUsual(query, "engine", "device") && isUsual(query, "clock", "none");
  if (!address || !isLocal) return null;
  const kept = [...query].filter(([key]) => !["opponent", "engine", "clock"].includes(key));
  return `${address}?${new URLSearchParams(kept)}`;
}

/** Asks the questions of another variant. */
function changeVariant(variant: string): Promise<void> {
  return loadQuestions(answersForOthers(), `[name="variant"][value="${variant}"]`);
}

form.addEventListener("change", (event) => {
  const input = event.target as HTMLInputElement;
  if (input.dataset["name"] !== undefined) return savePlayerName(input.value);
  if (input.name === "names") return savePlayersHere(namesOf().map(({ value }) => value.trim()));
  if (input.name !== "variant") return showChoice();
  void changeVariant(input.value);
});
form.addEventListener("submit", (event) => {
  const query = chosen();
  // The position and the rules of a link are for this game alone.
  const choice = new URLSearchParams(query);
  choice.delete("position");
  choice.delete("name");
  choice.delete("names");
  for (const { name } of form.querySelectorAll<HTMLInputElement>(".linked-rules input")) choice.delete(name);
  saveChoice(choice);
  if (query.get("opponent") === "here") return;
  event.preventDefault();
  const address = localAddress(query);
  if (address) location.assign(address);
  else void create();
});
const last = lastChoice();
const asked = new URLSearchParams(location.search);
const wanted = asked.get("variant") ?? variantOf();
const picked = form.querySelector<HTMLInputElement>("[name=variant]:checked");
const isKnown = (form.dataset["variants"] ?? wanted).split(" ").includes(wanted);
if (!isKnown) {
  const { showNoSuchGame } = await import("../../ui/error_page.tsx");
  showNoSuchGame(document.getElementById("main") as HTMLElement);
}
// A game may be chosen before this script runs, or by the browser, which restores a form.
else if (picked && !picked.defaultChecked) await changeVariant(picked.value);
// A server has answered by the query already; in a site of static files the page is that of one variant.
else if (!HAS_SERVER && wanted !== variantOf()) {
  form.querySelector("details.games")?.removeAttribute("open");
  await loadQuestions(asked, null);
} else if (last.size > 0 && asked.size === 0) await loadQuestions(last, null);
else answerBy(asked);
// Whoever comes from a game keeps the level and the side of the last game.
for (const name of ["level", "side"]) {
  const field = asked.has(name) ? null : form.querySelector<HTMLInputElement>(`[name="${name}"][value="${last.get(name)}"]`);
  if (field) field.checked = true;
}
showChoice();
