// Records in and out: a text that is pasted or opened is read by the server, and the tree is written by it.

import { useState } from "preact/hooks";
import type { Failure, RecordFault, RecordsView, RecordTextRequest, RecordView } from "../messages.ts";
import { plural, t } from "../texts.ts";
import type { Study } from "./study.ts";
import { flatten, plyOf, START } from "./tree.ts";

interface Props {
  readonly study: Study;
  readonly open: (record: RecordView) => Promise<void>;
}

export async function asked(address: string, body: object, signal: AbortSignal | null = null): Promise<Response> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Error(((await response.json()) as Partial<Failure>).message ?? t("web.rejected"));
  return response;
}

/** Says what went wrong when the server was asked. */
export function troubleOf(error: unknown): string {
  return error instanceof TypeError ? t("web.analysis.no_connection") : (error as Error).message;
}

/** What a text of records holds. */
export async function readRecords(text: string, study: Study): Promise<RecordsView> {
  const { id: variant, switches } = study.facts;
  return (await asked("/api/records", { text, variant, switches })).json() as Promise<RecordsView>;
}

type Form = NonNullable<RecordTextRequest["form"]>;

// What a record may be written in, and how the names of such files end.
const FORMS: Readonly<Record<Form, string>> = { tafl: ".tafl", otg: ".otg", pgn: ".pgn", moves: ".txt" };

async function written({ facts, start, headers, tree }: Study, form: Form): Promise<string> {
  const { id: variant, switches } = facts;
  const comments = [...plyOf(tree, START).comments];
  const request: RecordTextRequest = {
    form,
    variant,
    switches: { ...switches },
    start,
    headers: [...headers],
    comments,
    plies: flatten(tree),
  };
  return (await asked("/api/records/text", request)).text();
}

export function Records({ study, open }: Props) {
  return (
    <div class="records">
      <ReadIn study={study} open={open} />
      <WriteOut study={study} />
    </div>
  );
}

function ReadIn({ study, open }: Props) {
  const [text, setText] = useState("");
  const [read, setRead] = useState<RecordsView | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const take = async (found: string) => {
    setTrouble(null);
    setRead(null);
    try {
      const records = await readRecords(found, study);
      setRead(records);
      const [only] = records.games;
      if (only && records.games.length === 1) await open(only);
    } catch (error) {
      setTrouble(troubleOf(error));
    }
  };
  const openFile = async (file: File | undefined) => {
    if (!file) return;
    const found = await file.text();
    setText(found);
    await take(found);
  };
  return (
    <section>
      <h2>{t("web.analysis.read")}</h2>
      <label class="record-text">
        <span>{t("web.analysis.read.text")}</span>
        <textarea rows={5} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" class="main" disabled={text.trim() === ""} onClick={() => void take(text)}>
          {t("web.analysis.read.go")}
        </button>
        <label class="button file">
          {t("web.analysis.read.file")}
          <input
            type="file"
            accept=".tafl,.otg,.pgn,.csv,.moves,.txt,text/plain"
            onChange={(event) => void openFile(event.currentTarget.files?.[0])}
          />
        </label>
      </div>
      <div role="status">
        {trouble && <p class="trouble">{trouble}</p>}
        {read && <Found read={read} open={open} />}
      </div>
    </section>
  );
}

function Found({ read, open }: { readonly read: RecordsView; readonly open: Props["open"] }) {
  const { games, faults } = read;
  return (
    <>
      <p>{plural("web.analysis.read.found", games.length)}</p>
      {games.length > 1 && (
        <ul class="found-games">
          {games.map((game) => (
            <li key={game.game}>
              <button type="button" onClick={() => void open(game)}>
                {titleOf(game)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {faults.length > 0 && <FaultList faults={faults} hasMany={games.length > 1} />}
    </>
  );
}

function FaultList({ faults, hasMany }: { readonly faults: readonly RecordFault[]; readonly hasMany: boolean }) {
  return (
    <>
      <p>{plural("web.analysis.read.faults", faults.length)}</p>
      <ul class="fault-list" tabIndex={0} aria-label={t("web.analysis.read.fault_list")}>
        {faults.map((fault, place) => (
          <li key={place}>
            {hasMany && `${t("web.analysis.read.game", { number: fault.game })} `}
            {fault.message}
          </li>
        ))}
      </ul>
    </>
  );
}

function titleOf({ game, headers }: RecordView): string {
  const header = (name: string) => headers.find((one) => one.name === name)?.value;
  const players = [header("Attackers"), header("Defenders")].filter((name) => name && name !== "?");
  const facts = [players.join(" – "), header("Event"), header("Date")].filter(Boolean);
  return `${t("web.analysis.read.game", { number: game })} ${facts.join(" · ")}`;
}

function WriteOut({ study }: { readonly study: Study }) {
  const [text, setText] = useState<string | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const [form, setForm] = useState<Form>("tafl");
  const write = async (use: (record: string) => Promise<string | null> | string | null) => {
    try {
      const record = await written(study, form);
      setText(record);
      setSaid(await use(record));
    } catch (error) {
      setSaid(troubleOf(error));
    }
  };
  const copy = async (record: string) => {
    try {
      await navigator.clipboard.writeText(record);
      return t("web.analysis.copied");
    } catch {
      return t("web.analysis.not_copied");
    }
  };
  const download = (record: string) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([record], { type: "text/plain;charset=utf-8" }));
    link.download = `${study.facts.id}${FORMS[form]}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
    return null;
  };
  return (
    <section>
      <h2>{t("web.analysis.write")}</h2>
      <label class="record-form">
        <span>{t("web.analysis.write.form")}</span>
        <select value={form} onChange={(event) => setForm(event.currentTarget.value as Form)}>
          {(Object.keys(FORMS) as Form[]).map((one) => (
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
      <p role="status">{said}</p>
      {text !== null && (
        <label class="record-text">
          <span>{t("web.analysis.write.text")}</span>
          <textarea rows={6} readOnly spellcheck={false} value={text} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
    </section>
  );
}
