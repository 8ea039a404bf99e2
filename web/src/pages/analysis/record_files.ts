// Game records as text: the server parses and writes them; without a connection those in the format of Hnefi are read here.

import { postJson } from "../../http.ts";
import type { RecordsView, RecordTextRequest, RecordTextView } from "../../messages.ts";
import { flatten, plyOf, START } from "./move_tree.ts";
import { t } from "../../texts.ts";
import { checkedText } from "../../ui/text_files.ts";
import type { Study } from "./study.ts";

export type RecordFormat = NonNullable<RecordTextRequest["form"]>;

/** The formats that records are written in, with the endings of their files. */
export const FILE_ENDINGS: Readonly<Record<RecordFormat, string>> = {
  tafl: ".tafl",
  otg: ".otg",
  pgn: ".pgn",
  moves: ".txt",
};

/** The most characters of a text of records (`RecordRequest`). */
export const LONGEST_RECORDS = 300_000;

/** Parses a text of records. */
export async function readRecords(text: string, study: Study): Promise<RecordsView> {
  const { id: variant, switches } = study.facts;
  checkedText(text, LONGEST_RECORDS);
  try {
    return await postJson("/api/records", { text, variant, switches });
  } catch (error) {
    // `fetch` rejects with a TypeError if the server cannot be reached.
    if (!(error instanceof TypeError)) throw error;
    const { parseRecords } = await import("./native_record.ts");
    const records = await parseRecords(text);
    if (!records) throw new Error(t("web.analysis.read.offline"));
    return records;
  }
}

/** Writes the moves of a study as a record. */
export async function writeRecord(study: Study, format: RecordFormat): Promise<RecordTextView> {
  const { facts, start, headers, tree } = study;
  const request: RecordTextRequest = {
    form: format,
    variant: facts.id,
    switches: { ...facts.switches },
    start,
    headers: [...headers],
    comments: [...plyOf(tree, START).comments],
    plies: flatten(tree),
  };
  try {
    return await postJson("/api/records/text", request);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (format !== "tafl") throw new Error(t("web.analysis.write.offline"));
    const { formatRecord } = await import("./native_record.ts");
    return { text: formatRecord(study), gaps: [] };
  }
}
