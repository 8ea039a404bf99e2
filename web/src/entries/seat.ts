// The page that a seat is taken along to: the secret stands after the #, where no server writes it down.

import type { Failure, GameView } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";

const button = document.querySelector<HTMLButtonElement>("[data-take]");
const trouble = document.querySelector<HTMLElement>(".trouble");
const secret = location.hash.slice(1);

function say(words: string): void {
  if (button) button.disabled = false;
  if (!trouble) return;
  trouble.textContent = words;
  trouble.hidden = false;
}

async function take(): Promise<void> {
  if (button) button.disabled = true;
  const response = await fetch("/api/links", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ secret }),
  }).catch(() => null);
  if (!response) return say(t("web.no_connection"));
  if (!response.ok) return say(((await response.json()) as Partial<Failure>).message ?? t("web.rejected"));
  location.replace(`/${LANGUAGE}/game/${((await response.json()) as GameView).game}`);
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => void take());
}
