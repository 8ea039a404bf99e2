// Drawings of single marks: origin and target of a move, captures, open roads, danger, arrows.

import { squaresTo } from "../positions.ts";
import type { Direction } from "../rules.ts";
import type { Arrow, Mark } from "./types.ts";
import { circle, n, path, type Point, rectangle, UNIT, type View } from "./view.ts";

/** The ring on the square that a piece left. */
export function fromRing(view: View, square: string): string {
  const at = view.centre(square);
  return circle("mark", at, 15) + circle("solid", at, 6);
}

/** The ring on the square of a captured piece. */
export function emptiedHole(view: View, square: string): string {
  return circle("mark emptied", view.centre(square), 18);
}

export function brackets(view: View, square: string): string {
  const { x, y } = view.corner(square);
  let d = "";
  for (const a of [5, 95]) {
    for (const b of [5, 95]) {
      d += `M${x + a} ${y + (b < 50 ? b + 23 : b - 23)}V${y + b}H${x + (a < 50 ? a + 23 : a - 23)}`;
    }
  }
  return path("mark", d);
}

/** The part of a mark under the pieces. */
export function markBelow(view: View, { square, kind }: Mark): string {
  const { x, y } = view.corner(square);
  if (kind === "drawn") return circle("drawn", view.centre(square), 45);
  if (kind !== "highlight") return "";
  return rectangle("glow", x + 4, y + 4, 92, 92, 5) + rectangle("mark thin", x + 6, y + 6, 88, 88, 4);
}

/** The part of a mark over the pieces. */
export function markAbove(view: View, { square, kind }: Mark): string {
  const at = view.centre(square);
  switch (kind) {
    case "move":
      return circle("lit", { x: at.x + 1.5, y: at.y + 2 }, 15) + circle("solid", at, Math.max(13.5, 2.2 * view.pixel));
    case "capture":
      return toothedRing(at);
    case "block":
      return (
        circle("lit", { x: at.x + 1.5, y: at.y + 2 }, 25) + circle("solid", at, 23) +
        path("bars", `M${at.x - 6} ${at.y - 11}v22M${at.x + 6} ${at.y - 11}v22`)
      );
    case "selected":
      return rectangle("mark", at.x - 46, at.y - 46, 92, 92, 5);
    case "planned":
      return rectangle("mark dashed", at.x - 45, at.y - 45, 90, 90, 5);
    default:
      return "";
  }
}

function toothedRing(at: Point): string {
  let teeth = "";
  for (let k = 0; k < 8; k++) {
    const angle = ((22.5 + 45 * k) * Math.PI) / 180;
    const [across, down] = [Math.cos(angle), Math.sin(angle)];
    teeth += `M${n(at.x + 30 * across)} ${n(at.y + 30 * down)}L${n(at.x + 43 * across)} ${n(at.y + 43 * down)}`;
  }
  return circle("mark", at, 30) + path("mark", teeth);
}

/** A capture: a dashed ring around the captured piece, and a wedge from each piece that closes it in. */
export function squeeze(view: View, victim: string, closers: readonly string[]): string {
  const at = view.centre(victim);
  const wedges = closers.map((closer) => {
    const other = view.centre(closer);
    const [across, down] = [(other.x - at.x) / UNIT, (other.y - at.y) / UNIT];
    if (Math.abs(across) + Math.abs(down) !== 1) return "";
    const [bx, by] = [at.x + 56 * across, at.y + 56 * down];
    const tip = `${at.x + 32 * across} ${at.y + 32 * down}`;
    const d = `M${bx - 15 * down} ${by - 15 * across}L${tip} ${bx + 15 * down} ${by + 15 * across}Z`;
    return path("solid wedge", d, ` data-push="${across} ${down}"`);
  });
  return circle("mark closing", at, 45) + wedges.join("");
}

