// Answers requests with the worker of the browser's engine: one request a line in, its last message a line out.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { files } = JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8"));

// The worker fetches networks beside its script; Node fetches no files.
globalThis.fetch = async (address) => new Response(readFileSync(address));

let reports = 0;
let took;
globalThis.postMessage = (message) => ("report" in message ? (reports += 1) : took({ ...message, reports }));
await import(pathToFileURL(`${folder}/${files["engine_worker.js"]}`).href);

took = (message) => {
  throw new Error(JSON.stringify(message));
};
const module = new WebAssembly.Module(readFileSync(`${folder}/${files["engine.wasm"]}`));
globalThis.onmessage({ data: { module } });

for await (const line of createInterface({ input: process.stdin })) {
  reports = 0;
  const answer = new Promise((resolve) => (took = resolve));
  globalThis.onmessage({ data: { request: JSON.parse(line) } });
  process.stdout.write(`${JSON.stringify(await answer)}\n`);
}
