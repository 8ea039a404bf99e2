// Animations of moves, captures and open roads. With reduced motion pieces cross-fade instead of moving.

import type { Point } from "./view.ts";

const ARRIVE = "cubic-bezier(.2,.7,.2,1)";
const LEAVE = "cubic-bezier(.5,0,.8,.4)";

const TRAVEL_MS = 240;
const CROSS_FADE_MS = 120;

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

const at = ({ x, y }: Point): string => `translate(${x}px,${y}px)`;

/** Moves a piece to its square; returns the milliseconds until it lands. */
export function travel(piece: SVGGElement, from: Point, to: Point, milliseconds = TRAVEL_MS): number {
  if (reduced.matches) {
    piece.animate({ opacity: [0.2, 1] }, CROSS_FADE_MS);
    return 0;
  }
  piece.animate({ transform: [at(from), at(to)] }, { duration: milliseconds, easing: ARRIVE });
  const lift = { transform: ["scale(1)", "scale(1.06)", "scale(1.06)", "scale(1)"], offset: [0, 0.2, 0.8, 1] };
  piece.querySelector(".body")?.animate(lift, { duration: milliseconds + 60, easing: ARRIVE });
  const drop = { transform: ["none", "translateY(4px)", "translateY(4px)", "none"], offset: [0, 0.2, 0.8, 1] };
  piece.querySelector(".shadow")?.animate(drop, milliseconds + 60);
  return milliseconds;
}

/** Fades out captured pieces when the capturing piece has landed; then calls `done`. */
export function fadeOut(pieces: readonly SVGGElement[], marks: SVGGElement, landed: number, done: () => void): void {
  if (reduced.matches) {
    const fades = pieces.map((piece) => piece.animate({ opacity: [1, 0] }, { duration: CROSS_FADE_MS, fill: "forwards" }));
    marks.animate({ opacity: [1, 1, 0] }, 1500 + CROSS_FADE_MS).finished.then(() => marks.replaceChildren(), ignore);
    Promise.all(fades.map((fade) => fade.finished)).then(done, ignore);
    return;
  }
  for (const wedge of marks.querySelectorAll<SVGElement>(".wedge")) {
    const [across = 0, down = 0] = (wedge.dataset["push"] ?? "").split(" ").map(Number);
    const back = at({ x: 16 * across, y: 16 * down });
    const push = { opacity: [0, 1, 1], transform: [back, "none", "none"], offset: [0, 0.4, 1] };
    wedge.animate(push, { delay: landed + 10, duration: 230, fill: "both", easing: ARRIVE });
  }
  for (const ring of marks.querySelectorAll<SVGElement>(".closing")) {
    const close = { opacity: [0, 1, 0], transform: ["scale(1.12)", "scale(1)", "scale(.4)"] };
    ring.animate(close, { delay: landed + 40, duration: 260, fill: "both", easing: LEAVE });
  }
  const fades = pieces.map((piece) => {
    const timing = { delay: landed + 90, duration: 140, easing: LEAVE, fill: "both" } as const;
    piece.querySelector(".body")?.animate({ transform: ["none", "translateY(-6px)"] }, timing);
    return piece.animate({ opacity: [1, 0] }, timing);
  });
  const last = marks.animate({ opacity: [1, 1] }, landed + 310);
  void last.finished.then(() => marks.replaceChildren(), ignore);
  Promise.all(fades.map((fade) => fade.finished)).then(done, ignore);
}

/** Lights open roads step by step, from the king to the goal. */
export function lightRoads(roads: SVGGElement, delay: number): void {
  for (const step of roads.querySelectorAll<SVGElement>(".step")) {
    const later = reduced.matches ? 0 : delay + 40 * Number(step.dataset["step"] ?? 0);
    step.animate({ opacity: [0, 1] }, { delay: later, duration: CROSS_FADE_MS, fill: "backwards" });
  }
}

export function fadeIn(piece: SVGGElement): void {
  piece.animate({ opacity: [0, 1] }, CROSS_FADE_MS);
}

/** Ignores the rejection of an animation that a new state has cancelled. */
function ignore(): void {}
