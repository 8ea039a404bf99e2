// The service worker: keeps pages and files for use offline. The server puts what it keeps before this script.
//
// It installs with files that the first page has loaded; the rest is fetched one by one when a page asks for it. What is
// missing is what the cache lacks, so that a step that failed is repeated with the next page.

import type { KeptState } from "../kept.ts";

interface KeptList {
  readonly version: string;
  /** The files of the page that is shown where nothing else is kept. */
  readonly first: readonly string[];
  readonly files: readonly string[];
  /** Large files, fetched after all pages have what they need to show themselves. */
  readonly last: readonly string[];
  /** The pages of the bundle `site`: paths after the language. */
  readonly site: readonly string[];
  /** The names of the bundles of pages. */
  readonly bundles: readonly string[];
  /** Pages that are kept one by one: paths after the language. */
  readonly pages: readonly string[];
}

/** Pages with every line once: a page is a list of lines. */
interface Bundle {
  readonly lines: readonly string[];
  readonly pages: Readonly<Record<string, readonly number[]>>;
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface Client {
  readonly url: string;
}

interface MessageToWorker extends ExtendableEvent {
  readonly data: unknown;
  readonly source: Client | null;
  readonly ports: readonly MessagePort[];
}

interface ServiceWorker extends EventTarget {
  readonly KEPT: KeptList;
  readonly location: Location;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

const worker = self as unknown as ServiceWorker;
const { version, first, files, last, site, bundles, pages } = worker.KEPT;
const CACHE = `kept-${version}`;
/** After this time without an answer a kept page is shown. */
const TIMEOUT_MS = 4_000;
/** The pause between two requests in the background. */
const PAUSE_MS = 20;
const BUSY = 503;
/** The pauses before a request is repeated that a busy server has refused. */
const BUSY_PAUSES_MS = [2_000, 8_000];

worker.addEventListener("install", (event) => {
  (event as ExtendableEvent).waitUntil(install());
});

worker.addEventListener("activate", (event) => {
  (event as ExtendableEvent).waitUntil(activate());
});

worker.addEventListener("message", (event) => {
  (event as MessageToWorker).waitUntil(answer(event as MessageToWorker));
});

worker.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (url.pathname.startsWith("/static/")) (event as FetchEvent).respondWith(keptFile(request));
  else if (/^\/[a-z]{2}\//.test(url.pathname) && (request.mode === "navigate" ? !url.pathname.endsWith(".pdf") : isAsked(url))) {
    (event as FetchEvent).respondWith(freshPage(event as FetchEvent, url));
  } else if (url.pathname === "/" && request.mode === "navigate") {
    // The server chooses the language; without it this does.
    (event as FetchEvent).respondWith(fetch(request).catch(keptHome));
  }
});

/** Checks whether scripts ask for it: the questions of a new game, a puzzle, or the facts of all variants. */
function isAsked({ pathname, search }: URL): boolean {
  return /^.{3}\/(new|puzzles\/[^/]+)$/.test(pathname) || (/^.{3}\/facts$/.test(pathname) && search === "");
}

async function install(): Promise<void> {
  await (await caches.open(CACHE)).addAll([...first]);
  await worker.skipWaiting();
}

/** Deletes what older versions kept, but for the last of them: it serves until everything is kept anew. */
async function activate(): Promise<void> {
  await worker.clients.claim();
  const older = (await caches.keys()).filter((name) => name !== CACHE);
  for (const name of older.slice(0, -1)) await caches.delete(name);
}

/** Answers a page: how much is kept, after fetching what is missing if it asks for that. */
async function answer({ data, source, ports }: MessageToWorker): Promise<void> {
  const lang = languageOf(source ?? { url: "" });
  if (data === "keep") await keepAll(lang);
  const all = addressesOf(lang);
  const state: KeptState = { missing: (await missingOf(all)).length, all: all.length };
  ports[0]?.postMessage(state);
}

function languageOf({ url }: Client): string {
  return /^https?:\/\/[^/]+\/([a-z]{2})\//.exec(url)?.[1] ?? "en";
}

/** Returns the addresses of everything that is kept for a language, in the order in which it is fetched. */
function addressesOf(lang: string): readonly string[] {
  const [home, ...others] = bundles.map((name) => `/${lang}/kept/${name}`);
  return [home ?? "", ...files, ...pages.map((path) => `/${lang}${path}`), ...last, ...others];
}

async function missingOf(addresses: readonly string[]): Promise<readonly string[]> {
  const known = new Set((await (await caches.open(CACHE)).keys()).map(({ url }) => new URL(url).pathname));
  return addresses.filter((address) => !known.has(address));
}

let keeping: Promise<void> = Promise.resolve();

