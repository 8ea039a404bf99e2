// A field in which one types a part of a name: of a list, what is not called so is hidden.

/** Tells whether some names have every word of a search in them, whatever the accents. */
function isMeant(names: string, search: string): boolean {
  return plain(search)
    .split(/\s+/)
    .every((word) => plain(names).includes(word));
}

function plain(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
}

function narrow(field: HTMLInputElement): void {
  const list = document.querySelector(field.dataset["find"] ?? "");
  if (!list) return;
  for (const entry of list.querySelectorAll<HTMLElement>("[data-names]")) {
    entry.hidden = !isMeant(entry.dataset["names"] ?? "", field.value);
  }
  for (const group of list.querySelectorAll<HTMLElement>("[data-group]")) {
    group.hidden = !group.querySelector("[data-names]:not([hidden])");
  }
}

/** Listens to the fields of the page, those too that come later. */
export function listen(): void {
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset["find"] !== undefined) narrow(target);
  });
}
