// Links from the rules editor to games and to the analysis by the edited rules.

import { HAS_SERVER, pageAddress } from "../../addresses.ts";
import type { RulesView } from "../../messages.ts";
import { lastChoice } from "../../new_game.ts";
import { t } from "../../texts.ts";
import type { RulesDraft } from "./rules_draft.ts";

export function PlayLinks({ draft, view }: { readonly draft: RulesDraft; readonly view: RulesView }) {
  const { query } = draft;
  // A link that is clicked right after a change waits until the server has answered the change.
  const follow = async (event: MouseEvent) => {
    const link = (event.target as Element).closest("a");
    if (!link || draft.isSettled || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    await draft.settled();
    if (draft.failure === null && link.isConnected) link.click();
  };
  return (
    <section class="play-links" aria-labelledby="play-links" onClick={(event) => void follow(event)}>
      <h2 id="play-links">{t("page.editor.play")}</h2>
      <div class="buttons">
        {view.ok ? (
          <>
            <a class="button main" href={pageAddress(`new?opponent=computer&${lastOpponent()}${query}`)}>
              {t("web.analysis.play.computer")}
            </a>
            {HAS_SERVER && (
              <a class="button" href={pageAddress(`new?opponent=friend&${query}`)}>
                {t("page.editor.play.friend")}
              </a>
            )}
            <a class="button" href={pageAddress(`table?${query}`)}>
              {t("page.editor.play.here")}
            </a>
            <a class="button" href={pageAddress(`analysis?${query}`)}>
              {t("page.editor.play.analyse")}
            </a>
          </>
        ) : (
          <button type="button" class="main" disabled>
            {t("web.analysis.play.computer")}
          </button>
        )}
      </div>
    </section>
  );
}

/** Returns the level and the side of the last game against the computer, as part of a query. */
function lastOpponent(): string {
  const last = lastChoice();
  return ["level", "side"].map((name) => (last.has(name) ? `${name}=${last.get(name)}&` : "")).join("");
}
