// Sounds of wood and stone, synthesised on demand without files.
//
// A knock is a short burst of noise through a band-pass filter, and two damped tones.

import { storedText, storeText } from "./storage.ts";

type SoundName = "move" | "capture" | "call" | "low" | "knock" | "end";

/** A part of a sound: begin and duration in seconds, pitch in hertz, and level from 0 to 1. */
interface Tone {
  readonly at: number;
  readonly pitch: number;
  readonly ring: number;
  readonly level: number;
}

const SOUNDS: Readonly<Record<SoundName, { readonly knocks?: readonly Tone[]; readonly tones?: readonly Tone[] }>> = {
  move: { knocks: [{ at: 0, pitch: 190, ring: 0.07, level: 0.7 }] },
  capture: {
    knocks: [
      { at: 0, pitch: 170, ring: 0.08, level: 0.8 },
      { at: 0.085, pitch: 320, ring: 0.05, level: 0.55 },
    ],
  },
  call: {
    tones: [
      { at: 0, pitch: 392, ring: 0.5, level: 0.22 },
      { at: 0.12, pitch: 587.3, ring: 0.7, level: 0.2 },
    ],
  },
  low: {
    knocks: [
      { at: 0, pitch: 520, ring: 0.03, level: 0.35 },
      { at: 0.14, pitch: 520, ring: 0.03, level: 0.35 },
    ],
  },
  knock: {
    knocks: [
      { at: 0, pitch: 240, ring: 0.09, level: 0.6 },
      { at: 0.19, pitch: 225, ring: 0.09, level: 0.6 },
    ],
  },
  end: {
    knocks: [{ at: 0, pitch: 130, ring: 0.12, level: 0.8 }],
    tones: [
      { at: 0.1, pitch: 293.7, ring: 1.1, level: 0.16 },
      { at: 0.1, pitch: 440, ring: 1.1, level: 0.13 },
      { at: 0.32, pitch: 587.3, ring: 1.3, level: 0.13 },
    ],
  },
};

const KEY = "hnefi.sounds";

/** Plays sounds, unless they are off. Stores in this browser whether they are. */
export class Sounds {
  #context: AudioContext | undefined;
  #noise: AudioBuffer | undefined;
  #on: boolean;

  constructor() {
    this.#on = storedText(KEY) !== "off";
  }

  get on(): boolean {
    return this.#on;
  }

  set on(on: boolean) {
    this.#on = on;
    storeText(KEY, on ? "on" : "off");
    if (!on) void this.#context?.suspend();
  }

  /** Plays a sound; nothing before the user has interacted with the page, as browsers demand. */
  play(name: SoundName): void {
    if (!this.#on || !navigator.userActivation?.hasBeenActive) return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    void context.resume();
    const now = context.currentTime + 0.01;
    for (const knock of SOUNDS[name].knocks ?? []) this.#knock(context, knock, now + knock.at);
    for (const tone of SOUNDS[name].tones ?? []) this.#ring(context, tone, now + tone.at, "sine");
  }

  #knock(context: AudioContext, { pitch, ring, level }: Tone, at: number): void {
    const source = context.createBufferSource();
    this.#noise ??= noise(context);
    source.buffer = this.#noise;
    const body = context.createBiquadFilter();
    body.type = "bandpass";
    body.frequency.value = pitch * 5;
    body.Q.value = 1.4;
    source.connect(body).connect(fading(context, at, ring * 0.5, level));
    source.start(at, 0, ring);
    this.#ring(context, { at: 0, pitch, ring, level: level * 0.8 }, at, "triangle");
    this.#ring(context, { at: 0, pitch: pitch * 2.7, ring: ring * 0.6, level: level * 0.3 }, at, "sine");
  }

  #ring(context: AudioContext, { pitch, ring, level }: Tone, at: number, wave: OscillatorType): void {
    const tone = context.createOscillator();
    tone.type = wave;
    tone.frequency.value = pitch;
    tone.connect(fading(context, at, ring, level));
    tone.start(at);
    tone.stop(at + ring + 0.05);
  }
}

/** Returns a gain that rises at once and decays. */
function fading(context: AudioContext, at: number, ring: number, level: number): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(level * 0.5, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + ring);
  gain.connect(context.destination);
  return gain;
}

function noise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate * 0.2, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let k = 0; k < samples.length; k++) samples[k] = 2 * Math.random() - 1;
  return buffer;
}
