// The buttons besides moving. What cannot be undone is confirmed in the same place.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import type { Action, ActionName } from "./source.ts";

const ICONS: Partial<Record<ActionName, IconName>> = { undo: "undo", draw: "draw", resign: "resign", hint: "hint" };

/** Actions whose question is answered with the action itself, or by playing on. */
const ENDS: readonly ActionName[] = ["resign", "abort"];

interface Props {
  readonly actions: readonly Action[];
  readonly act: (name: ActionName) => void;
}

export function Actions({ actions, act }: Props) {
  const [toConfirm, setToConfirm] = useState<ActionName | null>(null);
  /** The button that was pressed last: it gets the focus again when it is back. */
  const lastPressed = useRef<ActionName | null>(null);
  // The question waits while its action is impossible for a moment, and ends when it is no longer offered.
  const asked = actions.find(({ name }) => name === toConfirm);
  const isOpen = asked !== undefined;
  useLayoutEffect(() => {
    if (!isOpen) setToConfirm(null);
  }, [isOpen]);
  const isSettled = useSettled(isOpen);
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
  const canAnswer = isSettled && (asked?.isEnabled ?? false);
  const confirm = (event: MouseEvent) => {
    // A key is not pressed by mistake: it need not wait.
    if (!asked?.isEnabled || (!isSettled && event.detail > 0)) return;
    act(asked.name);
    setToConfirm(null);
    // The button of the next game was not pressed.
    if (ENDS.includes(asked.name)) lastPressed.current = null;
  };
  const decline = (event: MouseEvent) => (isSettled || event.detail === 0) && setToConfirm(null);
  const place = { ref: row, tabIndex: -1, onFocusIn, onKeyDown: ignoreKeyRepeat };
  if (toConfirm && isOpen) {
    const question = asked.question ?? t(`web.ask.${toConfirm}`);
    const isEnd = ENDS.includes(toConfirm);
    return (
      <div {...place} class="actions confirming" role="group" aria-label={question}>
        <span>{question}</span>
        <button type="button" aria-disabled={!canAnswer} onClick={confirm} ref={focus}>
          {t(isEnd ? `web.action.${toConfirm}` : "web.yes")}
        </button>
        <button type="button" aria-disabled={!isSettled} onClick={decline}>
          {t(isEnd ? "web.keep_playing" : "web.no")}
        </button>
      </div>
    );
  }
  return (
    <div {...place} class="actions" role="group" aria-label={t("web.voice.actions")}>
      {actions.map(({ name, isEnabled, needsConfirmation }) => (
        <button
          key={name}
          class={name}
          type="button"
          // A button that is really disabled loses the focus.
          aria-disabled={!isEnabled}
          ref={name === lastPressed.current ? focus : null}
          // The second click of a double click was meant for the button that stood here before.
          onClick={({ detail }) => isEnabled && (!needsConfirmation ? act(name) : detail > 1 || askFor(name))}
        >
          {ICONS[name] && <Icon name={ICONS[name]} />}
          {t(`web.action.${name}`)}
        </button>
      ))}
    </div>
  );
}

/** The buttons of a question look disabled for this time: the second click of a double click is meant for none. */
const SETTLING_MS = 500;

/** Checks whether a question has been open long enough to be answered by a click. */
function useSettled(isOpen: boolean): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    setSettled(false);
    if (!isOpen) return;
    const timer = setTimeout(() => setSettled(true), SETTLING_MS);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return isOpen && isSettled;
}

function focus(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** Makes a key that is held down press once: else it would answer the question, too. */
function ignoreKeyRepeat(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}
