// The edited rules as texts to copy and to download: link, variant file, OpenTafl string.

import { useState } from "preact/hooks";
import { HAS_SERVER, pageAddress } from "../../addresses.ts";
import type { RulesView } from "../../messages.ts";
import { t } from "../../texts.ts";
import { copyText, downloadText } from "../../ui/text_export.ts";
import type { RulesDraft } from "./rules_draft.ts";

export function RulesExport({ draft, view }: { readonly draft: RulesDraft; readonly view: RulesView }) {
  const link = `${location.origin}${draft.address}`;
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
