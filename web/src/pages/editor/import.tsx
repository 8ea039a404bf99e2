// Imports rules from a text: a variant file, an OpenTafl string, or a link.

import { useState } from "preact/hooks";
import { failureText, postJson } from "../../http.ts";
import type { RulesReadResponse } from "../../messages.ts";
import { LANGUAGE, t } from "../../texts.ts";
import { checkedText, readTextFile } from "../../ui/text_files.ts";
import type { RulesDraft } from "./rules_draft.ts";

/** The most characters of a text of rules (`RulesReadRequest`). */
const LONGEST_RULES = 60_000;

/** Replaces the draft by the rules of a text. Returns sentences about what could not be imported. */
export async function importRules(draft: RulesDraft, text: string): Promise<readonly string[]> {
  const { variant, switches, name, notes } = await postJson<RulesReadResponse>("/api/rules/read", { text, lang: LANGUAGE });
  draft.begin({ variant, changes: switches, name });
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
