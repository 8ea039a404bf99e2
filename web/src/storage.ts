// Storage in this browser. A browser may refuse: then a value lasts as long as its page.

/** Returns a stored text, or null. */
export function storedText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it if null. Returns false if the browser refuses. */
export function storeText(key: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Parses a stored JSON value; returns the fallback if there is none, or none of the fallback's kind. */
export function stored<T extends object>(key: string, fallback: T): T {
  try {
    const value: unknown = JSON.parse(storedText(key) ?? "null");
    const isSameKind = value !== null && typeof value === "object" && Array.isArray(value) === Array.isArray(fallback);
    return isSameKind ? (value as T) : fallback;
  } catch {
    return fallback;
  }
}

/** Stores a value as JSON. Returns false if the browser refuses. */
export function store(key: string, value: object): boolean {
  return storeText(key, JSON.stringify(value));
}
