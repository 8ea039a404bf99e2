// Copies a text to the clipboard, or saves a file.

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

export function downloadText(text: string, name: string, type: string): void {
  download(new File([text], name, { type }));
}

export function download(file: File): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
}
