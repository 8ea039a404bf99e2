// Which lessons have been done in this browser.

const KEY = "hnefi.lessons";

type Done = Readonly<Record<string, readonly string[]>>;

function read(): Done {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found !== null && typeof found === "object" ? (found as Done) : {};
  } catch {
    return {};
  }
}

/** The lessons of a variant that have been done, by their ids. */
export function lessonsDone(variant: string): readonly string[] {
  const found = read()[variant];
  return Array.isArray(found) ? found : [];
}

/** Notes that a lesson has been done, and gives all that have. */
export function markDone(variant: string, lesson: string): readonly string[] {
  const done = [...new Set([...lessonsDone(variant), lesson])];
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...read(), [variant]: done }));
  } catch {
    // A browser that keeps nothing knows it until the page is left.
  }
  return done;
}
