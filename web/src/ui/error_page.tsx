// The page that is shown if there is nothing else to show: the reason, and where to go instead.

import { type ComponentChildren, render } from "preact";
import { pageAddress } from "../addresses.ts";
import { t } from "../texts.ts";

/** Shows the first sentence of the reason as the heading, the others below it, then a remedy, or the ways to other games. */
export function showErrorPage(place: HTMLElement, reason: string, remedy: ComponentChildren = null): void {
  const [heading] = /^.*?[.!?](?= \p{Lu})/u.exec(reason) ?? [reason];
  const details = reason.slice(heading.length).trim();
  place.className = "plain";
  place.replaceChildren();
  render(
    <>
      <h1>{heading}</h1>
      {details && <p class="lead">{details}</p>}
      {remedy}
      <div class="buttons">
        {!remedy && (
          <>
            <a class="button main" href={pageAddress("new")}>
              {t("web.action.new_game")}
            </a>
            <a class="button" href={pageAddress("games")}>
              {t("web.to_games")}
            </a>
          </>
        )}
        <a class="button" href={pageAddress("")}>
          {t("web.to_start")}
        </a>
      </div>
    </>,
    place,
  );
}
