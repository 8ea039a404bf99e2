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

/** Returns the address of a page without its language: a server adds that of whoever opens it. */
export function addressForAll(address: string): string {
  return HAS_SERVER ? address.replace(`/${LANGUAGE}/`, "/") : address;
}

/** Returns an address with everything that another device needs to open it. */
export function sharedAddress(address: string): string {
  return new URL(address, location.href).href;
}
