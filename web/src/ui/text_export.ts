// Copies a text to the clipboard, or saves it as a file.

/** Copies a text. Returns false if the browser refuses: without a secure page there is no clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const RELEASE_MS = 10_000;

export function downloadText(text: string, fileName: string, mediaType: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: mediaType }));
  Object.assign(document.createElement("a"), { href, download: fileName }).click();
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
}
