// What can be done besides moving; what cannot be taken back is asked again, in its own place.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts.ts";
import { Icon, type IconName } from "./icons.tsx";
import type { Action, ActionName } from "./source.ts";

const ICONS: Partial<Record<ActionName, IconName>> = { undo: "undo", draw: "draw", resign: "resign", hint: "hint" };

interface Props {
  readonly actions: readonly Action[];
  readonly act: (name: ActionName) => void;
}

export function Actions({ actions, act }: Props) {
  const [asked, setAsked] = useState<ActionName | null>(null);
  /** The button that asked last, which has the keyboard again when it is back. */
  const asker = useRef<ActionName | null>(null);
  // What could be done when it was asked may be over by now: then nothing is asked any more.
  const isOpen = actions.some(({ name, isEnabled }) => name === asked && isEnabled);
  useLayoutEffect(() => {
    if (!isOpen) setAsked(null);
  }, [isOpen]);
  const row = useRef<HTMLDivElement>(null);
  /** Whether the keyboard is here: when its button goes with what was asked or answered, it stays in its place. */
  const isHere = useRef(false);
  useLayoutEffect(() => {
    if (isHere.current && document.activeElement === document.body) row.current?.focus({ preventScroll: true });
    isHere.current = row.current?.contains(document.activeElement) ?? false;
  });
  const come = () => {
    isHere.current = true;
  };
  const ask = (name: ActionName) => {
    asker.current = name;
    setAsked(name);
  };
  const answer = (event: MouseEvent, isMeant: boolean) => {
    if (isSecond(event)) return;
    if (asked && isMeant) act(asked);
    setAsked(null);
  };
  const place = { ref: row, tabIndex: -1, onFocusIn: come, onKeyDown: holdBack };
  if (asked && isOpen) {
    return (
      <div {...place} class="actions asked" role="group" aria-label={t(`web.ask.${asked}`)}>
        <span>{t(`web.ask.${asked}`)}</span>
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
      {actions.map(({ name, isEnabled, asks }) => (
        <button
          key={name}
          type="button"
          disabled={!isEnabled}
          ref={name === asker.current ? focus : null}
          onClick={(event) => (!asks ? act(name) : isSecond(event) || ask(name))}
        >
          {ICONS[name] && <Icon name={ICONS[name]} />}
          {t(`web.action.${name}`)}
        </button>
      ))}
    </div>
  );
}

/** Takes the keyboard along: what was pressed is gone, and this has come in its place. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Whether a click is the second half of a double click, which was meant for what stood there before. */
function isSecond({ detail }: MouseEvent): boolean {
  return detail > 1;
}

/** A key that is held down presses once: the question would be answered before it is read. */
function holdBack(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}
