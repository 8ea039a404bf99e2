{
  const root = document.documentElement;
  const choice = document.querySelector("[data-theme-choice]");
  const now = choice?.querySelector(`[value="${root.dataset.theme ?? "system"}"]`);
  if (now) {
    now.checked = true;
    document.querySelector("[data-theme-button]").hidden = false;
    choice.addEventListener("change", (event) => {
      const chosen = event.target.value;
      if (chosen === "system") delete root.dataset.theme;
      else root.dataset.theme = chosen;
      try {
        if (chosen === "system") localStorage.removeItem("hnefi.theme");
        else localStorage.setItem("hnefi.theme", chosen);
      } catch {}
    });
  }
}
// A field that is full says so: the browser drops what is typed further.
{
  const { fieldFull } = document.currentScript.dataset;
  document.addEventListener("input", ({ target }) => {
    const place = target.closest("label") ?? target;
    if (place.nextElementSibling?.matches(".full")) place.nextElementSibling.remove();
    if (!(target.maxLength > 0) || target.value.length < target.maxLength) return;
    const note = Object.assign(document.createElement("p"), { className: "note full", textContent: fieldFull.replace("{n}", target.maxLength) });
    note.setAttribute("role", "alert");
    place.after(note);
  });
}
// The same page in another language keeps the query and the part of the address after "#".
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.("a[hreflang]");
  const pathAfter = (path, lang) => path.split(`/${lang}/`).slice(1).join(`/${lang}/`);
  if (!link || link.search) return;
  const here = pathAfter(location.pathname, document.documentElement.lang);
  if (link.origin !== location.origin || pathAfter(link.pathname, link.hreflang) !== here) return;
  link.search = location.search;
  link.hash = location.hash;
}, true);
if (!document.documentElement.dataset.root) {
  // Notices need a challenge or a game at the server: most visitors have none, and load nothing.
  try {
    const lists = ["hnefi.waiting", "hnefi.playing"].map((key) => localStorage.getItem(key) ?? "[]");
    if (lists.some((list) => list !== "[]")) import(document.currentScript.dataset.notices);
  } catch {}
  const { serviceWorker, connection } = navigator;
  serviceWorker?.register("/sw.js").catch(() => undefined);
  const isDear = connection?.saveData || /2g/.test(connection?.effectiveType);
  const keep = async () => {
    const { active } = await serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    const line = document.querySelector("[data-ready]");
    // Screen readers say it once, not on every page.
    if (line && !localStorage.getItem("hnefi.ready")) line.setAttribute("role", "status");
    port1.onmessage = ({ data }) => {
      if (!line || data.missing > 0) return;
      line.textContent = line.dataset.ready;
      localStorage.setItem("hnefi.ready", "yes");
    };
    active.postMessage("keep", [port2]);
  };
  // What is kept for use offline is fetched when the page has all that it needs for the first move.
  if (serviceWorker && !isDear) {
    addEventListener("load", () => setTimeout(() => (window.requestIdleCallback ?? setTimeout)(keep), 1000));
  }
}
