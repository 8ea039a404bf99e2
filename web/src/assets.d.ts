// Files that are no scripts: bundled, and imported by the address they get.

declare module "*.wasm" {
  const address: string;
  export default address;
}

declare module "hnefi-words.json" {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default texts;
}
