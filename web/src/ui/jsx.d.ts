// Lets JSX contain <tafl-board>.

import type { Ref } from "preact";
import type { TaflBoard } from "../board/element.ts";

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "tafl-board": { ref?: Ref<TaflBoard> };
    }
  }
}
