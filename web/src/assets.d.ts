// Files that are no scripts: bundled, and imported by the address they get.

declare module "*.wasm" {
  const address: string;
  export default address;
}

declare module "hnefi-engine-worker.ts" {
  /** Starts the worker of the engine: a module beside this script, or a classic script that is a part of it. */
  const start: (name: string) => Worker;
  export default start;
}

declare module "hnefi-words.json" {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default texts;
}

declare module "hnefi-books.ts" {
  /** The addresses of opening books, by the hash of their rules. */
  const books: Readonly<Record<string, string>>;
  export default books;
}

declare module "hnefi-networks.ts" {
  /** The addresses of networks, by the hash of the rules they were trained for. */
  const networks: Readonly<Record<string, string>>;
  export default networks;
}

declare module "hnefi-engine.json" {
  const data: {
    /** The levels, the weakest first, as the core reads them. */
    readonly levels: readonly Readonly<Record<string, number>>[];
    /** The contents of the files of weights without networks, by the hash of their rules. */
    readonly fitted: Readonly<Record<string, object>>;
  };
  export default data;
}