/** Fetches what is missing, one by one, and then deletes what older versions kept. Ends at the first failure. */
function keepAll(lang: string): Promise<void> {
  keeping = keeping.then(async () => {
    const cache = await caches.open(CACHE);
    for (const address of await missingOf(addressesOf(lang))) {
      if (!(await keep(cache, address))) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  }).catch(() => undefined);
  return keeping;
}

/** Fetches a page or a file into the cache, again if the server is busy. Returns whether that succeeded. */
async function keep(cache: Cache, address: string): Promise<boolean> {
  try {
    for (const pause of [...BUSY_PAUSES_MS, 0]) {
      const response = await fetch(address, { credentials: "same-origin", priority: "low" });
      if (response.ok && !response.redirected) {
        await cache.put(address, response);
        return true;
      }
      if (response.status !== BUSY || pause === 0) return false;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  } catch {
    // There is no connection.
  }
  return false;
}

async function keptFile(request: Request): Promise<Response> {
  const found = await caches.match(request, { ignoreVary: true });
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

/** Returns a page from the server if it answers in time, else as it is kept. */
async function freshPage(event: FetchEvent, url: URL): Promise<Response> {
  const { request } = event;
  const fresh = fetch(request).then((response) => {
    const isSame = response.ok && !response.redirected && url.search === "" && !/^.{3}\/game\//.test(url.pathname);
    if (isSame) event.waitUntil(update(url.pathname, response.clone()));
    return response;
  });
  const late = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS)).then(() => keptPage(url));
  try {
    return await Promise.race([fresh, late.then((page) => page ?? fresh)]);
  } catch {
    return (await keptPage(url)) ?? (request.mode === "navigate" ? offlinePage(url) : Response.error());
  }
}

/** Keeps a visited page by itself, unless the bundles have it. */
async function update(pathname: string, response: Response): Promise<void> {
  const lang = pathname.slice(1, 3);
  const isApart = pages.includes(pathname.slice(3));
  if (isApart || (await missingOf(addressesOf(lang))).length > 0) await (await caches.open(CACHE)).put(pathname, response);
}

/** Returns a page as it is kept: that of the variant in the query if there is one, else that without a query. */
async function keptPage({ pathname, searchParams }: URL): Promise<Response | undefined> {
  const variant = searchParams.get("variant");
  const plain = pathname.replace(/^(.{3}\/game\/).*/, "$1any");
  const addresses = variant ? [`${plain}?variant=${variant}`, plain] : [plain];
  const names = (await caches.keys()).filter((name) => name !== CACHE);
  for (const address of addresses) {
    for (const name of [CACHE, ...names.reverse()]) {
      const cache = await caches.open(name);
      const page = (await pageFrom(cache, address)) ?? (await cache.match(address, { ignoreVary: true }));
      if (page) return page;
    }
  }
  return undefined;
}

/** Returns a page from the bundles of a cache. */
async function pageFrom(cache: Cache, address: string): Promise<Response | undefined> {
  const lang = address.slice(0, 3);
  const section = address.split(/[/?]/)[2] ?? "";
  const isSite = site.includes(address.slice(3));
  for (const name of bundles.filter((one) => (isSite ? one === "site" : one.split("-")[0] === section))) {
    const response = await cache.match(`${lang}/kept/${name}`, { ignoreVary: true });
    const { lines, pages: listed } = ((await response?.json()) ?? { lines: [], pages: {} }) as Bundle;
    const page = listed[address];
    if (!response || !page) continue;
    const headers = {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": response.headers.get("Content-Security-Policy") ?? "default-src 'none'",
    };
    return new Response(page.map((line) => lines[line]).join("\n"), { headers });
  }
  return undefined;
}

/** Returns the page that is shown where nothing is kept, in the language of the address or else in one that is kept. */
async function offlinePage({ pathname }: URL): Promise<Response> {
  for (const lang of [pathname.slice(1, 3), ...(await keptLanguages())]) {
    const page = await keptPage(new URL(`/${lang}/offline`, worker.location.origin));
    if (page) return page;
  }
  return Response.error();
}

/** Leads to the home page in a language that is kept. */
async function keptHome(): Promise<Response> {
  const [lang] = await keptLanguages();
  return lang ? Response.redirect(`/${lang}/`) : Response.error();
}

/** Returns the languages in which pages are kept, those that the user prefers first. */
async function keptLanguages(): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) {
      const [, lang] = /^https?:\/\/[^/]+\/([a-z]{2})\/kept\/site$/.exec(url) ?? [];
      if (lang) found.add(lang);
    }
  }
  const wanted = navigator.languages.map((one) => one.slice(0, 2));
  return [...new Set([...wanted.filter((one) => found.has(one)), ...found])];
}
