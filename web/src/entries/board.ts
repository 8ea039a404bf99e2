// The board alone: defines <tafl-board>.

import { TaflBoard } from "../board/element.ts";

if (!customElements.get("tafl-board")) customElements.define("tafl-board", TaflBoard);

export { TaflBoard };
