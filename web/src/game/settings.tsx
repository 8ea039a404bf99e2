// The settings of boards in this browser, as a dialog.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts.ts";
import type { Settings } from "./hooks.ts";

const BOARDS = ["auto", "wood", "stone", "contrast", "runic"] as const;
const PIECES = ["wood", "stone", "contrast", "runic"] as const;
const FLAGS = ["sounds", "coordinates", "confirm", "opposite"] as const;

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly settings: Settings;
  readonly change: (changed: Partial<Settings>) => void;
  readonly rules: string | null;
  readonly carry?: (() => Promise<string>) | undefined;
}

export function SettingsDialog({ isOpen, close, settings, change, rules, carry }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <dialog ref={dialog} class="settings" aria-labelledby="settings-title" onClose={close}>
      <form method="dialog">
        <h2 id="settings-title">{t("web.settings")}</h2>
        <fieldset class="choice">
          <legend>{t("web.settings.board")}</legend>
          {BOARDS.map((name) => (
            <label key={name}>
              <input type="radio" name="board" checked={settings.board === name} onChange={() => change({ board: name })} />
              {t(`web.board.${name}`)}
            </label>
          ))}
        </fieldset>
        <fieldset class="choice">
          <legend>{t("web.settings.pieces")}</legend>
          {PIECES.map((name) => (
            <label key={name}>
              <input type="radio" name="pieces" checked={settings.pieces === name} onChange={() => change({ pieces: name })} />
              {t(`web.pieces.${name}`)}
            </label>
          ))}
        </fieldset>
        {FLAGS.map((name) => (
          <label key={name} class="tick">
            <input
              type="checkbox"
              checked={settings[name]}
              onChange={(event) => change({ [name]: event.currentTarget.checked })}
            />
            {t(`web.settings.${name}`)}
          </label>
        ))}
        {carry && <Carrying carry={carry} />}
        <div class="buttons">
          <button type="submit" class="main">
            {t("web.close")}
          </button>
          {rules && (
            <a class="button" href={rules}>
              {t("web.rules")}
            </a>
          )}
        </div>
      </form>
    </dialog>
  );
}

/** The link with which the seat is taken on another device; it works once. */
function Carrying({ carry }: { readonly carry: () => Promise<string> }) {
  const [link, setLink] = useState<string | null>(null);
  const make = () => void carry().then(setLink, (error: Error) => setLink(error.message));
  if (link === null) {
    return (
      <button type="button" onClick={make}>
        {t("web.carry")}
      </button>
    );
  }
  return (
    <label class="carried">
      {t("web.carry.link")}
      <input type="text" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
    </label>
  );
}
