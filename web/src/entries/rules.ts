// The rules alone, for pages of others and for the tests.

export * from "../rules.ts";
