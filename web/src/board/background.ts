// The empty board: frame, grain, lines, carvings on special squares, holes and coordinates.

import { placeOf, squareName } from "../positions.ts";
import type { Shape } from "./types.ts";
import { circle, n, path, type Point, rectangle, UNIT, type View } from "./view.ts";

/** Returns the kind of a special square; null for a plain one. */
export function specialKind(shape: Shape, square: string): "throne" | "corner" | "camp" | null {
  if (shape.throne === square) return "throne";
  if (shape.corners?.includes(square)) return "corner";
  return shape.camps?.some((camp) => camp.includes(square)) ? "camp" : null;
}

/** Gradients: light from the upper left, and the shadow of a piece where it touches the board. */
const stop = (at: number, colour: string, opacity: number): string =>
  `<stop offset="${at}" stop-color="#${colour}" stop-opacity="${opacity}"/>`;
const GRADIENTS =
  `<linearGradient id="light" x2="1" y2="1">${stop(0, "ffdca6", 0.3) + stop(0.5, "ffdca6", 0) + stop(1, "1a0f04", 0.24)}</linearGradient>` +
  `<radialGradient id="contact">${stop(0, "120a04", 0.72) + stop(0.55, "120a04", 0.4) + stop(1, "120a04", 0)}</radialGradient>`;

export function drawBackground(view: View, shape: Shape): string {
  const { side } = view;
  return GRADIENTS + frame(view, shape) + rectangle("field", 0, 0, side, side) + grain(view) + lines(view) +
    carvings(view, shape) + holes(view, shape) + rectangle("light dim", 0, 0, side, side) + path("recess", `M0 ${side}V0H${side}`) +
    path("ledge", `M${side} 0V${side}H0`) + coordinates(view);
}

function frame(view: View, shape: Shape): string {
  const [edge, width] = [view.frame, view.side + 2 * view.frame];
  const lip = edge > 30 ? rectangle("rim", 5 - edge, 5 - edge, width - 10, width - 10, 0.016 * width - 4) : "";
  const whole = (kind: string): string => rectangle(kind, -edge, -edge, width, width, 0.016 * width);
  return whole("frame") + lip + nicks(view, shape) + whole("light");
}

/** Nicks on the frame at each line; two of them if the whole edge is the king's goal. */
function nicks(view: View, shape: Shape): string {
  if (view.frame < 30) return "";
  const edgeIsGoal = (shape.goals?.length ?? 0) > 16;
  const far = view.side + 1;
  let d = "";
  for (let line = UNIT; line < view.side; line += UNIT) {
    for (const shift of edgeIsGoal ? [-7, 7] : [0]) {
      const at = line + shift - 5;
      d += `M${at}-1l5-13 5 13zM${at} ${far}l5 13 5-13zM-1 ${at}l-13 5 13 5zM${far} ${at}l13 5-13 5z`;
    }
  }
  return path("nick", d);
}

/** Grain of the wood: pseudo-random lines, the same ones for boards of the same size. */
function grain(view: View): string {
  if (UNIT / view.pixel < 30) return "";
  const third = view.side / 3;
  let state = 7919 * view.size;
  const next = (): number => (state = (1103515245 * state + 12345) % 2 ** 31) / 2 ** 31;
  let d = "";
  for (let k = 0; k < 1.9 * view.size; k++) {
    const [y, bend] = [8 + (view.side - 16) * next(), 20 * next() - 10];
    d += `M0 ${n(y)}C${n(third)} ${n(y + bend)} ${n(2 * third)} ${n(y - bend)} ${view.side} ${n(y + bend / 2)}`;
  }
  return path("grain", d);
}

function lines(view: View): string {
  let d = "";
  for (let at = 0; at <= view.side; at += UNIT) d += `M${at} 0V${view.side}M0 ${at}H${view.side}`;
  return path("lip", d, ' transform="translate(2 2)"') + path("cut", d);
}

function carvings(view: View, shape: Shape): string {
  const camps = (shape.camps ?? []).flat().map((square) => hatch(view.centre(square)));
  return (shape.throne ? rosette(view.centre(shape.throne)) : "") + fans(view, shape) + camps.join("");
}

