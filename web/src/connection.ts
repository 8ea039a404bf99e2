// Whether a server can be reached, as far as the browser knows.

import { useEffect, useState } from "preact/hooks";
import { HAS_SERVER } from "./addresses.ts";

const isConnected = () => HAS_SERVER && navigator.onLine;

/** Returns whether a server may be reached, and renders again when that changes. */
export function useConnection(): boolean {
  const [is, set] = useState(isConnected);
  useEffect(() => {
    const update = () => set(isConnected());
    for (const name of ["online", "offline"]) addEventListener(name, update);
    return () => {
      for (const name of ["online", "offline"]) removeEventListener(name, update);
    };
  }, []);
  return is;
}
