// What the components of the game page share: the table as it changes, and the settings of this browser.

import { useEffect, useState } from "preact/hooks";
import type { Source, Table } from "./source.ts";

/** The table of a source, drawn again whenever it changes. */
export function useTable(source: Source): Table | null {
  const [table, setTable] = useState(source.table);
  useEffect(() => {
    setTable(source.table);
    return source.subscribe(() => setTable(source.table));
  }, [source]);
  return table;
}

/** How boards look and sound in this browser. */
export interface Settings {
  readonly board: string;
  readonly pieces: string;
  readonly coordinates: boolean;
  readonly sounds: boolean;
  /** The text of the player opposite is turned to him: two people on one device. */
  readonly opposite: boolean;
  readonly confirm: boolean;
}

const KEY = "hnefi.settings";
const USUAL: Settings = {
  board: "auto",
  pieces: "wood",
  coordinates: true,
  sounds: true,
  opposite: false,
  confirm: false,
};

export function readSettings(): Settings {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return USUAL;
  }
}

/** The settings, and how to change them. */
export function useSettings(): [Settings, (changed: Partial<Settings>) => void] {
  const [settings, setSettings] = useState(readSettings);
  const change = (changed: Partial<Settings>) => {
    const next = { ...settings, ...changed };
    setSettings(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing has them until the page is left.
    }
  };
  return [settings, change];
}
