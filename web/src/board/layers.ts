// What is laid under and over the pieces for one state, from the bottom up.

import type { Piece, Step } from "../rules.ts";
import type { Hand } from "./hand.ts";
import { sideOf } from "./hand.ts";
import { arrow, brackets, dangerTeeth, emptiedHole, fromRing, hostileTeeth, markAbove, markBelow, road } from "./marks.ts";
import type { Arrow, BoardState, Mark, Shape } from "./types.ts";
import { between, type View } from "./view.ts";

interface Picture {
  readonly view: View;
  readonly shape: Shape;
  readonly state: BoardState;
  readonly pieces: ReadonlyMap<string, Piece>;
  readonly hand: Hand;
  readonly marks: readonly Mark[];
  readonly arrows: readonly Arrow[];
  readonly drawn: { readonly arrows: readonly Step[]; readonly circles: readonly string[] };
  readonly hasHints: boolean;
}

export function drawUnder({ view, shape, state, pieces, hand, marks, arrows, drawn }: Picture): string {
  const { last } = state;
  const planned = hand.premove ?? hand.pending;
  const all: Arrow[] = [...arrows, ...drawn.arrows.map((step) => ({ ...step, kind: "drawn" as const }))];
  const waiting: Arrow | null = planned && { ...planned, kind: "planned" };
  if (waiting) all.push(waiting);
  const below: Mark[] = [...marks, ...drawn.circles.map((square) => ({ square, kind: "drawn" as const }))];
  return [
    ...teeth(shape, state).map((square) => hostileTeeth(view, square)),
    ...below.map((mark) => markBelow(view, mark)),
    last ? fromRing(view, last.from) + brackets(view, last.to) : "",
    ...(last?.captures ?? []).filter(({ square }) => !pieces.has(square)).map(({ square }) => emptiedHole(view, square)),
    ...all.map((one) => arrow(view, one, pieces.has(one.to) || one === waiting)),
  ].join("");
}

/** The hostile squares that are drawn so: an empty throne, and a corner against which somebody stands. */
function teeth(shape: Shape, state: BoardState): string[] {
  const used = new Set(state.last?.captures?.flatMap((capture) => capture.by ?? []));
  const squares = (state.hostile ?? []).map((one) => one.square);
  return squares.filter((square) => square === shape.throne || used.has(square));
}

export function drawOver(picture: Picture): string {
  const { view, state, hand, marks } = picture;
  const planned = hand.premove ?? hand.pending;
  const aims = targets(picture);
  const blocked = aims.filter((mark) => mark.kind === "block").map((mark) => mark.square);
  const danger = state.danger?.threatened && state.king ? dangerTeeth(view, state.king, state.danger.closed) : "";
  const chosen: Mark[] = hand.selected ? [{ square: hand.selected, kind: "selected" }] : [];
  const dashed: Mark[] = planned ? [planned.from, planned.to].map((square) => ({ square, kind: "planned" })) : [];
  return [
    ...(state.roads ?? []).map((way) => road(view, way.from, way.to, blocked)),
    ...[...aims, ...chosen, ...dashed, ...marks].map((mark) => markAbove(view, mark)),
    danger,
  ].join("");
}

/** Where the piece taken up may go: a hole, a toothed ring if it captures there, bars if it shuts the king's road. */
function targets({ state, pieces, hand, hasHints }: Picture): Mark[] {
  const piece = hand.selected === null ? undefined : pieces.get(hand.selected);
  if (!piece || !hasHints || hand.isPlanning) return [];
  const guarded = sideOf(piece) === "attackers" ? (state.roads ?? []) : [];
  const ways = new Set(guarded.flatMap((way) => between(way.from, way.to)));
  return hand.targets().map(({ to, captures }) => ({
    square: to,
    kind: captures.length > 0 ? "capture" : ways.has(to) ? "block" : "move",
  }));
}
