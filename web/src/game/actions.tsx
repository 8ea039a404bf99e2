// The buttons besides moving. What cannot be undone is confirmed in the same place.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import type { Action, ActionName } from "./source.ts";

const ICONS: Partial<Record<ActionName, IconName>> = { undo: "undo", draw: "draw", resign: "resign", hint: "hint" };

interface Props {
  readonly actions: readonly Action[];
  readonly act: (name: ActionName) => void;
}

export function Actions({ actions, act }: Props) {
  const [toConfirm, setToConfirm] = useState<ActionName | null>(null);
  /** The button that was pressed last: it gets the focus again when it is back. */
  const lastPressed = useRef<ActionName | null>(null);
  // The action may have become impossible in the meantime.
  const isOpen = actions.some(({ name, isEnabled }) => name === toConfirm && isEnabled);
  useLayoutEffect(() => {
    if (!isOpen) setToConfirm(null);
  }, [isOpen]);
  const row = useRef<HTMLDivElement>(null);
  /** Whether the focus is in the row: it stays there when the button that had it is replaced. */
  const hasFocus = useRef(false);
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) row.current?.focus({ preventScroll: true });
    hasFocus.current = row.current?.contains(document.activeElement) ?? false;
  });
  const onFocusIn = () => {
    hasFocus.current = true;
  };
  const askFor = (name: ActionName) => {
    lastPressed.current = name;
    setToConfirm(name);
  };
  const answer = (event: MouseEvent, isConfirmed: boolean) => {
    if (isDoubleClick(event)) return;
    if (toConfirm && isConfirmed) act(toConfirm);
    setToConfirm(null);
  };
  const place = { ref: row, tabIndex: -1, onFocusIn, onKeyDown: ignoreKeyRepeat };
  if (toConfirm && isOpen) {
    return (
      <div {...place} class="actions confirming" role="group" aria-label={t(`web.ask.${toConfirm}`)}>
        <span>{t(`web.ask.${toConfirm}`)}</span>
        <button type="button" class="main" onClick={(event) => answer(event, true)} ref={focus}>
          {t("web.yes")}
        </button>
        <button type="button" onClick={(event) => answer(event, false)}>
          {t("web.no")}
        </button>
      </div>
    );
  }
  return (
    <div {...place} class="actions">
      {actions.map(({ name, isEnabled, needsConfirmation }) => (
        <button
          key={name}
          type="button"
          disabled={!isEnabled}
          ref={name === lastPressed.current ? focus : null}
          onClick={(event) => (!needsConfirmation ? act(name) : isDoubleClick(event) || askFor(name))}
        >
          {ICONS[name] && <Icon name={ICONS[name]} />}
          {t(`web.action.${name}`)}
        </button>
      ))}
    </div>
  );
}

function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Checks whether a click is the second of a double click: it was meant for the button that stood here before. */
function isDoubleClick({ detail }: MouseEvent): boolean {
  return detail > 1;
}

/** Makes a key that is held down press once: else it would answer the question, too. */
function ignoreKeyRepeat(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}
