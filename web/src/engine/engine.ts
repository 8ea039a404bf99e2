// The engine in the browser: levels and analyses of any game under any rules, in a worker that is started on first use.

import startWorker from "hnefi-engine-worker.ts";
import wasmFile from "hnefi-engine.wasm";
import { loadedModule } from "../built_files.ts";
import type { Rules } from "../rules.ts";
import type { ChosenMove, EngineReport, EngineRequest, FromWorker, PlacedGame, SearchOptions, ToWorker } from "./protocol.ts";

export type { EngineReport, PlacedGame } from "./protocol.ts";

interface Task {
  readonly request: EngineRequest;
  readonly report: (report: EngineReport) => void;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/** With fewer positions a second, searched for at least this time, a device is slow: its moves would be weak. */
const SLOW_RATE = 60_000;
const LEAST_MEASURED_MS = 200;

let loading: Promise<BrowserEngine> | undefined;

/** The engine of a page. It answers one request after another. */
export class BrowserEngine {
  readonly #queue: Task[] = [];
  #worker: Worker | null = null;
  #running: Task | null = null;
  #isSlow = false;

  private constructor(private readonly module: WebAssembly.Module) {}

  /** Loads the engine once for the page. Rejects without a network if it was never loaded. */
  static load(): Promise<BrowserEngine> {
    loading ??= loadedModule(new URL(wasmFile, import.meta.url)).then(
      (module) => new BrowserEngine(module),
      (error: unknown) => {
        // Without a network it fails: then it may be tried again.
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }

  /**
   * Loads the engine where a server could search instead: null if this browser cannot run it, or was measured to be
   * slow.
   */
  static async loadIfFast(): Promise<BrowserEngine | null> {
    const engine = await BrowserEngine.load().catch(() => null);
    return engine && !engine.#isSlow ? engine : null;
  }

  /** Chooses a move at a level, 1 to 10. */
  async move(at: PlacedGame, level: number, signal?: AbortSignal): Promise<string> {
    const request = { ...at, do: "move", level, seed: String(Math.random()) } as const;
    const chosen = (await this.#ask(request, () => {}, signal)) as ChosenMove | null;
    if (!chosen) throw new Error("the game is over");
    this.#measure(chosen.analysis);
    return chosen.move;
  }

  /** Analyses a game: reports the best lines after every iteration, and returns the last ones; none if it is over. */
  async search(
    at: PlacedGame,
    options: SearchOptions,
    report: (report: EngineReport) => void,
    signal?: AbortSignal | null,
  ): Promise<EngineReport> {
    const request = { ...at, ...options, do: "analyse" } as const;
    const found = (await this.#ask(request, report, signal)) as EngineReport;
    this.#measure(found);
    return found;
  }

  /** Measures the speed of the device by a search. */
  #measure({ nodes, time_ms }: EngineReport): void {
    if (time_ms >= LEAST_MEASURED_MS) this.#isSlow = (1000 * nodes) / time_ms < SLOW_RATE;
  }

  #ask(request: EngineRequest, report: Task["report"], signal?: AbortSignal | null): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = () => this.#cancel(task, signal?.reason);
      const done = () => signal?.removeEventListener("abort", cancel);
      const task: Task = {
        request,
        report,
        resolve: (answer) => (done(), resolve(answer)),
        reject: (reason) => (done(), reject(reason)),
      };
      signal?.addEventListener("abort", cancel);
      this.#queue.push(task);
      this.#next();
    });
  }

  #cancel(task: Task, reason: unknown): void {
    const place = this.#queue.indexOf(task);
    if (place >= 0) this.#queue.splice(place, 1);
    else if (this.#running === task) this.#end();
    task.reject(reason);
    this.#next();
  }

  /** Ends the worker, and so its search. The next request starts another. */
  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#running = null;
  }

  #next(): void {
    if (this.#running) return;
    const task = this.#queue.shift();
    if (!task) return;
    this.#running = task;
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage({ request: task.request } satisfies ToWorker);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #start(): Worker {
    const worker = startWorker("hnefi-engine");
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.#hear(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#fail(new Error(event.message || "the engine could not be started"));
    });
    worker.postMessage({ module: this.module } satisfies ToWorker);
    return worker;
  }

  #hear(message: FromWorker): void {
    const task = this.#running;
    if (!task) return;
    if ("report" in message) return task.report(message.report);
    if ("failure" in message) return this.#fail(new Error(message.failure));
    this.#running = null;
    task.resolve(message.answer);
    this.#next();
  }

  /** Rejects the request in progress. The worker may be broken: it is not used again. */
  #fail(error: Error): void {
    const task = this.#running;
    this.#end();
    task?.reject(error);
    this.#next();
  }
}

/** Returns a game by its rules, the position it starts from (null for that of the rules), and its moves. */
export function placedGame(rules: Rules, start: string | null, moves: readonly string[]): PlacedGame {
  const tree = JSON.stringify(rules.facts.tree);
  return { tree, setup: start || null, moves };
}
