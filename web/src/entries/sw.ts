// The service worker: keeps pages and files for use offline. The server puts what it keeps before this script.
//
// It installs with files that the first page has loaded; the rest is fetched one by one when a page asks for it. What is
// missing is what the cache lacks, so that a step that failed is repeated with the next page. A page is shown from the
// cache only if every file that it needs is kept too.

import type { KeptState } from "../kept.ts";

interface KeptList {
  readonly version: string;
  /** The files of the page that is shown where nothing else is kept. */
  readonly first: readonly string[];
  readonly files: readonly string[];
  /** Large files, fetched after all pages have what they need to show themselves. */
  readonly last: readonly string[];
  /** The files that a script or a style loads, by its address. */
  readonly needs: Needs;
  /** What every page names, at addresses that stay the same. */
  readonly fixed: readonly string[];
  /** The pages of the bundle `site`: paths after the language. */
  readonly site: readonly string[];
  /** The names of the bundles of pages. */
  readonly bundles: readonly string[];
  /** Pages that are kept one by one: paths after the language. */
  readonly pages: readonly string[];
}

type Needs = Readonly<Record<string, readonly string[]>>;

/** Why a page is not shown: it needs the server, is not kept yet, is in a language that is not kept, or is printed. */
type Why = "connection" | "part" | "language" | "print";

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

interface ServiceWorker {
  addEventListener(name: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(name: "message", listener: (event: MessageToWorker) => void): void;
  addEventListener(name: "fetch", listener: (event: FetchEvent) => void): void;
  readonly KEPT: KeptList;
  readonly registration: { update(): Promise<unknown> };
  readonly location: Location;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
}

const worker = self as unknown as ServiceWorker;
const { version, first, files, last, needs, fixed, site, bundles, pages } = worker.KEPT;
const CACHE = `kept-${version}`;
/** Where a cache holds the list of what its scripts and styles load, for the workers of later versions. */
const NEEDS = "/kept-needs";
/** What a cache holds once nothing was missing in it. */
const WHOLE = "/kept-whole";
/** After this time without an answer a kept page is shown. */
const TIMEOUT_MS = 4_000;
/** The pause between two requests in the background. */
const PAUSE_MS = 20;
const BUSY = 503;
/** The pauses before a request is repeated that a busy server has refused. */
const BUSY_PAUSES_MS = [2_000, 8_000];

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => event.waitUntil(answer(event)));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  if (url.pathname.startsWith("/static/")) event.respondWith(keptFile(request));
  else if (fixed.includes(url.pathname)) event.respondWith(fetch(request).catch(() => fixedFile(url)));
  else if (/^\/[a-z]{2}\//.test(url.pathname) && (request.mode === "navigate" || isAsked(url))) {
    const isPrinted = url.pathname.endsWith(".pdf");
    event.respondWith(isPrinted ? fetch(request).catch(() => offlinePage(url)) : freshPage(event, url));
  } else if (url.pathname === "/" && request.mode === "navigate") {
    // The server chooses the language; without it this does.
    event.respondWith(fetch(request).catch(keptHome));
  }
});

/** Checks whether scripts ask for it: the questions of a new game or about rules, a puzzle, or the facts of all variants. */
function isAsked({ pathname, search }: URL): boolean {
  return /^.{3}\/(new|rules\/new|puzzles\/[^/]+)$/.test(pathname) || (/^.{3}\/facts$/.test(pathname) && search === "");
}

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll([...first]);
  await cache.put(NEEDS, new Response(JSON.stringify(needs)));
  await worker.skipWaiting();
}

/** Deletes what older versions kept, but for the last that kept everything: it serves until everything is kept anew. */
async function activate(): Promise<void> {
  await worker.clients.claim();
  const older = (await caches.keys()).filter((name) => name !== CACHE);
  let spared = older.at(-1);
  for (const name of older) if (await (await caches.open(name)).match(WHOLE)) spared = name;
  for (const name of older) if (name !== spared) await caches.delete(name);
}

/** Answers a page: how much is kept, after fetching what is missing if it asks for that. */
async function answer({ data, source, ports }: MessageToWorker): Promise<void> {
  const lang = languageOf(source ?? { url: "" });
  if (data === "keep") await keepAll(lang, new URL(source?.url ?? `/${lang}/`, worker.location.origin));
  const all = addressesOf(lang);
  // Before the languages: pages come meanwhile, and a page that lacks nothing must find its language among them.
  const missing = (await missingOf(all)).length;
  const whole = [];
  for (const one of await keptLanguages()) if ((await missingOf(addressesOf(one))).length === 0) whole.push(one);
  const state: KeptState = { missing, all: all.length, languages: whole };
  ports[0]?.postMessage(state);
}

