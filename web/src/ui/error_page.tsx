// The page that is shown if there is nothing else to show: the reason, and where to go instead.

import { render } from "preact";
import { LANGUAGE, t } from "../texts.ts";

export function showErrorPage(place: HTMLElement, reason: string): void {
  place.className = "plain";
  place.replaceChildren();
  render(
    <>
      <h1>{reason}</h1>
      <div class="buttons">
        <a class="button main" href={`/${LANGUAGE}/new`}>
          {t("web.action.new_game")}
        </a>
        <a class="button" href={`/${LANGUAGE}/games`}>
          {t("web.to_games")}
        </a>
        <a class="button" href={`/${LANGUAGE}/`}>
          {t("web.to_start")}
        </a>
      </div>
    </>,
    place,
  );
}
