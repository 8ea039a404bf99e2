// The keys of a page.

import { useLayoutEffect, useRef } from "preact/hooks";

type Keys = Readonly<Record<string, () => void>>;

/** Makes keys work, such as `ArrowLeft` or `Ctrl+z`, unless a part of the page has a use of its own for them. */
export function useKeys(keys: Keys, isForPart: (event: KeyboardEvent) => boolean): void {
  // Read when the key comes: fast keys would meet an outdated listener.
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const act = latest.current[event.ctrlKey || event.metaKey ? `Ctrl+${event.key}` : event.key];
      if (!act || event.altKey || isForPart(event)) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
