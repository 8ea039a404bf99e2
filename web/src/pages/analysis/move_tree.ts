// A tree of moves; the first child of a ply continues its main line. Trees are values: a change returns another one.

import type { TreePlyView } from "../../messages.ts";

export const GLYPHS = ["!!", "!", "!?", "?!", "?", "??"] as const;
type Glyph = NonNullable<TreePlyView["glyph"]>;

/** The names of the glyphs: the ends of the keys of their texts. */
export const GLYPH_NAMES: Readonly<Record<string, string>> = {
  "!!": "brilliant",
  "!": "good",
  "!?": "interesting",
  "?!": "dubious",
  "?": "mistake",
  "??": "blunder",
};

export interface Ply {
  readonly id: number;
  /** The ply before it; the start is its own parent. */
  readonly parent: number;
  readonly children: readonly number[];
  readonly move: string;
  readonly glyph: Glyph;
  readonly comments: readonly string[];
  /** Comments before it, where it begins a variation. */
  readonly before: readonly string[];
  readonly call: number;
  readonly clock_ms: number | null;
  readonly status: NonNullable<TreePlyView["status"]>;
}

/** A move and its call. */
export type CalledMove = readonly [move: string, call: number];

export interface MoveTree {
  readonly plies: ReadonlyMap<number, Ply>;
  /** The id of the next ply that is added. */
  readonly next: number;
}

/** The id of the start, which has no move. Its comments stand before the first move. */
export const START = 0;

const BARE_PLY = { children: [], glyph: "", comments: [], before: [], call: 0, clock_ms: null, status: "played" } as const;

export const EMPTY: MoveTree = { plies: new Map([[START, { ...BARE_PLY, id: START, parent: START, move: "" }]]), next: 1 };

/** Returns the ply with an id; the start if there is none. */
export function plyOf(tree: MoveTree, id: number): Ply {
  return tree.plies.get(id) ?? (tree.plies.get(START) as Ply);
}

/** Builds a tree from a list of plies, each with the index of its parent; -1 for the start. */
export function treeOf(list: readonly TreePlyView[], comments: readonly string[]): MoveTree {
  const plies = new Map<number, Ply & { children: number[] }>();
  plies.set(START, { ...BARE_PLY, children: [], comments, id: START, parent: START, move: "" });
  list.forEach((view, place) => {
    const id = place + 1;
    const parent = plies.get(view.parent + 1);
    if (!parent || parent.id === id) return;
    parent.children.push(id);
    const { move, glyph = "", comments: own = [], before = [], call = 0, clock_ms = null, status = "played" } = view;
    plies.set(id, { id, parent: parent.id, children: [], move, glyph, comments: own, before, call, clock_ms, status });
  });
  return { plies, next: list.length + 1 };
}

/** Lists the plies in the order of a record: a ply, the alternatives to it, what follows it. */
export function flatten(tree: MoveTree): TreePlyView[] {
  const list: TreePlyView[] = [];
  const write = (first: number, parentPlace: number): void => {
    let [id, parent]: [number | undefined, number] = [first, parentPlace];
    while (id !== undefined) {
      const ply: Ply = plyOf(tree, id);
      const { move, glyph, comments, before, call, clock_ms, status } = ply;
      const place = list.length;
      list.push({ parent, move, glyph, comments: [...comments], before: [...before], call, clock_ms, status });
      const [main, ...others] = plyOf(tree, ply.parent).children;
      if (main === id) for (const other of others) write(other, parent);
      [id, parent] = [ply.children[0], place];
    }
  };
  const [first] = plyOf(tree, START).children;
  if (first !== undefined) write(first, -1);
  return list;
}

/** Returns the plies from the first to one of them. */
export function pathTo(tree: MoveTree, id: number): readonly Ply[] {
  const path: Ply[] = [];
  for (let at = plyOf(tree, id); at.id !== START; at = plyOf(tree, at.parent)) path.push(at);
  return path.reverse();
}

/** Returns the last ply of the main line after one. */
export function endOf(tree: MoveTree, id: number): number {
  let at = id;
  for (let next: number | undefined = id; next !== undefined; [next] = countedAfter(tree, at)) at = next;
  return at;
}

/** Returns the moves after a ply that were not taken back: the main line first. */
export function countedAfter(tree: MoveTree, id: number): readonly number[] {
  return plyOf(tree, id).children.filter((child) => !isUndone(tree, child));
}

/** A move that counts, none at the end of a line, and the moves taken back before it, which are listed behind it. */
export interface Alternative {
  counted?: number;
  readonly undone: number[];
}

/** Returns the alternatives after a ply. */
export function alternativesAfter(tree: MoveTree, id: number): readonly Alternative[] {
  const found: Alternative[] = [];
  for (const child of plyOf(tree, id).children) {
    const last = found.at(-1);
    if (isUndone(tree, child)) {
      if (last) last.undone.push(child);
      else found.push({ undone: [child] });
    } else if (last && last.counted === undefined) last.counted = child;
    else found.push({ counted: child, undone: [] });
  }
  return found;
}

