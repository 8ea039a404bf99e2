// A read-only text with a button that copies it.

import { useRef, useState } from "preact/hooks";
import { t } from "../texts.ts";
import { copyText } from "./text_export.ts";

export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    // If there is no clipboard, the text is selected at least.
    field.current?.select();
    setCopied(await copyText(text));
  };
  return (
    <div class="copy-field">
      <label>
        <span>{label}</span>
        <input ref={field} type="text" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()} aria-label={`${t("web.copy")}: ${label}`}>
        {t(isCopied ? "web.invite.copied" : "web.copy")}
      </button>
    </div>
  );
}
