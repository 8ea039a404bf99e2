// The edited rules as texts to copy, to download and to import: link, variant file, OpenTafl string.

import { useState } from "preact/hooks";
import { HAS_SERVER, pageAddress, sharedAddress } from "../../addresses.ts";
import { failureText, postJson } from "../../http.ts";
import type { RulesReadResponse, RulesView } from "../../messages.ts";
import { LANGUAGE, t } from "../../texts.ts";
import { copyText, downloadText } from "../../ui/text_export.ts";
import { checkedText, readTextFile } from "../../ui/text_files.ts";
import type { RulesDraft } from "./rules_draft.ts";

export function RulesExport({ draft, view }: { readonly draft: RulesDraft; readonly view: RulesView }) {
  const link = sharedAddress(draft.address);
  return (
    <section class="rules-export" aria-labelledby="rules-export">
      <h2 id="rules-export">{t("page.editor.away")}</h2>
      {HAS_SERVER && (
        <p>
          <a href={pageAddress(`rules/${draft.input.variant}?${draft.query}`)}>{t("page.editor.read")}</a>
        </p>
      )}
      <ExportedText label={t("web.editor.link")} text={link} rows={3} />
      {view.toml === "" ? (
        HAS_SERVER && <p class="note">{t("web.editor.away.offline")}</p>
      ) : (
        <>
          <ExportedText label={t("page.editor.away.toml")} text={view.toml} rows={5} file={view.file_name} />
          <ExportedText label={t("page.editor.away.opentafl")} text={view.opentafl} rows={3} />
        </>
      )}
      {view.gaps.length > 0 && (
        <>
          <p class="note">{t("page.editor.away.gaps")}</p>
          <ul class="ends">
            {view.gaps.map((gap) => (
              <li key={gap}>{gap}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface ExportedTextProps {
  readonly label: string;
  readonly text: string;
  readonly rows: number;
  /** The name of the file to download it as. */
  readonly file?: string;
}

function ExportedText({ label, text, rows, file }: ExportedTextProps) {
  const [message, setMessage] = useState("");
  const copy = async () => setMessage(t((await copyText(text)) ? "web.analysis.copied" : "web.editor.copy_yourself"));
  return (
    <div class="exported-text">
      <label class="text">
        {label}
        <textarea readOnly rows={rows} spellcheck={false} value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="buttons">
        <button type="button" aria-label={t("web.editor.copy_of", { what: label })} onClick={() => void copy()}>
          {t("web.editor.copy")}
        </button>
        {file && (
          <button type="button" onClick={() => downloadText(text, file, "application/toml")}>
            {t("web.editor.download")}
          </button>
        )}
        <span role="status">{message}</span>
      </div>
    </div>
  );
}

/** The most characters of a text of rules (`RulesReadRequest`). */
const LONGEST_RULES = 60_000;

/** Replaces the draft by the rules of a text. Returns sentences about what could not be imported. */
export async function importRules(draft: RulesDraft, text: string): Promise<readonly string[]> {
  const { variant, switches, name, notes } = await postJson<RulesReadResponse>("/api/rules/read", { text, lang: LANGUAGE });
  draft.setUndoable({ variant, changes: switches, name });
  return notes;
}

export function RulesImport({ draft }: { readonly draft: RulesDraft }) {
  const [text, setText] = useState("");
  const [messages, setMessages] = useState<readonly string[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const fail = (error: unknown) => {
    setFailed(true);
    setMessages(failureText(error).split("\n"));
  };
  const read = async (source: string) => {
    try {
      const notes = await importRules(draft, checkedText(source, LONGEST_RULES));
      setFailed(false);
      setMessages([t("web.editor.read.done"), ...notes]);
    } catch (error) {
      fail(error);
    }
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    try {
      const source = await readTextFile(file, LONGEST_RULES);
      setText(source);
      await read(source);
    } catch (error) {
      fail(error);
    }
  };
  return (
    <section class="rules-import" aria-labelledby="rules-import">
      <h2 id="rules-import">{t("web.editor.read")}</h2>
      <label class="text">
        {t("web.editor.read.text")}
        <textarea rows={4} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" disabled={text.trim() === ""} onClick={() => void read(text)}>
          {t("web.editor.read.go")}
        </button>
        <label class="button file">
          {t("web.editor.read.file")}
          <input type="file" accept=".toml,.txt,text/plain" onChange={(event) => void open(event.currentTarget.files?.[0])} />
        </label>
      </div>
      <div role="status">
        <ul class={hasFailed ? "fault" : "notes"}>
          {messages.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}
