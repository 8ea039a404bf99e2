// The tab for records: reads a pasted or opened text, and writes the moves as one.

import { useEffect, useRef, useState } from "preact/hooks";
import { failureText } from "../../http.ts";
import type { RecordFault, RecordGap, RecordsView, RecordTextView, RecordView } from "../../messages.ts";
import { displayedName, plural, t } from "../../texts.ts";
import { copyText, downloadText } from "../../ui/text_export.ts";
import { readTextFile } from "../../ui/text_files.ts";
import { fileTitle } from "../../variants.ts";
import { FILE_ENDINGS, LONGEST_RECORDS, type RecordFormat, readRecords, writeRecord } from "./record_files.ts";
import { dateText } from "./studies.tsx";
import type { Study } from "./study.ts";

interface Props {
  readonly study: Study;
  readonly open: (record: RecordView) => Promise<void>;
  /** Shows the moves of the only game of a text of which nothing is faulty or lost. */
  readonly showMoves: () => void;
}

export function RecordImport({ study, open, showMoves }: Props) {
  const [text, setText] = useState("");
  const [records, setRecords] = useState<RecordsView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const status = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (records || failure) status.current?.scrollIntoView({ block: "nearest" });
  }, [records, failure]);
  const read = async (source: string) => {
    setFailure(null);
    setRecords(null);
    try {
      const view = await readRecords(source, study);
      const only = view.games.length === 1 ? view.games[0] : undefined;
      if (only) await open(only);
      // The list says that games are loaded: an only game is on the board by then.
      setRecords(view);
      if (only && view.faults.length + view.gaps.length === 0) showMoves();
    } catch (error) {
      setFailure(failureText(error));
    }
  };
  const openFile = async (file: File | undefined) => {
    if (!file) return;
    setRecords(null);
    setFailure(null);
    try {
      const source = await readTextFile(file, LONGEST_RECORDS);
      setText(source);
      await read(source);
    } catch (error) {
      setFailure(failureText(error));
    }
  };
  return (
    <section>
      <h2>{t("web.analysis.read")}</h2>
      <label class="record-text">
        <span>{t("web.analysis.read.text")}</span>
        <textarea rows={5} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div role="status" ref={status}>
        {failure && <p class="failure">{failure}</p>}
        {records && <RecordList records={records} open={open} />}
      </div>
      <div class="buttons">
        <button type="button" class="main" disabled={text.trim() === ""} onClick={() => void read(text)}>
          {t("web.analysis.read.go")}
        </button>
        <label class="button file">
          {t("web.analysis.read.file")}
          <input
            type="file"
            accept=".tafl,.otg,.pgn,.csv,.jsonl,.moves,.txt,.gz,text/plain"
            onChange={(event) => void openFile(event.currentTarget.files?.[0])}
          />
        </label>
      </div>
    </section>
  );
}

function RecordList({ records, open }: { readonly records: RecordsView; readonly open: Props["open"] }) {
  const { games, faults, remarks, gaps } = records;
  return (
    <>
      {games.length > 0 && <p>{plural("web.analysis.read.found", games.length)}</p>}
      {games.length > 1 && (
        <ul class="record-list">
          {games.map((game) => (
            <li key={game.game}>
              <button type="button" onClick={() => void open(game)}>
                {titleOf(game)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {faults.length > 0 && <FaultList faults={faults} kind="faults" hasMany={games.length > 1} />}
      {remarks.length > 0 && <FaultList faults={remarks} kind="remarks" hasMany={games.length > 1} />}
      <GapList gaps={gaps} title={t("web.analysis.read.gaps")} />
    </>
  );
}

interface FaultListProps {
  readonly faults: readonly RecordFault[];
  readonly kind: "faults" | "remarks";
  readonly hasMany: boolean;
}

const MOST_FAULTS = 10;

function FaultList({ faults, kind, hasMany }: FaultListProps) {
  return (
    <>
      {faults.length > 1 && <p>{plural(`web.analysis.read.${kind}`, faults.length)}</p>}
      <ul class="fault-list" tabIndex={0} aria-label={t(`web.analysis.read.${kind}_list`)}>
        {faults.slice(0, MOST_FAULTS).map((fault, place) => (
          <li key={place}>
            {hasMany && `${t("web.analysis.read.game", { number: fault.game })} `}
            {fault.message.replaceAll("`", "")}
          </li>
        ))}
      </ul>
      {faults.length > MOST_FAULTS && <p>{plural("web.analysis.read.more", faults.length - MOST_FAULTS)}</p>}
    </>
  );
}

/** Lists what is lost in reading or writing; nothing if all is kept. */
function GapList({ gaps, title }: { readonly gaps: readonly RecordGap[]; readonly title: string }) {
  if (gaps.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul class="fault-list" tabIndex={0} aria-label={title}>
        {gaps.map(({ message }) => (
          <li key={message}>{message.replaceAll("`", "")}</li>
        ))}
      </ul>
    </>
  );
}

function titleOf({ game, headers }: RecordView): string {
  const header = (name: string) => headers.find((one) => one.name === name)?.value;
  const names = [header("Attackers"), header("Defenders")].filter((name) => name && name !== "?");
  const facts = [names.map((name = "") => displayedName(name)).join(" – "), header("Event"), dateText(header("Date") ?? "")].filter(Boolean);
  return `${t("web.analysis.read.game", { number: game })} ${facts.join(" · ")}`;
}

export function RecordExport({ study }: Pick<Props, "study">) {
  const [written, setWritten] = useState<RecordTextView | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const [format, setFormat] = useState<RecordFormat>("tafl");
  const write = async (use: (record: string) => Promise<string | null> | null) => {
    try {
      const record = await writeRecord(study, format);
      setWritten(record);
      setMessage(await use(record.text));
    } catch (error) {
      setMessage(failureText(error));
    }
  };
  const copy = async (record: string) => t((await copyText(record)) ? "web.analysis.copied" : "web.analysis.not_copied");
  const download = (record: string) => {
    downloadText(record, `${fileTitle(study.facts)}${FILE_ENDINGS[format]}`, "text/plain;charset=utf-8");
    return null;
  };
  return (
    <section>
      <h2>{t("web.analysis.write")}</h2>
      <label class="record-format">
        <span>{t("web.analysis.write.form")}</span>
        <select value={format} onChange={(event) => setFormat(event.currentTarget.value as RecordFormat)}>
          {(Object.keys(FILE_ENDINGS) as RecordFormat[]).map((one) => (
            <option key={one} value={one}>
              {t(`web.analysis.form.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <div class="buttons">
        <button type="button" onClick={() => void write(copy)}>
          {t("web.analysis.write.copy")}
        </button>
        <button type="button" onClick={() => void write(download)}>
          {t("web.analysis.write.download")}
        </button>
      </div>
      <p role="status">{message}</p>
      {written && <GapList gaps={written.gaps} title={t("web.analysis.write.gaps")} />}
      {written && (
        <label class="record-text">
          <span>{t("web.analysis.write.text")}</span>
          <textarea rows={6} readOnly spellcheck={false} value={written.text} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
    </section>
  );
}
