// Game records as text: the server parses and writes them.

import { postForText, postJson } from "../http.ts";
import type { RecordsView, RecordTextRequest } from "../messages.ts";
import { flatten, plyOf, START } from "./move_tree.ts";
import type { Study } from "./study.ts";

export type RecordFormat = NonNullable<RecordTextRequest["form"]>;

/** The formats that records are written in, with the endings of their files. */
export const FILE_ENDINGS: Readonly<Record<RecordFormat, string>> = {
  tafl: ".tafl",
  otg: ".otg",
  pgn: ".pgn",
  moves: ".txt",
};

/** Parses a text of records. */
export function readRecords(text: string, study: Study): Promise<RecordsView> {
  const { id: variant, switches } = study.facts;
  return postJson("/api/records", { text, variant, switches });
}

/** Writes the moves of a study as a record. */
export function writeRecord({ facts, start, headers, tree }: Study, format: RecordFormat): Promise<string> {
  const request: RecordTextRequest = {
    form: format,
    variant: facts.id,
    switches: { ...facts.switches },
    start,
    headers: [...headers],
    comments: [...plyOf(tree, START).comments],
    plies: flatten(tree),
  };
  return postForText("/api/records/text", request);
}