/** A hostile special square: teeth inside each of its sides. */
export function hostileTeeth(view: View, square: string): string {
  const { x, y } = view.corner(square);
  let d = "";
  for (const at of [4, 23, 42, 61, 80]) {
    d += `M${x + at} ${y + 1}l8 12 8-12zM${x + at} ${y + 99}l8-12 8 12z`;
    d += `M${x + 1} ${y + at}l12 8-12 8zM${x + 99} ${y + at}l-12 8 12 8z`;
  }
  return path("chip", d);
}

/** A king in danger: teeth on each closed side of his square. */
export function dangerTeeth(view: View, king: string, closed: readonly Direction[]): string {
  const at = view.centre(king);
  const turn = view.flipped ? -1 : 1;
  const vectors = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] } as const;
  let d = "";
  for (const side of closed) {
    const [across, down] = [vectors[side][0] * turn, vectors[side][1] * turn];
    const [along, aside] = [Math.abs(down), Math.abs(across)];
    for (const step of [-40, -20, 0, 20]) {
      d += `M${at.x + 48 * across + step * along} ${at.y + 48 * down + step * aside}`;
      d += `l${-13 * across + 10 * along} ${-13 * down + 10 * aside} ${13 * across + 10 * along} ${13 * down + 10 * aside}`;
    }
  }
  return path("danger", d);
}

/** An open road: two chevrons on each square that is not blocked, and two gate posts at the goal. */
export function road(view: View, from: string, to: string, blocked: readonly string[] = []): string {
  const squares = squaresTo(from, to);
  const [start, end] = [view.centre(from), view.centre(to)];
  const [across, down] = [Math.sign(end.x - start.x), Math.sign(end.y - start.y)];
  let step = 0;
  let drawn = "";
  for (const square of squares.slice(0, -1).filter((one) => !blocked.includes(one))) {
    for (const shift of [-14.5, 29.5]) {
      const at = view.centre(square);
      const [x, y] = [at.x + shift * across, at.y + shift * down];
      const [bx, by] = [x - 15 * across, y - 15 * down];
      const d = `M${bx - 15 * down} ${by - 15 * across}L${x} ${y}L${bx + 15 * down} ${by + 15 * across}`;
      drawn += `<g class="step" data-step="${step++}">${path("halo", d)}${path("road", d)}</g>`;
    }
  }
  let posts = "";
  for (const side of [-1, 1]) {
    posts += `M${end.x - 24 * across - 46 * side * down} ${end.y - 24 * down + 46 * side * across}`;
    posts += `l${-22 * across} ${-22 * down} ${24 * side * down} ${-24 * side * across}`;
  }
  return `${drawn}<g class="step" data-step="${step}">${path("road", posts)}</g>`;
}

/** An arrow: solid for a move, hollow for an alternative, two heads for a threat, dashed for a premove. */
export function arrow(view: View, { from, to, kind }: Arrow, isOccupied: boolean): string {
  const [start, end] = [view.centre(from), view.centre(to)];
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  if (length === 0) return "";
  const angle = (Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI;
  const shapes = arrowShapes(kind, length - (isOccupied ? 44 : 8));
  return `<g class="arrow ${kind}" transform="translate(${start.x} ${start.y}) rotate(${n(angle)})">${shapes}</g>`;
}

/** Draws an arrow along the x axis, from 18 to `reach`. */
function arrowShapes(kind: Arrow["kind"], reach: number): string {
  const size = kind === "drawn" ? 0.6 : 1;
  const [head, half] = [n(28 * size), 17 * size];
  const neck = n(Math.max(reach - 22 * size, 19));
  const tip = (at: number): string => `M${n(at)} 0l-${head} ${n(-half)}v${n(2 * half)}z`;
  if (kind === "second") {
    return path("hull", `M18 0H${neck}`) + path("core", `M22 0H${neck}`) + path("hollow", tip(reach));
  }
  return path("shaft", `M18 0H${neck}`) + path("solid", tip(reach) + (kind === "threat" ? tip(reach - 24) : ""));
}
