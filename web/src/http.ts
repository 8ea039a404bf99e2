// The HTTP client of all pages: JSON out, JSON in, failures as sentences in the language of the page.

import { HAS_SERVER } from "./addresses.ts";
import type { Failure } from "./messages.ts";
import { LANGUAGE, t } from "./texts.ts";

const NO_CONTENT = 204;

/** A request that the server refused: the sentence, and the code and the facts behind it. */
export class RequestError extends Error {
  readonly code: string;
  readonly facts: Readonly<Record<string, string>>;

  constructor({ message, code, facts }: Partial<Failure>) {
    super(message ?? t("web.rejected"));
    this.code = code ?? "";
    this.facts = facts ?? {};
  }
}

/** Gets JSON from an address. Rejects if the server refuses; `failureText` returns the reason. */
export async function getJson<T>(address: string, signal: AbortSignal | null = null): Promise<T> {
  return (await send(address, { signal })).json() as Promise<T>;
}

/** Gets text from an address. */
export async function getText(address: string): Promise<string> {
  return (await send(address, {})).text();
}

/** Posts JSON, or nothing, and returns the JSON of the response. */
export async function postJson<T>(address: string, body?: object, signal: AbortSignal | null = null): Promise<T> {
  return (await sendBody("POST", address, body, signal)).json() as Promise<T>;
}

/** Changes or deletes what is at an address; returns the JSON of the response, null if it has none. */
export async function changeJson<T>(method: "PATCH" | "DELETE", address: string, body?: object): Promise<T | null> {
  const response = await sendBody(method, address, body, null);
  return response.status === NO_CONTENT ? null : (response.json() as Promise<T>);
}

/** Posts JSON and iterates over a response of one JSON object per line, as the lines arrive. */
export async function* postForLines<T>(address: string, body: object, signal: AbortSignal | null): AsyncGenerator<T> {
  const stream = (await sendBody("POST", address, body, signal)).body as ReadableStream<BufferSource>;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      const value = JSON.parse(line) as T | Failure;
      if (isFailure(value)) throw new Error(value.message || t("web.rejected"));
      yield value;
    }
  }
}

let noConnectionKey = HAS_SERVER ? "web.no_connection" : "web.no_server";

/** Sets the text for failures without a connection: pages differ in what works without one. */
export function setNoConnectionText(key: string): void {
  if (HAS_SERVER) noConnectionKey = key;
}

/** Returns the failure of a request as a sentence. */
export function failureText(error: unknown): string {
  // `fetch` rejects with a TypeError if the server cannot be reached, and `send` if there is none.
  return error instanceof TypeError ? t(noConnectionKey) : (error as Error).message;
}

function sendBody(method: string, address: string, body: object | undefined, signal: AbortSignal | null): Promise<Response> {
  if (!body) return send(address, { method, signal });
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  return send(address, { method, headers, body: JSON.stringify(body), signal });
}

async function send(address: string, init: RequestInit): Promise<Response> {
  if (!HAS_SERVER) throw new TypeError("no server");
  const response = await fetch(address, { ...init, headers: { "Accept-Language": LANGUAGE, ...init.headers } });
  if (response.ok) return response;
  // A proxy in front of the server may answer with something else than JSON.
  const failure = (await response.json().catch(() => ({}))) as Partial<Failure>;
  throw new RequestError(failure);
}

function isFailure(value: unknown): value is Failure {
  return value !== null && typeof value === "object" && "code" in value;
}
