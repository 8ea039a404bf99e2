// The facts of a variant: from the page, from the server, or as they are kept and changed here.

import type { Changes } from "./changes.ts";
import { getJson } from "./http.ts";
import { LANGUAGE } from "./texts.ts";
import { checkVariant, pageVariants, type VariantFacts, type Variants, variantQuery } from "./variants.ts";

/**
 * Returns a variant as it is played with switches. The server describes it if the page does not contain it; without a
 * connection the rules are changed here, and told by the questions of the rules editor.
 */
export async function variantFacts(variant: string, changes: Changes): Promise<VariantFacts> {
  checkVariant(variant);
  const known = pageVariants()[variant];
  if (known && Object.keys(changes.switches).length === 0) return known;
  try {
    return await getJson(`/${LANGUAGE}/facts?${variantQuery(variant, changes)}`);
  } catch (error) {
    // `fetch` rejects with a TypeError if the server cannot be reached.
    const base = error instanceof TypeError ? await keptFacts(variant) : undefined;
    if (!base) throw error;
    const { changedFacts } = await import("./switches.ts");
    return changedFacts(base, changes);
  }
}

/** Returns a variant without switches from the page, or as it is kept for use offline. */
export async function keptFacts(variant: string): Promise<VariantFacts | undefined> {
  return pageVariants()[variant] ?? (await getJson<Variants>(`/${LANGUAGE}/facts`))[variant];
}
