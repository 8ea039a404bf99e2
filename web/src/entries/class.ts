// The page for classes and clubs: joins a class with its code, or creates one.

import { failureText, postJson } from "../http.ts";
import { playerName, savePlayerName } from "../invites.ts";
import type { ClassCreated, ClassView } from "../messages.ts";
import { clockOf } from "../clock_choice.ts";
import { LANGUAGE } from "../texts.ts";

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
      .then((code) => location.assign(`/${LANGUAGE}/class/${code}`))
      .catch((error: unknown) => {
        failure.textContent = failureText(error);
        failure.hidden = false;
      })
      .finally(() => {
        button.disabled = false;
      });
  });
  return form;
}

const joining = sends("join", async (data) => {
  const name = String(data.get("name"));
  const code = encodeURIComponent(String(data.get("code")));
  const view = await postJson<ClassView>(`/api/classes/${code}/members`, { name });
  savePlayerName(name);
  return view.code;
});
sends("create", async (data) => {
  const variants = [...data.getAll("variant"), data.get("other")].filter(Boolean).map(String);
  const request = { name: String(data.get("name")), variants, clock: clockOf(String(data.get("clock"))) };
  return (await postJson<ClassCreated>("/api/classes", request)).code;
});
(joining.elements.namedItem("name") as HTMLInputElement).value = playerName();
