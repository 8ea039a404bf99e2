// The tabs beside the board.

import type { ComponentChildren } from "preact";
import { t } from "../../texts.ts";

const TABS = ["moves", "set_up", "records", "game"] as const;
export type Tab = (typeof TABS)[number];

interface Props {
  readonly tab: Tab;
  readonly show: (tab: Tab) => void;
  readonly children: ComponentChildren;
}

export function Tabs({ tab, show, children }: Props) {
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length];
    if (by === 0 || !next) return;
    event.preventDefault();
    show(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs bare" role="tablist" aria-label={t("web.analysis.parts")} onKeyDown={step}>
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === tab}
            aria-controls="part"
            tabIndex={name === tab ? 0 : -1}
            onClick={() => show(name)}
          >
            {t(`web.analysis.tab.${name}`)}
          </button>
        ))}
      </div>
      <div class="part" id="part" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {children}
      </div>
    </>
  );
}