function languageOf({ url }: Client): string {
  return /^https?:\/\/[^/]+\/([a-z]{2})\//.exec(url)?.[1] ?? "en";
}

/** Returns the addresses of everything that is kept for a language, in the order in which it is fetched. */
function addressesOf(lang: string): readonly string[] {
  const [home, ...others] = bundles.map((name) => `/${lang}/kept/${name}`);
  const [offline, ...asked] = pages.map((path) => `/${lang}${path}`);
  return [offline ?? "", home ?? "", ...fixed, ...files, ...asked, ...last, ...others];
}

async function missingOf(addresses: readonly string[]): Promise<readonly string[]> {
  const known = new Set((await (await caches.open(CACHE)).keys()).map(({ url }) => new URL(url).pathname));
  return addresses.filter((address) => !known.has(address));
}

let keeping: Promise<void> = Promise.resolve();

/**
 * Fetches what is missing, one by one, and then deletes what older versions kept. Ends at the first failure. The files of
 * the home page, of games against the computer and of the page that asks come first: the connection may be lost at any time.
 */
function keepAll(lang: string, asking: URL): Promise<void> {
  keeping = keeping.then(async () => {
    const cache = await caches.open(CACHE);
    const [offline = "", site = "", ...others] = addressesOf(lang);
    if (!(await keepEach(cache, [offline, site]))) return;
    for (const url of [new URL(`/${lang}/`, asking), new URL(`/${lang}/computer`, asking), asking]) {
      if (isKeptApart(url) && !(await keptPage(url, false))) await keep(cache, url.pathname);
      const page = await keptPage(url, false);
      if (page && !(await keepEach(cache, [...(await filesOf(cache, page))].filter(isKnown)))) return;
    }
    if (!(await keepEach(cache, others))) return;
    await cache.put(WHOLE, new Response());
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  }).catch(() => undefined);
  return keeping;
}

/** Fetches those of some addresses that are missing, in their order. Returns whether all succeeded. */
async function keepEach(cache: Cache, addresses: readonly string[]): Promise<boolean> {
  for (const address of await missingOf(addresses)) {
    if (!(await keep(cache, address))) return false;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return true;
}

/** Fetches a page or a file into the cache, again if the server is busy. Returns whether that succeeded. */
async function keep(cache: Cache, address: string): Promise<boolean> {
  try {
    for (const pause of [...BUSY_PAUSES_MS, 0]) {
      const response = await fetch(address, { credentials: "same-origin", priority: "low" });
      if (response.ok && !response.redirected) {
        if (!(await isOfThisVersion(address, response.clone()))) return false;
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

/** Checks that a bundle names only files of this version. If the server has a newer one, its worker keeps that. */
async function isOfThisVersion(address: string, response: Response): Promise<boolean> {
  if (!address.includes("/kept/")) return true;
  const isOurs = staticFiles(await response.text(), /\b(?:src|href)=\\?"(\/static\/[^"\\]+)/g).every(isKnown);
  if (!isOurs) await worker.registration.update();
  return isOurs;
}

function isKnown(file: string): boolean {
  return files.includes(file) || last.includes(file);
}

function staticFiles(text: string, pattern = /\s(?:src|href)="(\/static\/[^"]+)/g): string[] {
  return [...text.matchAll(pattern)].map(([, file = ""]) => file);
}

/** Returns a file at an address that stays the same. */
async function fixedFile({ pathname }: URL): Promise<Response> {
  return (await caches.match(pathname, { ignoreVary: true })) ?? Response.error();
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
    if (response.ok && !response.redirected && isKeptApart(url)) event.waitUntil(update(url.pathname, response.clone()));
    return response;
  });
  const late = new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS)).then(() => keptPage(url));
  try {
    return await Promise.race([fresh, late.then((page) => page ?? fresh)]);
  } catch {
    return (await keptPage(url)) ?? (request.mode === "navigate" ? offlinePage(url) : Response.error());
  }
}

/** Checks whether a visited page may be kept by itself: it is the same for everybody who opens its address. */
function isKeptApart({ pathname, search }: URL): boolean {
  return search === "" && !/^.{3}\/game\//.test(pathname);
}

/** Keeps a visited page by itself, unless the bundles have it. */
async function update(pathname: string, response: Response): Promise<void> {
  const lang = pathname.slice(1, 3);
  const isApart = pages.includes(pathname.slice(3));
  if (isApart || (await missingOf(addressesOf(lang))).length > 0) await (await caches.open(CACHE)).put(pathname, response);
}

