// Changed rules in the query of a page, with the name that they were given.

export interface Changes {
  readonly switches: Readonly<Record<string, string>>;
  /** The name that the changed rules were given, if they were given one. */
  readonly title?: string | null | undefined;
}

/** Returns the changed rules of a query. A name that may not be given, or that is for no changed rules, is empty. */
export function changesOf(query: URLSearchParams): Changes & { readonly title: string } {
  const rules = [...query].filter(([key, value]) => key.startsWith("rule.") && value !== "");
  const name = (query.get("name") ?? "").trim().replace(/\s+/g, " ");
  const title = rules.length > 0 && /^\P{C}{1,60}$/u.test(name) ? name : "";
  return { switches: Object.fromEntries(rules.map(([key, value]) => [key.slice("rule.".length), value])), title };
}
