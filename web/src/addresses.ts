// The addresses of pages: they begin with "/" at a server; in a site of static files they are relative to its folder.

import { LANGUAGE } from "./texts.ts";

const ROOT = document.documentElement.dataset["root"];

/** Whether a server answers the requests of scripts: a site of static files has none. */
export const HAS_SERVER = ROOT === undefined;

/** Whether the page stands alone, as in a kiosk: it leads to no other page and stores nothing. */
export const IS_ALONE = document.documentElement.dataset["alone"] !== undefined;

/** Returns the address of a page in the language of this one, by its path there: `new?variant=brandub-globe`. */
export function pageAddress(path: string): string {
  return siteAddress(`/${LANGUAGE}/${path}`);
}

/** Returns the address of a page by its path at a server: `/en/rules/brandub-globe#aim`. */
export function siteAddress(path: string): string {
  if (ROOT === undefined) return path;
  const [page = ""] = /^[^?#]*/.exec(path) ?? [];
  return `${ROOT}${page.slice(1)}${page.endsWith("/") ? "" : "/"}${path.slice(page.length)}`;
}

/** Returns an address for others: with its host, and without its language, for a server adds that of whoever opens it. */
export function sharedAddress(address: string): string {
  return new URL(HAS_SERVER ? address.replace(`/${LANGUAGE}/`, "/") : address, location.href).href;
}