/** Returns a tree that was listed as a record has it, where what was taken back is before the move that counts. */
export function countedFirst(tree: MoveTree): MoveTree {
  const plies = new Map(tree.plies);
  for (const ply of tree.plies.values()) {
    const children: number[] = [];
    let undone: number[] = [];
    for (const child of ply.children) {
      if (isUndone(tree, child)) undone.push(child);
      else {
        children.push(child, ...undone);
        undone = [];
      }
    }
    plies.set(ply.id, { ...ply, children: [...children, ...undone] });
  }
  return { ...tree, plies };
}

/** Checks whether a move was taken back for a refused escape, after which nothing follows; else both count. */
export function isUndone(tree: MoveTree, id: number): boolean {
  const { status, children } = plyOf(tree, id);
  const after = plyOf(tree, children[0] ?? START);
  return status === "taken_back" && after.status === "refused" && after.children.length === 0;
}

/** Checks whether a ply is on the main line. */
export function isMain(tree: MoveTree, id: number): boolean {
  return pathTo(tree, id).every((ply) => plyOf(tree, ply.parent).children[0] === ply.id);
}

/** Returns the next or the previous alternative to a ply; the ply itself if there is none. */
export function sibling(tree: MoveTree, id: number, step: 1 | -1): number {
  const all = plyOf(tree, plyOf(tree, id).parent).children;
  return id === START ? id : (all[all.indexOf(id) + step] ?? id);
}

/** Plays a move after a ply. Returns the tree, which has grown if the move is new, and the ply of the move. */
export function play(tree: MoveTree, after: number, move: string, call = 0): [MoveTree, number] {
  const parent = plyOf(tree, after);
  const known = parent.children.find((id) => plyOf(tree, id).move === move && plyOf(tree, id).status === "played");
  if (known !== undefined) return [tree, known];
  const id = tree.next;
  const plies = new Map(tree.plies);
  plies.set(id, { ...BARE_PLY, id, parent: after, move, call });
  // The first move that counts is before what was taken back.
  const children = countedAfter(tree, after).length === 0 ? [id, ...parent.children] : [...parent.children, id];
  plies.set(after, { ...parent, children });
  return [{ plies, next: id + 1 }, id];
}

/** Adds a move that was taken back for the refused escape after it, if it is new. */
export function playUndone(tree: MoveTree, after: number, [move, call]: CalledMove, [escape, called]: CalledMove): MoveTree {
  const parent = plyOf(tree, after);
  const isKnown = (id: number) => isUndone(tree, id) && plyOf(tree, id).move === move;
  if (parent.children.some(isKnown)) return tree;
  const [id, refused] = [tree.next, tree.next + 1];
  const plies = new Map(tree.plies);
  plies.set(id, { ...BARE_PLY, id, parent: after, children: [refused], move, call, status: "taken_back" });
  plies.set(refused, { ...BARE_PLY, id: refused, parent: id, move: escape, call: called, status: "refused" });
  plies.set(after, { ...parent, children: [...parent.children, id] });
  return { plies, next: refused + 1 };
}

export function change(tree: MoveTree, id: number, changed: Partial<Pick<Ply, "glyph" | "comments" | "children">>): MoveTree {
  const plies = new Map(tree.plies);
  plies.set(id, { ...plyOf(tree, id), ...changed });
  return { ...tree, plies };
}

/** Makes the line through a ply the main line. */
export function promote(tree: MoveTree, id: number): MoveTree {
  return pathTo(tree, id).reduce((changed, ply) => {
    const alternatives = alternativesAfter(changed, ply.parent).map(movesOf);
    const isThis = (moves: readonly number[]) => moves.includes(ply.id);
    const [first, others] = [alternatives.filter(isThis), alternatives.filter((moves) => !isThis(moves))];
    return change(changed, ply.parent, { children: [...first, ...others].flat() });
  }, tree);
}

/** Returns the moves of an alternative in the order in which they are listed. */
function movesOf({ counted, undone }: Alternative): readonly number[] {
  return counted === undefined ? undone : [counted, ...undone];
}

/** Returns the tree without a ply, everything after it and what was taken back before it, and the ply before it. */
export function removed(tree: MoveTree, id: number): { tree: MoveTree; at: number } {
  const { parent } = plyOf(tree, id);
  const plies = new Map(tree.plies);
  // What was taken back before the first alternative is then followed by the next one.
  const [, ...others] = alternativesAfter(tree, parent);
  const without = new Set([id, ...(others.find(({ counted }) => counted === id)?.undone ?? [])]);
  const gone = [...without];
  for (let at = gone.pop(); at !== undefined; at = gone.pop()) {
    gone.push(...plyOf(tree, at).children);
    plies.delete(at);
  }
  const children = plyOf(tree, parent).children.filter((child) => !without.has(child));
  plies.set(parent, { ...plyOf(tree, parent), children });
  return { tree: { ...tree, plies }, at: parent };
}
