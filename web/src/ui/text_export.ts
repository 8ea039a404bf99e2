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

/** Characters that names of files may not have. */
const NOT_IN_FILES = /[\\/:*?"<>|]/g;

export function fileName(name: string): string {
  return name.replace(NOT_IN_FILES, "");
}

export function downloadText(text: string, name: string, type: string): void {
  download(new File([text], fileName(name), { type }));
}

export function download(file: File): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(href), RELEASE_MS);
}
