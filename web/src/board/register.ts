// Registers <tafl-board> as a custom element, once.

import { TaflBoard } from "./element.ts";

if (!customElements.get("tafl-board")) customElements.define("tafl-board", TaflBoard);