/** One cut of a carving: a dark and a light facet along an angle. */
function blade(centre: Point, angle: number, spread: number, [inner, middle, outer]: readonly number[]): string {
  const point = (radius: number, turn: number): string => {
    const at = ((angle + turn) * Math.PI) / 180;
    return `${n(centre.x + radius * Math.cos(at))} ${n(centre.y + radius * Math.sin(at))}`;
  };
  const facet = (kind: string, turn: number): string =>
    path(kind, `M${point(inner ?? 0, 0)} ${point(middle ?? 0, turn)} ${point(outer ?? 0, 0)}Z`);
  return facet("chip", spread) + facet("chip-lit", -spread);
}

/** The throne: eight petals inside two rings. */
function rosette(centre: Point): string {
  let petals = "";
  for (let k = 0; k < 8; k++) petals += blade(centre, 45 * k, 18.3, [5, 25.5, 36]);
  return petals + circle("ring", centre, 39) + circle("ring", centre, 45);
}

/** The corners: a fan of five cuts in two quarter rings each, as wide as the corner. */
function fans(view: View, shape: Shape): string {
  const far = view.size - 1;
  const corners = shape.corners ?? [];
  let drawn = "";
  for (const file of [0, far]) {
    for (const rank of [0, far]) {
      const outermost = squareName({ file, rank });
      if (!corners.includes(outermost)) continue;
      const inner = squareName({ file: file ? far - 1 : 1, rank: rank ? far - 1 : 1 });
      drawn += fan(view, outermost, corners.includes(inner) ? 2 : 1);
    }
  }
  return drawn;
}

function fan(view: View, outermost: string, scale: number): string {
  const { x, y } = view.corner(outermost);
  const [across, down] = [x ? -1 : 1, y ? -1 : 1];
  const tip = { x: x ? x + UNIT : 0, y: y ? y + UNIT : 0 };
  const middle = (Math.atan2(down, across) * 180) / Math.PI;
  let cuts = "";
  for (let k = -2; k <= 2; k++) cuts += blade(tip, middle + 15.6 * k, 9.3, [16 * scale, 52.7 * scale, 74 * scale]);
  const quarter = (radius: number): string =>
    `M${tip.x + across * radius} ${tip.y}A${radius} ${radius} 0 0 ${across * down > 0 ? 1 : 0} ${tip.x} ${tip.y + down * radius}`;
  return cuts + path("ring", quarter(84 * scale) + quarter(93 * scale));
}

/** A camp: three diagonal strokes. */
function hatch({ x, y }: Point): string {
  const d = [-15, 0, 15].map((k) => `M${x + k - 22} ${y + k + 22}l44-44`).join("");
  return path("hatch-lit", d, ' transform="translate(2 2)"') + path("hatch", d);
}

function holes(view: View, shape: Shape): string {
  const radius = Math.max(5, 0.9 * view.pixel);
  const plain = view.rows().flat().filter((square) => !specialKind(shape, square));
  const lip = plain.map((square) => {
    const { x, y } = view.centre(square);
    return `M${n(x - 0.73 * radius)} ${n(y + radius)}a${n(1.18 * radius)} ${n(1.18 * radius)} 0 0 0 ${n(1.82 * radius)}-${n(1.27 * radius)}`;
  });
  return path("hole-lip", lip.join("")) + plain.map((square) => circle("hole", view.centre(square), radius)).join("");
}

function coordinates(view: View): string {
  if (!view.coordinates) return "";
  const drop = 0.36 * view.letter;
  const write = (x: number, y: number, text: string | number): string => `<text x="${n(x)}" y="${n(y)}">${text}</text>`;
  const rows = view.rows();
  const below = view.side + Math.min(view.frame * 0.52, view.frame - view.letter * 0.5) + drop;
  const letters = (rows[0] ?? []).map((square) => write(view.centre(square).x, below, square.charAt(0)));
  const numbers = rows.map(([square = "a1"]) =>
    write(-view.frame * 0.54, view.centre(square).y + drop, placeOf(square).rank + 1),
  );
  return `<g class="names" font-size="${n(view.letter)}">${letters.join("")}${numbers.join("")}</g>`;
}
