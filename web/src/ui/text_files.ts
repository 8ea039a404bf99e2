// Texts that are opened as files or pasted: their size is limited before they are shown or sent.

import { LANGUAGE, t } from "../texts.ts";

/** Reads a text file, unpacked if it is gzip. Rejects with a sentence if it has more than `most` characters. */
export async function readTextFile(file: File, most: number): Promise<string> {
  const packed = /\.gz$/i.test(file.name);
  const bytes = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (let part = await reader.read(); !part.done && text.length <= most; part = await reader.read()) text += part.value;
  } catch {
    throw new Error(t("web.file.unreadable"));
  }
  await reader.cancel();
  if (checkedText(text, most).trim() === "") throw new Error(t("web.file.empty"));
  return text;
}

/** Returns a text that has at most so many characters; throws a sentence otherwise. */
export function checkedText(text: string, most: number): string {
  if (text.length > most) throw new Error(t("web.file.too_long", { most: most.toLocaleString(LANGUAGE) }));
  return text;
}
