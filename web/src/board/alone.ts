// Entry of the board in a single file with texts and rules embedded, for notebooks and pages without a server.

import "./register.ts";
