// The page for a new game: its questions follow the chosen variant; games with others are created at the server.

import { playerName, savePlayerName } from "../invites.ts";
import type { Clock, NewGameRequest } from "../messages.ts";
import { enableNameFilters } from "../name_filter.ts";
import { lastChoice, openNewGame, saveChoice } from "../new_game.ts";

function theForm(): HTMLFormElement {
  return document.querySelector("form.new") as HTMLFormElement;
}

/** Returns the answers that are not left empty. */
function chosen(form: HTMLFormElement): URLSearchParams {
  const fields = new FormData(form);
  return new URLSearchParams([...fields].filter(([, value]) => value !== "").map(([key, value]) => [key, String(value)]));
}

/** Shows only the questions that the chosen opponent needs. */
function showQuestions(form: HTMLFormElement): void {
  const name = form.querySelector<HTMLInputElement>("[data-name]");
  if (name) name.value = playerName();
  const opponent = chosen(form).get("opponent") ?? "";
  for (const part of form.querySelectorAll<HTMLElement>("[data-for]")) {
    part.hidden = !part.dataset["for"]?.split(" ").includes(opponent);
  }
}

let request = new AbortController();

/** Replaces the questions by those of another variant, and sets the focus. A later choice cancels this one. */
async function loadQuestions(query: URLSearchParams, focus: string | null): Promise<void> {
  const form = theForm();
  request.abort();
  request = new AbortController();
  const { signal } = request;
  const response = await fetch(`${form.dataset["here"]}?${query}`, { signal }).catch(() => null);
  if (!response?.ok) return;
  const text = await response.text().catch(() => "");
  if (signal.aborted) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const next = page.querySelector("form.new");
  if (!next) return;
  form.replaceChildren(...next.childNodes);
  showQuestions(form);
  if (focus) form.querySelector<HTMLElement>(focus)?.focus();
}

function clockOf(value: string): Clock {
  const [first, second] = value.split("_");
  if (second === undefined) return { kind: "none" };
  if (first === "days") return { kind: "days", days: Number(second) };
  return { kind: "fischer", initial_s: 60 * Number(first), increment_s: Number(second) };
}

function requestOf(query: URLSearchParams): NewGameRequest {
  const rules = [...query].filter(([key]) => key.startsWith("rule."));
  const opponent = query.get("opponent") === "friend" ? "friend" : "computer";
  return {
    variant: query.get("variant") ?? "",
    start: query.get("position"),
    switches: Object.fromEntries(rules.map(([key, value]) => [key.slice(5), value])),
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
function create(form: HTMLFormElement): Promise<void> {
  return openNewGame(requestOf(chosen(form)), (reason) => {
    const failure = form.querySelector<HTMLElement>(".failure");
    if (!failure) return;
    failure.textContent = reason;
    failure.hidden = false;
  });
}

enableNameFilters();
const form = theForm();
const last = lastChoice();
if (last.size > 0 && !location.search) await loadQuestions(last, null);
showQuestions(form);
form.addEventListener("change", (event) => {
  const input = event.target as HTMLInputElement;
  if (input.dataset["name"] !== undefined) return savePlayerName(input.value);
  if (input.name !== "variant") return showQuestions(form);
  // Switches, legs and positions of one variant do not fit another.
  const kept = [...chosen(form)].filter(([key]) => !key.startsWith("rule.") && key !== "legs" && key !== "position");
  void loadQuestions(new URLSearchParams(kept), `[name="variant"][value="${input.value}"]`);
});
form.addEventListener("submit", (event) => {
  const query = chosen(form);
  // The position and the rules of a link are for this game alone.
  const choice = new URLSearchParams(query);
  choice.delete("position");
  for (const { name } of form.querySelectorAll<HTMLInputElement>(".linked-rules input")) choice.delete(name);
  saveChoice(choice);
  if (query.get("opponent") === "here") return;
  event.preventDefault();
  void create(form);
});
