// The published script `rules.js`: the compiled rules, without a board.

export * from "../rules.ts";
