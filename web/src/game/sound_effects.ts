// The sounds of a game: moves, captures, calls, the end, and little time.

import { useEffect, useRef } from "preact/hooks";
import type { Game } from "../rules.ts";
import { Sounds } from "../sounds.ts";
import { calledAt, now } from "./played_game.ts";
import type { Snapshot } from "./source.ts";

/** Plays a sound for every ply that is added to the game. */
export function useSounds({ line }: Snapshot, isOn: boolean): void {
  const sounds = useRef<Sounds | null>(null);
  const last = useRef<Game | null>(null);
  useEffect(() => {
    sounds.current ??= new Sounds();
    if (sounds.current.on !== isOn) sounds.current.on = isOn;
  }, [isOn]);
  useEffect(() => {
    const game = now(line);
    const before = last.current;
    last.current = game;
    if (!before || before === game || game.state.ply < before.state.ply) return;
    const { outcome, last: ply } = game.state;
    const isCalled = calledAt(line, line.games.length - 1) > 0;
    sounds.current?.play(outcome ? "end" : isCalled ? "call" : ply?.captures.length ? "capture" : "move");
  }, [line]);
}

const LOW_TIME_MS = 10_000;
const LONGEST_TIMER_MS = 2 ** 31;

/** Warns once when the user's own clock has ten seconds left. */
export function useLowTime({ seats }: Snapshot, isOn: boolean): void {
  const clock = Object.values(seats).find((seat) => seat.isYou && seat.clock?.isRunning)?.clock;
  useEffect(() => {
    if (!clock || !isOn) return;
    const wait_ms = clock.at - performance.now() + clock.left_ms - LOW_TIME_MS;
    if (wait_ms <= 0 || wait_ms >= LONGEST_TIMER_MS) return;
    const timer = setTimeout(() => new Sounds().play("low"), wait_ms);
    return () => clearTimeout(timer);
  }, [clock?.left_ms, clock?.at, isOn]);
}
