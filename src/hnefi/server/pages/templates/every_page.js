{
  const root = document.documentElement;
  for (const choice of document.querySelectorAll("[data-theme-choice]")) {
    const now = choice.querySelector(`[value="${root.dataset.theme ?? "system"}"]`);
    if (now) now.checked = true;
    choice.hidden = false;
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
navigator.serviceWorker?.register("/sw.js").catch(() => undefined);
