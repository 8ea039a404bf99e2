// Files that are no scripts: bundled, and imported by the address they get.

declare module "*.wasm" {
  const address: string;
  export default address;
}

declare module "hnefi-words.json" {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default texts;
}

declare module "hnefi-engine.json" {
  const data: {
    /** The levels, the weakest first, as the core reads them. */
    readonly levels: readonly Readonly<Record<string, number>>[];
    /** The contents of the files of weights, by the hash of their rules. */
    readonly fitted: Readonly<Record<string, object>>;
  };
  export default data;
}
