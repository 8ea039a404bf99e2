// What is shown where a page has nothing to show: why, and where one may go instead.

import { render } from "preact";
import { LANGUAGE, t } from "../texts.ts";

export function showPlain(place: HTMLElement, words: string): void {
  place.className = "plain";
  place.replaceChildren();
  render(
    <>
      <h1>{words}</h1>
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
