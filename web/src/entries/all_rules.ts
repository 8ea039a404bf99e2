// The page of all rules: an input filters the variants by name.

import { enableNameFilters } from "../name_filter.ts";

enableNameFilters();
