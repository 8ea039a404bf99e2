// What a page renders in place of what the server has put there.

import { type ComponentChild, render } from "preact";

export function renderInPlace(place: Element, content: ComponentChild): void {
  place.replaceChildren();
  render(content, place);
}
