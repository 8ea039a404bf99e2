// The page for a new game: the board follows the choice of a game, and a game with others is made at the server.

import type { Clock, NewGameRequest } from "../messages.ts";
import { listen } from "../finding.ts";
import { keepName, ownName } from "../game/invites.ts";
import { goToGame } from "../game/making.ts";

const KEY = "hnefi.new";

function theForm(): HTMLFormElement {
  return document.querySelector("form.new") as HTMLFormElement;
}

/** Everything that is chosen, without what is left as it usually is. */
function chosen(form: HTMLFormElement): URLSearchParams {
  const fields = new FormData(form);
  return new URLSearchParams([...fields].filter(([, value]) => value !== "").map(([key, value]) => [key, String(value)]));
}

/** Shows only the questions that go with the opponent. */
function showQuestions(form: HTMLFormElement): void {
  const name = form.querySelector<HTMLInputElement>("[data-name]");
  if (name) name.value = ownName();
  const opponent = chosen(form).get("opponent") ?? "";
  for (const part of form.querySelectorAll<HTMLElement>("[data-for]")) {
    part.hidden = !part.dataset["for"]?.split(" ").includes(opponent);
  }
}

let asking = new AbortController();

/** Gets the page anew for what is chosen: another game has another board and other rules. The last choice counts. */
async function follow(query: URLSearchParams, focus: string | null): Promise<void> {
  const form = theForm();
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
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
    name: opponent === "friend" ? ownName() : "",
  };
}

/** Makes a game at the server and goes there. */
function make(form: HTMLFormElement): Promise<void> {
  return goToGame(requestOf(chosen(form)), (why) => {
    const trouble = form.querySelector<HTMLElement>(".trouble");
    if (!trouble) return;
    trouble.textContent = why;
    trouble.hidden = false;
  });
}

listen();
const form = theForm();
const remembered = localStorage.getItem(KEY);
if (remembered && !location.search) await follow(new URLSearchParams(remembered), null);
showQuestions(form);
form.addEventListener("change", (event) => {
  const input = event.target as HTMLInputElement;
  if (input.dataset["name"] !== undefined) return keepName(input.value);
  if (input.name !== "variant") return showQuestions(form);
  // The rules of one game are no switches of another, and its positions are not the other's.
  const kept = [...chosen(form)].filter(([key]) => !key.startsWith("rule.") && key !== "legs" && key !== "position");
  const query = new URLSearchParams(kept);
  void follow(query, `[name="variant"][value="${input.value}"]`);
});
form.addEventListener("submit", (event) => {
  const query = chosen(form);
  // What came with a link is for this game alone.
  const usual = new URLSearchParams(query);
  usual.delete("position");
  for (const { name } of form.querySelectorAll<HTMLInputElement>(".linked-rules input")) usual.delete(name);
  localStorage.setItem(KEY, usual.toString());
  if (query.get("opponent") === "here") return;
  event.preventDefault();
  void make(form);
});
