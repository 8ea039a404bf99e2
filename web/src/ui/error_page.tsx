// The page that is shown if there is nothing else to show: the reason, and where to go instead.

import type { ComponentChildren } from "preact";
import { pageAddress } from "../addresses.ts";
import { failureText } from "../http.ts";
import { t } from "../texts.ts";
import { NoSuchGame } from "../variants.ts";
import { renderInPlace } from "./render.ts";

/** Shows the first sentence of the reason as the heading, the others below it, then a remedy, or the ways to other games. */
export function showErrorPage(place: HTMLElement, reason: string, remedy: ComponentChildren = null): void {
  const [heading] = /^.*?[.!?](?= \p{Lu})/u.exec(reason) ?? [reason];
  const details = reason.slice(heading.length).trim();
  place.className = "plain";
  renderInPlace(
    place,
    <>
      <h1>{heading}</h1>
      {details && <p class="lead">{details}</p>}
      <div class="buttons">
        {remedy ?? (
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
  );
}

/** Shows why there is no game or study: for a game that does not exist with the way to all games. */
export function showFailure(place: HTMLElement, error: unknown): void {
  if (error instanceof NoSuchGame) showNoSuchGame(place);
  else showErrorPage(place, failureText(error));
}

/** Shows that there is no game of this name, and the way to all games. */
export function showNoSuchGame(place: HTMLElement): void {
  const toAll = (
    <a class="button main" href={pageAddress("rules")}>
      {t("web.all_games")}
    </a>
  );
  showErrorPage(place, t("web.no_such_game"), toAll);
}
