// The settings of this browser: look and behaviour of boards.

import { useState } from "preact/hooks";
import { store, stored } from "../storage.ts";

export interface Settings {
  readonly board: string;
  readonly pieces: string;
  readonly coordinates: boolean;
  readonly sounds: boolean;
  /** Whether the upper player's text is turned upside down, for two people opposite each other. */
  readonly opposite: boolean;
  readonly confirm: boolean;
  /** The same in games with days per move. */
  readonly confirm_slow: boolean;
  /** The same where squares are too small to be sure of one's finger. */
  readonly confirm_small: boolean;
  readonly premove: boolean;
  /** Whether there is an input for typed moves below the board. */
  readonly typed: boolean;
}

export type Look = Pick<Settings, "board" | "pieces" | "coordinates">;

const KEY = "hnefi.settings";
const DEFAULTS: Settings = {
  board: "auto",
  pieces: "wood",
  coordinates: true,
  sounds: true,
  opposite: false,
  confirm: false,
  confirm_slow: true,
  confirm_small: true,
  premove: true,
  typed: false,
};

export function readSettings(): Settings {
  return { ...DEFAULTS, ...stored<Partial<Settings>>(KEY, {}) };
}

export function applyLook(board: HTMLElement, look: Look): void {
  board.setAttribute("board", look.board);
  board.setAttribute("pieces", look.pieces);
  if (look.coordinates) board.removeAttribute("coordinates");
  else board.setAttribute("coordinates", "none");
}

/** Returns the settings and a function that changes them. */
export function useSettings(): [Settings, (changed: Partial<Settings>) => void] {
  const [settings, setSettings] = useState(readSettings);
  const change = (changed: Partial<Settings>) => {
    // Another page may have changed other settings in the meantime.
    const next = { ...settings, ...stored<Partial<Settings>>(KEY, {}), ...changed };
    setSettings(next);
    store(KEY, next);
  };
  return [settings, change];
}
