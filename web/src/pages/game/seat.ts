// The page that moves a seat to this device. The secret stands in the fragment of the address, which no server logs.

import { failureText, postJson } from "../../http.ts";
import type { GameView } from "../../messages.ts";
import { LANGUAGE } from "../../texts.ts";

const button = document.querySelector<HTMLButtonElement>("[data-take]");
const failure = document.querySelector<HTMLElement>(".failure");
const secret = location.hash.slice(1);

async function takeSeat(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  try {
    const { game } = await postJson<GameView>("/api/links", { secret });
    location.replace(`/${LANGUAGE}/game/${game}`);
  } catch (error) {
    button.disabled = false;
    if (!failure) return;
    failure.textContent = failureText(error);
    failure.hidden = false;
  }
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", () => void takeSeat(button));
}
