// The page for classes and clubs: joins a class with its code, or creates one.

import { classAddress, knownClasses } from "../../classroom_of_game.ts";
import { failureText, getJson, postJson, RequestError } from "../../http.ts";
import { playerName, savePlayerName } from "../../invites.ts";
import type { ClassCreated, ClassView } from "../../messages.ts";
import { clockOf } from "../../clock_choice.ts";
import { t } from "../../texts.ts";
import { shownCode } from "./room.ts";

/** The form was changed while it asked who plays. */
class Asked extends Error {}

/** Sends a form with an action that returns the code of a class, and opens the class. */
function sends(name: string, action: (data: FormData) => Promise<string>): HTMLFormElement {
  const form = document.querySelector<HTMLFormElement>(`[data-${name}]`) as HTMLFormElement;
  const failure = form.querySelector<HTMLElement>(".failure") as HTMLElement;
  const button = form.querySelector<HTMLButtonElement>("[type=submit]") as HTMLButtonElement;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    failure.hidden = true;
    button.disabled = true;
    action(new FormData(form))
      .then((code) => location.assign(classAddress(code)))
      .catch((error: unknown) => {
        if (error instanceof Asked) return;
        failure.textContent = failureText(error);
        failure.hidden = false;
      })
      .finally(() => {
        button.disabled = false;
      });
  });
  return form;
}

async function join(kind: "join" | "join_as_other", code: string, name: string): Promise<string> {
  const view = await postJson<ClassView>(`/api/classes/${encodeURIComponent(code)}/members`, { name, kind });
  savePlayerName(name);
  return view.code;
}

/** Asks who plays on a device that plays for somebody already; returns the code of the class. */
function ask(code: string, name: string, before: string): Promise<string> {
  const question = joining.querySelector<HTMLElement>("[data-question]") as HTMLElement;
  const [stay, change] = [...question.querySelectorAll<HTMLButtonElement>("button")] as [HTMLButtonElement, HTMLButtonElement];
  const send = joining.querySelector<HTMLElement>("[type=submit]") as HTMLElement;
  (question.querySelector("p") as HTMLElement).textContent = t("page.class.who", { name: before });
  stay.textContent = t("page.class.who.same", { name: before });
  change.textContent = t("page.class.who.other", { name, before });
  question.hidden = false;
  send.hidden = true;
  stay.focus();
  const answer = new Promise<string>((resolve, reject) => {
    stay.onclick = () => resolve(join("join", code, before));
    change.onclick = () => resolve(join("join_as_other", code, name));
    joining.oninput = () => reject(new Asked());
  });
  return answer.finally(() => {
    question.hidden = true;
    send.hidden = false;
    joining.oninput = null;
  });
}

const joining = sends("join", async (data) => {
  const [code, name] = [String(data.get("code")), String(data.get("name"))];
  // Who leads a class comes back to it, and does not play in it.
  const found = await getJson<ClassView>(`/api/classes/${encodeURIComponent(code)}`);
  if (found.is_host) return found.code;
  try {
    return await join("join", code, name);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== "already_member") throw error;
    return ask(code, name, error.facts["name"] ?? "");
  }
});
sends("create", async (data) => {
  const variants = [...data.getAll("variant"), data.get("other")].filter(Boolean).map(String);
  const request = { name: String(data.get("name")), variants, clock: clockOf(String(data.get("clock"))) };
  return (await postJson<ClassCreated>("/api/classes", request)).code;
});
(joining.elements.namedItem("name") as HTMLInputElement).value = playerName();

const known = document.querySelector<HTMLElement>("[data-known]") as HTMLElement;
for (const { code, name } of knownClasses()) {
  const link = document.createElement("a");
  link.className = "button";
  link.href = classAddress(code);
  link.textContent = name || shownCode(code);
  known.append(link);
  known.hidden = false;
}
