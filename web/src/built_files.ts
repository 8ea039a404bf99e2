// Files of the build that scripts load: networks, opening books, and WebAssembly with the way to call it.

/**
 * Loads a file. Sites of static files, and scripts that have files in them, have those compressed with gzip: their first
 * bytes tell, since hosts disagree about its type, and some decompress it.
 */
export async function loadedFile(address: URL, signal: AbortSignal | null = null): Promise<Response> {
  const response = await fetch(address, { signal });
  if (!response.ok || isStreamable(response)) return response;
  const bytes = await response.arrayBuffer();
  const [first, second] = new Uint8Array(bytes);
  if (first !== 0x1f || second !== 0x8b) return new Response(bytes);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

/** Loads and compiles WebAssembly. */
export async function loadedModule(address: URL): Promise<WebAssembly.Module> {
  const response = await loadedFile(address);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return isStreamable(response) ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** Checks whether WebAssembly is compiled while it is loaded: hosts that do not know its type prevent it. */
function isStreamable(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/wasm") ?? false;
}

export interface CoreExports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory;
  hnefi_alloc(length: number): number;
  hnefi_free(start: number, length: number): void;
  hnefi_call(start: number, length: number): bigint;
}

/** Sends a request to the compiled core; returns the text of the response. Both are JSON. */
export function callCore({ memory, hnefi_alloc, hnefi_call, hnefi_free }: CoreExports, request: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(request));
  const start = hnefi_alloc(bytes.length);
  new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
  const packed = BigInt.asUintN(64, hnefi_call(start, bytes.length));
  const [address, length] = [Number(packed >> 32n), Number(packed & 0xffffffffn)];
  const text = textAt(memory, address, length);
  hnefi_free(address, length);
  return text;
}

export function textAt(memory: WebAssembly.Memory, start: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, start, length));
}
