// The worker of the engine: the compiled search, one request at a time. A search in progress hears nothing: to cancel
// it, the page ends the worker.

import books from "hnefi-books.ts";
import data from "hnefi-engine.json";
import networks from "hnefi-networks.ts";
import { callCore, type CoreExports, loadedFile, textAt } from "../built_files.ts";
import type { EngineReport, EngineRequest, FromWorker, ToWorker } from "./protocol.ts";

/** For how long a search waits for a network or a book: a connection may stall for ever. */
const PATIENCE_MS = 5_000;

class Engine {
  readonly #exports: CoreExports;
  /** The files that were asked for, by their kind and rules. */
  readonly #asked = new Set<string>();

  constructor(module: WebAssembly.Module) {
    const report = (start: number, length: number) =>
      tell({ report: JSON.parse(textAt(this.#exports.memory, start, length)) as EngineReport });
    const now = () => performance.now();
    this.#exports = new WebAssembly.Instance(module, { hnefi: { now, report } }).exports as CoreExports;
    this.#call({ do: "weights", fitted: data.fitted });
  }

  /**
   * Loads the network for the rules of a request, and the opening book if the level plays from it. Without a network the
   * terms evaluate, without a book the level searches.
   */
  async load(request: EngineRequest): Promise<void> {
    const { tree } = request;
    if (request.weights === undefined) {
      await this.#loadOnce(`network ${tree}`, () => {
        const fitted = this.#call({ do: "fitted", tree }) as string | null;
        return [fitted === null ? undefined : networks[fitted], (network) => this.#call({ do: "network", fitted, network })];
      });
    }
    if (request.do === "move" && data.levels[request.level - 1]?.book) {
      await this.#loadOnce(`book ${tree}`, () => [
        books[this.#call({ do: "hash", tree }) as string],
        (book) => this.#call({ do: "book", tree, book }),
      ]);
    }
  }

  /** Loads a file once, and keeps it; `find` returns its address, if there is one, and what keeps it. */
  async #loadOnce(name: string, find: () => [string | undefined, (text: string) => void]): Promise<void> {
    if (this.#asked.has(name)) return;
    this.#asked.add(name);
    const [address, keep] = find();
    if (!address) return;
    try {
      const response = await loadedFile(new URL(address, import.meta.url), AbortSignal.timeout(PATIENCE_MS));
      if (response.ok) keep(await response.text());
    } catch {
      // Without a connection, or on one that stalls, it is asked for again with the next move.
      this.#asked.delete(name);
    }
  }

  answer(request: EngineRequest): unknown {
    if (request.do === "analyse") return this.#call(request);
    const level = data.levels[request.level - 1];
    if (!level) throw new RangeError(`level: ${request.level}, expected 1 to ${data.levels.length}`);
    return this.#call({ ...request, level });
  }

  #call(request: object): unknown {
    const text = callCore(this.#exports, request);
    const response = JSON.parse(text) as object;
    if ("ok" in response) return response.ok;
    throw new Error(text);
  }
}

let engine: Engine | undefined;

function tell(message: FromWorker): void {
  postMessage(message);
}

globalThis.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  try {
    if ("module" in data) engine = new Engine(data.module);
    else if (engine) {
      await engine.load(data.request);
      tell({ answer: engine.answer(data.request) });
    }
  } catch (error) {
    tell({ failure: String(error) });
  }
};
