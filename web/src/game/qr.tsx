// A link to be photographed; the server draws it, so that the page need not carry how.

import { useEffect, useState } from "preact/hooks";
import type { QrView } from "../messages.ts";
import { t } from "../texts.ts";

export function Qr({ text }: { readonly text: string }) {
  const [drawn, setDrawn] = useState<QrView | null>(null);
  useEffect(() => {
    const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text }) };
    fetch("/api/qr", sent).then(
      async (response) => response.ok && setDrawn((await response.json()) as QrView),
      () => undefined,
    );
  }, [text]);
  if (!drawn) return null;
  return (
    <svg class="qr" viewBox={`0 0 ${drawn.size} ${drawn.size}`} role="img" aria-label={t("web.qr")}>
      <path d={drawn.path} />
    </svg>
  );
}
