// The dialogs for the settings of boards, and for the list of keys.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { IS_ALONE, pageAddress, siteAddress } from "../addresses.ts";
import { t } from "../texts.ts";
import type { Settings } from "../ui/settings.ts";
import { type VariantFacts, variantQuery } from "../variants.ts";

const BOARDS = ["auto", "wood", "stone", "contrast", "runic"] as const;
const PIECES = ["wood", "stone", "contrast", "runic"] as const;
const FLAGS = ["sounds", "coordinates", "premove", "confirm", "confirm_small", "confirm_slow", "opposite", "typed"] as const;
/** The keys and gestures that are explained, by the end of their texts' keys. */
const KEYS = ["board", "moves", "draw", "plan"] as const;

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly settings: Settings;
  readonly change: (changed: Partial<Settings>) => void;
  readonly facts: VariantFacts;
  /** Opens the list of keys. */
  readonly showKeys: () => void;
}

/** Returns the reference of a dialog that is shown while `isOpen`. */
export function useDialog(isOpen: boolean): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return dialog;
}

/** The keys and gestures of a page with a game. */
export function KeysDialog({ isOpen, close }: Pick<Props, "isOpen" | "close">) {
  return (
    <dialog ref={useDialog(isOpen)} class="settings keys" aria-labelledby="keys-title" onClose={close}>
      <form class="stack" method="dialog">
        <h2 id="keys-title">{t("web.keys")}</h2>
        <ul>
          {KEYS.map((name) => (
            <li key={name}>{t(`web.keys.${name}`)}</li>
          ))}
        </ul>
        <div class="buttons">
          <button type="submit">{t("web.close")}</button>
        </div>
      </form>
    </dialog>
  );
}

export function SettingsDialog({ isOpen, close, settings, change, facts, showKeys }: Props) {
  return (
    <dialog ref={useDialog(isOpen)} class="settings" aria-labelledby="settings-title" onClose={close}>
      <form class="stack" method="dialog">
        <h2 id="settings-title">{t("web.settings")}</h2>
        {!IS_ALONE && (
          <p class="links">
            {facts.rules && <a href={siteAddress(facts.rules)}>{t("web.rules")}</a>}
            <a href={pageAddress(`analysis?${variantQuery(facts.id, facts)}`)}>{t("page.nav.analysis")}</a>
            <a href={pageAddress("help")}>{t("page.nav.help")}</a>
            <a href={pageAddress("glossary")}>{t("page.nav.glossary")}</a>
          </p>
        )}
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
        <div class="buttons">
          <button type="button" class="quiet" onClick={showKeys}>
            {t("web.keys")}
          </button>
          <button type="submit">
            {t("web.close")}
          </button>
        </div>
      </form>
    </dialog>
  );
}
