// The layers under and over the pieces: the last move, targets, roads, danger, marks and arrows.

import { squaresTo } from "../positions.ts";
import type { Move, Piece } from "../rules.ts";
import { arrow, brackets, dangerTeeth, emptiedHole, fromRing, hostileTeeth, markAbove, markBelow, road } from "./marks.ts";
import { type MoveInput, sideOf } from "./move_input.ts";
import type { Arrow, BoardState, Mark, Shape } from "./types.ts";
import { rectangle, type View } from "./view.ts";

interface Picture {
  readonly view: View;
  readonly shape: Shape;
  readonly state: BoardState;
  readonly pieces: ReadonlyMap<string, Piece>;
  readonly input: MoveInput;
  readonly marks: readonly Mark[];
  readonly arrows: readonly Arrow[];
  readonly drawn: { readonly arrows: readonly Move[]; readonly circles: readonly string[] };
  readonly hasHints: boolean;
}

export function drawUnder({ view, shape, state, pieces, input, marks, arrows, drawn }: Picture): string {
  const { last } = state;
  const planned = input.premove ?? input.pending;
  const all: Arrow[] = [...arrows, ...drawn.arrows.map((move) => ({ ...move, kind: "drawn" as const }))];
  const waiting: Arrow | null = planned && { ...planned, kind: "planned" };
  if (waiting) all.push(waiting);
  const below: Mark[] = [...marks, ...drawn.circles.map((square) => ({ square, kind: "drawn" as const }))];
  const selected = input.selected === null ? null : view.corner(input.selected);
  return [
    selected ? rectangle("glow", selected.x + 4, selected.y + 4, 92, 92, 5) : "",
    ...shownHostileSquares(shape, state).map((square) => hostileTeeth(view, square)),
    ...below.map((mark) => markBelow(view, mark)),
    last ? fromRing(view, last.from) : "",
    // The road that the king has taken ends in posts of its own.
    last && !state.roads?.some(({ to }) => to === last.to) ? brackets(view, last.to) : "",
    ...(last?.captures ?? []).filter(({ square }) => !pieces.has(square)).map(({ square }) => emptiedHole(view, square)),
    ...all.map((one) => arrow(view, one, pieces.has(one.to) || one === waiting)),
  ].join("");
}

/** Returns the hostile squares to draw: the throne, and those that took part in the last capture. */
function shownHostileSquares(shape: Shape, state: BoardState): string[] {
  const used = new Set(state.last?.captures?.flatMap((capture) => capture.by ?? []));
  const squares = (state.hostile ?? []).map((one) => one.square);
  return squares.filter((square) => square === shape.throne || used.has(square));
}

export function drawOver(picture: Picture): string {
  const { view, state, input, marks } = picture;
  const planned = input.premove ?? input.pending;
  const targets = targetMarks(picture);
  const blocked = targets.filter((mark) => mark.kind === "block").map((mark) => mark.square);
  const danger = state.danger?.threatened && state.king ? dangerTeeth(view, state.king, state.danger.closed) : "";
  const chosen: Mark[] = input.selected ? [{ square: input.selected, kind: "selected" }] : [];
  const dashed: Mark[] = planned ? [planned.from, planned.to].map((square) => ({ square, kind: "planned" })) : [];
  return [
    ...(state.roads ?? []).map(({ from, to }) => road(view, from, to, blocked)),
    ...[...targets, ...chosen, ...dashed, ...marks].map((mark) => markAbove(view, mark)),
    danger,
  ].join("");
}

/** Marks the moves of the selected piece: a dot, a toothed ring for a capture, bars where it closes an open road. */
function targetMarks({ state, pieces, input, hasHints }: Picture): Mark[] {
  const piece = input.selected === null ? undefined : pieces.get(input.selected);
  if (!piece || !hasHints || input.isPremove) return [];
  const roads = sideOf(piece) === "attackers" ? (state.roads ?? []) : [];
  const roadSquares = new Set(roads.flatMap(({ from, to }) => squaresTo(from, to)));
  return input.targets().map(({ to, captures }) => ({
    square: to,
    kind: captures.length > 0 ? "capture" : roadSquares.has(to) ? "block" : "move",
  }));
}
