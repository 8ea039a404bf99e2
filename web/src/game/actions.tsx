// What can be done besides moving; what cannot be taken back is asked again, in its own place.

import { useState } from "preact/hooks";
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
  const answer = (isMeant: boolean) => {
    if (asked && isMeant) act(asked);
    setAsked(null);
  };
  if (asked) {
    return (
      <div class="actions asked" role="group" aria-label={t(`web.ask.${asked}`)}>
        <span>{t(`web.ask.${asked}`)}</span>
        <button type="button" class="main" onClick={() => answer(true)} ref={focus}>
          {t("web.yes")}
        </button>
        <button type="button" onClick={() => answer(false)}>
          {t("web.no")}
        </button>
      </div>
    );
  }
  return (
    <div class="actions">
      {actions.map(({ name, isEnabled, asks }) => (
        <button key={name} type="button" disabled={!isEnabled} onClick={() => (asks ? setAsked(name) : act(name))}>
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
