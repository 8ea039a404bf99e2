// The published script `board.js`: registers <tafl-board>.

import "../board/register.ts";

export { TaflBoard } from "../board/element.ts";
