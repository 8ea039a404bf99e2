// What leads away from the rules that are made: games by them, their file and string and link; and rules brought in.

import { useState } from "preact/hooks";
import { asked, troubleOf } from "../analysis/records.tsx";
import type { RulesRead, RulesView } from "../messages.ts";
import { LANGUAGE, t } from "../texts.ts";
import type { Rulebook } from "./rulebook.ts";

/** Games by the rules as they are. */
export function Playing({ book, view }: { readonly book: Rulebook; readonly view: RulesView }) {
  const { query } = view;
  // What has just been answered comes along: a link that is followed at once waits for the server to have told it.
  const follow = async (event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    if (!link || book.isSettled || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    await book.settled();
    if (book.trouble === null && link.isConnected) link.click();
  };
  return (
    <section class="playing" aria-labelledby="playing" onClick={(event) => void follow(event)}>
      <h2 id="playing">{t("page.editor.play")}</h2>
      <div class="buttons">
        {view.ok ? (
          <>
            <a class="button main" href={`/${LANGUAGE}/new?opponent=computer&${usually()}${query}`}>
              {t("web.analysis.play.computer")}
            </a>
            <a class="button" href={`/${LANGUAGE}/new?opponent=friend&${query}`}>
              {t("page.editor.play.friend")}
            </a>
            <a class="button" href={`/${LANGUAGE}/table?${query}`}>
              {t("page.editor.play.here")}
            </a>
            <a class="button" href={`/${LANGUAGE}/analysis?${query}`}>
              {t("page.editor.play.analyse")}
            </a>
          </>
        ) : (
          <button type="button" class="main" disabled>
            {t("web.analysis.play.computer")}
          </button>
        )}
      </div>
    </section>
  );
}

/** How somebody played the computer last: at which level, with which side. */
function usually(): string {
  const last = new URLSearchParams(localStorage.getItem("hnefi.new") ?? "");
  return ["level", "side"].map((name) => (last.has(name) ? `${name}=${last.get(name)}&` : "")).join("");
}

/** The rules as texts to keep and to send. */
export function Away({ book, view }: { readonly book: Rulebook; readonly view: RulesView }) {
  const link = `${location.origin}${book.address}`;
  return (
    <section class="away" aria-labelledby="away">
      <h2 id="away">{t("page.editor.away")}</h2>
      <TakeOut label={t("web.editor.link")} text={link} rows={3} />
      <TakeOut label={t("page.editor.away.toml")} text={view.toml} rows={5} file={view.file_name} />
      <TakeOut label={t("page.editor.away.opentafl")} text={view.opentafl} rows={3} />
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

interface TakeOutProps {
  readonly label: string;
  readonly text: string;
  readonly rows: number;
  /** The name of the file that it may be kept as. */
  readonly file?: string;
}

function TakeOut({ label, text, rows, file }: TakeOutProps) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(t("web.analysis.copied"));
    } catch {
      setSaid(t("web.editor.copy_yourself"));
    }
  };
  const keep = () => {
    const address = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
    Object.assign(document.createElement("a"), { href: address, download: file }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  };
  return (
    <div class="take-out">
      <label class="text">
        {label}
        <textarea readOnly rows={rows} spellcheck={false} value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="buttons">
        <button type="button" aria-label={t("web.editor.copy_of", { what: label })} onClick={() => void copy()}>
          {t("web.editor.copy")}
        </button>
        {file && (
          <button type="button" onClick={keep}>
            {t("web.editor.download")}
          </button>
        )}
        <span role="status">{said}</span>
      </div>
    </div>
  );
}

/** Takes rules that somebody has written down; gives what could not be taken over. */
export async function bringIn(book: Rulebook, text: string): Promise<readonly string[]> {
  const answer = await asked("/api/rules/read", { text, lang: LANGUAGE });
  const { variant, switches, name, notes } = (await answer.json()) as RulesRead;
  book.begin({ variant, wishes: switches, name });
  return notes;
}

/** Rules that somebody has written down become those of the page. */
export function BringIn({ book }: { readonly book: Rulebook }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState<readonly string[]>([]);
  const [isWrong, setWrong] = useState(false);
  const read = async (found: string) => {
    try {
      const notes = await bringIn(book, found);
      setWrong(false);
      setSaid([t("web.editor.read.done"), ...notes]);
    } catch (error) {
      setWrong(true);
      setSaid(troubleOf(error).split("\n"));
    }
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    const found = await file.text();
    setText(found);
    await read(found);
  };
  return (
    <section class="bring-in" aria-labelledby="bring-in">
      <h2 id="bring-in">{t("web.editor.read")}</h2>
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
        <ul class={isWrong ? "why-not" : "notes"}>
          {said.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </div>
    </section>
  );
}
