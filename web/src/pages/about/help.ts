// The help: whether everything is on this device for use offline, and how much that is.

import { keptState } from "../../kept.ts";
import { t } from "../../texts.ts";

const REPEAT_MS = 1_000;

const line = document.querySelector("[data-kept]") as HTMLElement;
const button = document.querySelector("[data-keep]") as HTMLButtonElement;

/** Shows how much is kept; again and again until nothing is missing. */
async function show(): Promise<void> {
  const { missing, all, languages } = await keptState("state");
  const bytes = (await navigator.storage.estimate()).usage ?? 0;
  const { lang } = document.documentElement;
  const size = (bytes / 2 ** 20).toLocaleString(lang, { maximumFractionDigits: 1 });
  const names = new Intl.DisplayNames(lang, { type: "language" });
  const kept = new Intl.ListFormat(lang).format(languages.map((one) => names.of(one) ?? one));
  const text = missing > 0 ? t("web.kept.missing", { n: missing, all }) : t("web.kept.ready", { languages: kept, size });
  if (line.textContent !== text) line.textContent = text;
  line.dataset["kept"] = missing > 0 ? "part" : "all";
  button.hidden = missing === 0;
  if (missing > 0) setTimeout(() => void show(), REPEAT_MS);
}

button.addEventListener("click", () => {
  button.disabled = true;
  void keptState("keep").then(() => {
    button.disabled = false;
  });
});
if ("serviceWorker" in navigator) await show();
else line.textContent = t("web.kept.none");
