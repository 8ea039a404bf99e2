// The worker that keeps the pages for times offline. The server writes what to keep before this script.

interface Kept {
  readonly version: string;
  readonly files: readonly string[];
  readonly pages: readonly string[];
}

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetched extends Extendable {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Worker extends EventTarget {
  readonly KEPT: Kept;
  readonly location: Location;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window" }): Promise<readonly { readonly url: string }[]>;
  };
}

const worker = self as unknown as Worker;
const { version, files, pages } = worker.KEPT;
const FILES = `files-${version}`;
const PAGES = `pages-${version}`;
const PATIENCE_MS = 4_000;

worker.addEventListener("install", (event) => {
  (event as Extendable).waitUntil(install());
});

worker.addEventListener("activate", (event) => {
  (event as Extendable).waitUntil(tidy());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event as Fetched;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (pathname.startsWith("/static/")) (event as Fetched).respondWith(file(request));
  else if (isPage(request, pathname)) (event as Fetched).respondWith(page(request, pathname));
});

function isPage(request: Request, pathname: string): boolean {
  return request.mode === "navigate" && isKept(pathname);
}

/** Pages of ours that are the same for everybody; games at the server are not among them. */
function isKept(pathname: string): boolean {
  return /^\/[a-z]{2}\//.test(pathname) && !/^\/[a-z]{2}\/game\//.test(pathname);
}

async function install(): Promise<void> {
  await (await caches.open(FILES)).addAll([...files]);
  const kept = await caches.open(PAGES);
  await Promise.all(pages.map(async (address) => keep(kept, address)));
  await worker.skipWaiting();
}

/** Takes over what was kept of visited pages, in its new form, and drops what is old. */
async function tidy(): Promise<void> {
  await worker.clients.claim();
  const kept = await caches.open(PAGES);
  for (const name of await caches.keys()) {
    if (name === FILES || name === PAGES) continue;
    if (name.startsWith("pages-")) {
      for (const old of await (await caches.open(name)).keys()) await keep(kept, new URL(old.url).pathname);
    }
    await caches.delete(name);
  }
  // The pages that are open came before there was a worker to keep them.
  for (const { url } of await worker.clients.matchAll({ type: "window" })) {
    const { pathname, search } = new URL(url);
    if (isKept(pathname) && !search) await keep(kept, pathname);
  }
}

async function keep(kept: Cache, address: string): Promise<void> {
  try {
    const response = await fetch(address, { credentials: "same-origin" });
    if (response.ok && !response.redirected) await kept.put(address, response);
  } catch {
    // Offline now: it is kept when it is next opened.
  }
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** The page from the server if it answers in time, else as it was kept. */
async function page(request: Request, pathname: string): Promise<Response> {
  const kept = await caches.open(PAGES);
  const old = await kept.match(pathname, { ignoreVary: true });
  const fresh = fetch(request).then(async (response) => {
    if (response.ok && !response.redirected && !new URL(request.url).search) {
      await kept.put(pathname, response.clone());
    }
    return response;
  });
  if (!old) return fresh.catch(() => instead(kept, pathname));
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(old), PATIENCE_MS));
  return Promise.race([fresh.catch(() => old), late]);
}

/** What is shown for a page that is not kept. */
async function instead(kept: Cache, pathname: string): Promise<Response> {
  return (await kept.match(`${pathname.slice(0, 3)}/offline`, { ignoreVary: true })) ?? Response.error();
}

export {};
