// A read-only text with a button that copies it.

import { useRef, useState } from "preact/hooks";
import { inSentence, t } from "../texts.ts";
import { copyText } from "./text_export.ts";

/** Shows a text with a button that copies it, and says so until the text changes. */
export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, setCopied] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    // If there is no clipboard, the text is selected at least.
    field.current?.select();
    setCopied((await copyText(text)) ? text : null);
  };
  const caption = t(copied === text ? "web.invite.copied" : "web.copy");
  return (
    <div class="copy-field">
      <label>
        <span>{label}</span>
        <input ref={field} type="text" readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={t("web.copy.what", { action: caption, text: inSentence(label) })}
      >
        {caption}
      </button>
      <span class="unseen" role="status">
        {copied === text && caption}
      </span>
    </div>
  );
}
