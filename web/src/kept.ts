// How much the service worker keeps for use offline.

export interface KeptState {
  /** How many files and bundles of pages are missing. */
  readonly missing: number;
  readonly all: number;
  /** The languages in which nothing is missing. */
  readonly languages: readonly string[];
}

/** Asks the service worker how much it keeps; `keep` makes it fetch what is missing first. */
export async function keptState(question: "state" | "keep"): Promise<KeptState> {
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener("message", ({ data }) => resolve(data as KeptState), { once: true });
    port1.start();
    active?.postMessage(question, [port2]);
  });
}
