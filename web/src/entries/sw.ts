// The service worker: caches pages and assets for use offline. The server puts the list of them before this script.

interface CacheList {
  readonly version: string;
  readonly files: readonly string[];
  readonly pages: readonly string[];
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface ServiceWorker extends EventTarget {
  readonly KEPT: CacheList;
  readonly location: Location;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window" }): Promise<readonly { readonly url: string }[]>;
  };
}

const worker = self as unknown as ServiceWorker;
const { version, files, pages } = worker.KEPT;
const FILES = `files-${version}`;
const PAGES = `pages-${version}`;
/** After this time without an answer a cached page is shown. */
const TIMEOUT_MS = 4_000;

worker.addEventListener("install", (event) => {
  (event as ExtendableEvent).waitUntil(install());
});

worker.addEventListener("activate", (event) => {
  (event as ExtendableEvent).waitUntil(activate());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event as FetchEvent;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith("/static/")) (event as FetchEvent).respondWith(cachedFile(request));
  else if (request.mode === "navigate" && isCacheable(pathname)) {
    (event as FetchEvent).respondWith(freshPage(request, pathname));
  }
});

/** Checks whether a page is cached: all that are the same for everybody but large files, so no games at the server. */
function isCacheable(pathname: string): boolean {
  return /^\/[a-z]{2}\//.test(pathname) && !/^\/[a-z]{2}\/game\/|\.pdf$/.test(pathname);
}

async function install(): Promise<void> {
  await (await caches.open(FILES)).addAll([...files]);
  const cache = await caches.open(PAGES);
  await Promise.all(pages.map(async (address) => refresh(cache, address)));
  await worker.skipWaiting();
}

/** Caches the pages of older versions anew, and deletes the older caches. */
async function activate(): Promise<void> {
  await worker.clients.claim();
  const cache = await caches.open(PAGES);
  for (const name of await caches.keys()) {
    if (name === FILES || name === PAGES) continue;
    if (name.startsWith("pages-")) {
      for (const old of await (await caches.open(name)).keys()) await refresh(cache, new URL(old.url).pathname);
    }
    await caches.delete(name);
  }
  // The open pages were loaded before the worker was active.
  for (const { url } of await worker.clients.matchAll({ type: "window" })) {
    const { pathname, search } = new URL(url);
    if (isCacheable(pathname) && !search) await refresh(cache, pathname);
  }
}

/** Caches a page as the server sends it now. */
async function refresh(cache: Cache, address: string): Promise<void> {
  try {
    const response = await fetch(address, { credentials: "same-origin" });
    if (response.ok && !response.redirected) await cache.put(address, response);
  } catch {
    // Offline: the page is cached when it is opened next.
  }
}

async function cachedFile(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Returns the page from the server if it answers in time, else from the cache. */
async function freshPage(request: Request, pathname: string): Promise<Response> {
  const cache = await caches.open(PAGES);
  const cached = await cache.match(pathname, { ignoreVary: true });
  const fresh = fetch(request).then(async (response) => {
    if (response.ok && !response.redirected && !new URL(request.url).search) {
      await cache.put(pathname, response.clone());
    }
    return response;
  });
  if (!cached) return fresh.catch(() => offlinePage(cache, pathname));
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(cached), TIMEOUT_MS));
  return Promise.race([fresh.catch(() => cached), late]);
}

async function offlinePage(cache: Cache, pathname: string): Promise<Response> {
  return (await cache.match(`${pathname.slice(0, 3)}/offline`, { ignoreVary: true })) ?? Response.error();
}

export {};
