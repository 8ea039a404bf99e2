// What the components of the game page share: the table as it changes, and the settings of this browser.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Game } from "../rules.ts";
import { Sounds } from "../sounds.ts";
import { called, now } from "./line.ts";
import type { Source, Table } from "./source.ts";

/** The table of a source, drawn again whenever it changes. */
export function useTable(source: Source): Table | null {
  const [table, setTable] = useState(source.table);
  useLayoutEffect(() => {
    setTable(source.table);
    return source.subscribe(() => setTable(source.table));
  }, [source]);
  return table;
}

/** Sounds what happens: a move, a capture, a call, the end. */
export function useSounds(table: Table | null, isOn: boolean): void {
  const sounds = useRef<Sounds | null>(null);
  const heard = useRef<Game | null>(null);
  useEffect(() => {
    sounds.current ??= new Sounds();
    if (sounds.current.on !== isOn) sounds.current.on = isOn;
  }, [isOn]);
  useEffect(() => {
    if (!table) return;
    const game = now(table.line);
    const before = heard.current;
    heard.current = game;
    if (!before || before === game || game.state.ply < before.state.ply) return;
    const { outcome, last } = game.state;
    const isCalled = called(table.line, table.line.games.length - 1) > 0;
    const name = outcome ? "end" : isCalled ? "call" : last?.captures.length ? "capture" : "move";
    sounds.current?.play(name);
  }, [table?.line]);
}

const LITTLE_MS = 10_000;

/** Warns once when the own clock has ten seconds left. */
export function useLowTime(table: Table | null, isOn: boolean): void {
  const seats = table ? Object.values(table.seats) : [];
  const clock = seats.find((seat) => seat.isYou && seat.clock?.isRunning)?.clock;
  useEffect(() => {
    if (!clock || !isOn) return;
    const begins = Math.max(0, clock.at - performance.now());
    const wait = begins + clock.left_ms - LITTLE_MS - Math.max(0, performance.now() - clock.at);
    // A timer holds 24 days at most; nobody waits so long for ten seconds.
    if (wait <= 0 || wait >= 2 ** 31) return;
    const timer = setTimeout(() => new Sounds().play("low"), wait);
    return () => clearTimeout(timer);
  }, [clock?.left_ms, clock?.at, isOn]);
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
  /** The same where there are days for a move. */
  readonly confirm_slow: boolean;
  /** Whether a move can be planned while the other side is to move. */
  readonly premove: boolean;
  /** Whether there is a field for typed moves below the board. */
  readonly typed: boolean;
}

const KEY = "hnefi.settings";
const USUAL: Settings = {
  board: "auto",
  pieces: "wood",
  coordinates: true,
  sounds: true,
  opposite: false,
  confirm: false,
  confirm_slow: true,
  premove: true,
  typed: false,
};

export function readSettings(): Settings {
  return { ...USUAL, ...kept() };
}

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}

/** The settings, and how to change them. */
export function useSettings(): [Settings, (changed: Partial<Settings>) => void] {
  const [settings, setSettings] = useState(readSettings);
  const change = (changed: Partial<Settings>) => {
    // Another page may have changed others since.
    const next = { ...settings, ...kept(), ...changed };
    setSettings(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing has them until the page is left.
    }
  };
  return [settings, change];
}
