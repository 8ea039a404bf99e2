// The dialogs for the settings of boards, and for the list of keys.

import { IS_ALONE, pageAddress, siteAddress } from "../addresses.ts";
import { PIECE_SETS } from "../board/pieces.ts";
import { t } from "../texts.ts";
import { Choice, Tick } from "../ui/choice.tsx";
import type { Settings } from "../ui/settings.ts";
import { gameTitle, type VariantFacts, variantQuery } from "../variants.ts";
import { Dialog } from "./dialog.tsx";

const BOARDS = ["auto", "wood", "stone", "contrast", "runic"] as const;
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

/** The keys and gestures of a page with a game. */
export function KeysDialog({ isOpen, close }: Pick<Props, "isOpen" | "close">) {
  return (
    <Dialog isOpen={isOpen} close={close} kind="keys" title={t("web.keys")}>
      <ul>
        {KEYS.map((name) => (
          <li key={name}>{t(`web.keys.${name}`, { typed: t("web.settings.typed") })}</li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Returns the links to this page in other languages, for which the header of a phone has no room. */
function otherLanguages(): readonly HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>("header .version")];
}

export function SettingsDialog({ isOpen, close, settings, change, facts, showKeys }: Props) {
  const keys = (
    <button type="button" class="quiet" onClick={showKeys}>
      {t("web.keys")}
    </button>
  );
  return (
    <Dialog isOpen={isOpen} close={close} title={t("web.settings")} buttons={keys}>
      {!IS_ALONE && (
        <p class="links">
          <b class="cut">{gameTitle(facts)}</b>
          {facts.rules && <a href={siteAddress(facts.rules)}>{t("web.rules")}</a>}
          <a href={pageAddress(`analysis?${variantQuery(facts.id, facts)}`)}>{t("page.nav.analysis")}</a>
          <a href={pageAddress("help")}>{t("page.nav.help")}</a>
          <a href={pageAddress("glossary")}>{t("page.nav.glossary")}</a>
          {otherLanguages().map(({ href, hreflang, textContent }) => (
            <a key={hreflang} href={href} hreflang={hreflang} lang={hreflang}>
              {textContent}
            </a>
          ))}
        </p>
      )}
      {(["board", "pieces"] as const).map((kind) => (
        <Choice
          key={kind}
          legend={t(`web.settings.${kind}`)}
          name={kind}
          values={kind === "board" ? BOARDS : PIECE_SETS}
          chosen={settings[kind]}
          choose={(name) => change({ [kind]: name })}
          label={(name) => t(`web.${kind}.${name}`)}
        />
      ))}
      {FLAGS.map((name) => (
        <Tick key={name} isOn={settings[name]} set={(isOn) => change({ [name]: isOn })} label={t(`web.settings.${name}`)} />
      ))}
    </Dialog>
  );
}
