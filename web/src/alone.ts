// The board with everything it needs in one file, the rules too: for notebooks and pages without a server.

import "./entries/board.ts";
