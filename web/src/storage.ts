// Storage in this browser. A browser may refuse: then a value lasts as long as its page.

import { IS_ALONE } from "./addresses.ts";

/** What a page that stands alone keeps instead, until it is forgotten. */
const memory = new Map<string, string>();

/** Returns a stored text, or null. */
export function storedText(key: string): string | null {
  if (IS_ALONE) return memory.get(key) ?? null;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it if null. Returns false if the browser refuses. */
export function storeText(key: string, text: string | null): boolean {
  if (IS_ALONE) {
    if (text === null) memory.delete(key);
    else memory.set(key, text);
    return true;
  }
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Returns a new id of a game or a study in this browser. */
export function newId(): string {
  return Math.random().toString(36).slice(2, 10);
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

/** Forgets what a page that stands alone keeps: the next visitor finds it as the first did. */
export function forget(): void {
  memory.clear();
}
