// The published script `sounds.js`.

export * from "../sounds.ts";
