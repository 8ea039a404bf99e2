// A link as a QR code, which the server draws.

import { useEffect, useState } from "preact/hooks";
import { postJson } from "../http.ts";
import type { QrView } from "../messages.ts";
import { t } from "../texts.ts";

export function Qr({ text }: { readonly text: string }) {
  const [code, setCode] = useState<QrView | null>(null);
  useEffect(() => {
    // The link stands beside it: nothing is lost without the picture.
    postJson<QrView>("/api/qr", { text }).then(setCode, () => undefined);
  }, [text]);
  if (!code) return null;
  return (
    <svg class="qr" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={t("web.qr")}>
      <path d={code.path} />
    </svg>
  );
}
