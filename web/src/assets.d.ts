// Files that are no scripts: bundled, and imported by the address they get.

declare module "*.wasm" {
  const address: string;
  export default address;
}
