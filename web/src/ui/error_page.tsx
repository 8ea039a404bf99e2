// The page that is shown if there is nothing else to show: the reason, and where to go instead.

import { render } from "preact";
import { LANGUAGE, t } from "../texts.ts";

/** Shows the first sentence of the reason as the heading, and the others below it. */
export function showErrorPage(place: HTMLElement, reason: string): void {
  const [heading] = /^.*?[.!?](?= \p{Lu})/u.exec(reason) ?? [reason];
  const details = reason.slice(heading.length).trim();
  place.className = "plain";
  place.replaceChildren();
  render(
    <>
      <h1>{heading}</h1>
      {details && <p class="lead">{details}</p>}
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
