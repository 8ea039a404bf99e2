// The page of all rules: one types a part of a name, and the others go away.

import { listen } from "../finding.ts";

listen();