/**
 * Returns a page as it is kept, if everything that it needs is kept: that of the variant in the query if there is one,
 * else that without a query.
 */
async function keptPage({ pathname, searchParams }: URL, mustBeWhole = true): Promise<Response | undefined> {
  const variant = searchParams.get("variant");
  const plain = pathname.replace(/^(.{3}\/game\/).*/, "$1any").replace(/(?<=^.{4,})\/$/, "");
  const addresses = variant ? [`${plain}?variant=${variant}`, plain] : [plain];
  const names = (await caches.keys()).filter((name) => name !== CACHE);
  for (const address of addresses) {
    for (const name of [CACHE, ...names.reverse()]) {
      const cache = await caches.open(name);
      const page = (await pageFrom(cache, address)) ?? (await cache.match(address, { ignoreVary: true }));
      if (page && (!mustBeWhole || (await isWhole(cache, page.clone())))) return page;
    }
  }
  return undefined;
}

/** Checks whether every file is kept that a page of a cache needs; it can do without fonts and the style for printing. */
async function isWhole(cache: Cache, page: Response): Promise<boolean> {
  if (!page.headers.get("Content-Type")?.startsWith("text/html")) return true;
  for (const file of await filesOf(cache, page)) {
    const isSpared = /\.woff2$|\/print-/.test(file);
    if (!isSpared && !(await caches.match(file, { ignoreVary: true }))) return false;
  }
  return true;
}

/** Returns the files that a page of a cache needs, and those that they load. */
async function filesOf(cache: Cache, page: Response): Promise<ReadonlySet<string>> {
  const known = (await (await cache.match(NEEDS))?.json().catch(() => undefined)) as Needs | undefined;
  const needed = new Set(staticFiles(await page.text()));
  // A set iterates over what is added meanwhile.
  for (const file of needed) for (const one of known?.[file] ?? []) needed.add(one);
  return needed;
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

/**
 * Returns the page that is shown where nothing is kept, in the language of the address or else in one that is kept. It
 * has a part for each reason, the same page in its language, and the pages that might be kept: those that are, are shown.
 */
async function offlinePage({ pathname, search }: URL): Promise<Response> {
  const asked = pathname.slice(1, 3);
  for (const lang of new Set([asked, ...(await keptLanguages())])) {
    const page = await keptPage(new URL(`/${lang}/offline`, worker.location.origin), false);
    if (!page) continue;
    const same = `/${lang}${pathname.slice(3)}`;
    const why = await reasonFor(pathname, asked !== lang, lang);
    const parts = (await page.text()).split(/(?=<[a-z]+ [^>]*\bdata-(?:why|there|same)=")/);
    const shown = await Promise.all(parts.map((part) => offlinePart(part, why, new URL(`${same}${search}`, worker.location.origin))));
    return new Response(shown.join(""), { headers: page.headers });
  }
  return Response.error();
}

async function reasonFor(pathname: string, isOtherLanguage: boolean, lang: string): Promise<Why> {
  if (isOtherLanguage) return "language";
  if (pathname.endsWith(".pdf")) return "print";
  return (await missingOf(addressesOf(lang))).length > 0 ? "part" : "connection";
}

/** Shows or hides a part of the offline page, which begins with the element that is asked about. */
async function offlinePart(part: string, why: Why, same: URL): Promise<string> {
  const [, kind, value = ""] = /^<[a-z]+ [^>]*?\bdata-(why|there|same)="([^"]*)"/.exec(part) ?? [];
  if (kind === "why") return hiddenUnless(value.split(" ").includes(why), part);
  if (kind === "there") return hiddenUnless((await keptPage(new URL(value, worker.location.origin))) !== undefined, part);
  if (kind !== "same") return part;
  const address = `${same.pathname}${same.search}`.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return hiddenUnless((await keptPage(same)) !== undefined, part.replace(/ href="[^"]*"/, () => ` href="${address}"`));
}

/** Returns a part with the attribute `hidden` in its first tag, or without it. */
function hiddenUnless(isShown: boolean, part: string): string {
  return part.replace(/^[^>]*>/, (tag) => `${tag.slice(0, -1).replace(/ hidden\b/, "")}${isShown ? "" : " hidden"}>`);
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
      const [, lang] = /^https?:\/\/[^/]+\/([a-z]{2})\/(?:kept\/site|offline)$/.exec(url) ?? [];
      if (lang) found.add(lang);
    }
  }
  const wanted = navigator.languages.map((one) => one.slice(0, 2));
  return [...new Set([...wanted.filter((one) => found.has(one)), ...found])];
}
