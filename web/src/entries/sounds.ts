// The sounds alone.

export * from "../sounds.ts";
