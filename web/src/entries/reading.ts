// The page of the rules: the contents show with a notch which part is being read.

const links = new Map<string, HTMLAnchorElement>();
for (const link of document.querySelectorAll<HTMLAnchorElement>(".contents a")) links.set(link.hash.slice(1), link);

const seen = new Set<string>();

/** Marks the first part that is in the upper half of the window; while none is, the mark stays where it was. */
function mark(): void {
  const current = [...links.keys()].find((id) => seen.has(id));
  if (!current) return;
  for (const [id, link] of links) {
    if (id === current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const list = document.querySelector<HTMLElement>(".contents ul");
  const link = links.get(current);
  if (list && link) list.scrollTo({ left: link.offsetLeft - list.offsetLeft - 16 });
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) seen.add(target.id);
      else seen.delete(target.id);
    }
    mark();
  },
  { rootMargin: "0px 0px -50% 0px" },
);
for (const id of links.keys()) {
  const part = document.getElementById(id);
  if (part) observer.observe(part);
}
