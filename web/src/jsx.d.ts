// The board as an element of ours, for the templates of the panels.

import type { Ref } from "preact";
import type { TaflBoard } from "./board/element.ts";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "tafl-board": { ref?: Ref<TaflBoard> };
    }
  }
}
