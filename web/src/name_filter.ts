// Inputs that filter a list by name.

/** Checks whether names contain every word of a search, ignoring accents and case. */
function matches(names: string, search: string): boolean {
  return folded(search)
    .split(/\s+/)
    .every((word) => folded(names).includes(word));
}

function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase();
}

function filter(field: HTMLInputElement): void {
  const list = document.querySelector(field.dataset["find"] ?? "");
  if (!list) return;
  for (const entry of list.querySelectorAll<HTMLElement>("[data-names]")) {
    entry.hidden = !matches(entry.dataset["names"] ?? "", field.value);
  }
  for (const group of list.querySelectorAll<HTMLElement>("[data-group]")) {
    group.hidden = !group.querySelector("[data-names]:not([hidden])");
  }
}

/** Makes the filter inputs of the page work, including those that are added later. */
export function enableNameFilters(): void {
  document.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement && target.dataset["find"] !== undefined) filter(target);
  });
}
