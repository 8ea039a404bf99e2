// Files of the build that scripts load: WebAssembly, networks, opening books.

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

/** Checks whether WebAssembly is compiled while it is loaded: hosts that do not know its type prevent it. */
export function isStreamable(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("application/wasm") ?? false;
}
