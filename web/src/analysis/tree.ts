// The moves that were tried: a tree, the first child of a ply its main line. A value: every change gives a new one.

import type { TreePlyView } from "../messages.ts";

export const GLYPHS = ["!!", "!", "!?", "?!", "?", "??"] as const;
type Glyph = NonNullable<TreePlyView["glyph"]>;

/** How a glyph is called: the end of the key of its text. */
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
  /** The ply it follows; that of the start is its own. */
  readonly parent: number;
  readonly children: readonly number[];
  readonly move: string;
  readonly glyph: Glyph;
  readonly comments: readonly string[];
  /** What is said before it where it begins a side line. */
  readonly before: readonly string[];
  readonly call: number;
  readonly clock_ms: number | null;
}

export interface Tree {
  readonly plies: ReadonlyMap<number, Ply>;
  readonly next: number;
}

/** The start has no move; its comments are said before the first. */
export const START = 0;

const PLAIN = { children: [], glyph: "", comments: [], before: [], call: 0, clock_ms: null } as const;

/** A tree without moves. */
export const EMPTY: Tree = { plies: new Map([[START, { ...PLAIN, id: START, parent: START, move: "" }]]), next: 1 };

export function plyOf(tree: Tree, id: number): Ply {
  return tree.plies.get(id) ?? (tree.plies.get(START) as Ply);
}

/** Makes a tree of a list of plies, each with the place of its parent. */
export function grow(list: readonly TreePlyView[], comments: readonly string[]): Tree {
  const plies = new Map<number, Ply & { children: number[] }>();
  plies.set(START, { ...PLAIN, children: [], comments, id: START, parent: START, move: "" });
  list.forEach((view, place) => {
    const id = place + 1;
    const parent = plies.get(view.parent + 1);
    if (!parent || parent.id === id) return;
    parent.children.push(id);
    const { move, glyph = "", comments: said = [], before = [], call = 0, clock_ms = null } = view;
    plies.set(id, { id, parent: parent.id, children: [], move, glyph, comments: said, before, call, clock_ms });
  });
  return { plies, next: list.length + 1 };
}

/** Lists the plies as they are written: a ply, what could have been played instead, what follows it. */
export function flatten(tree: Tree): TreePlyView[] {
  const list: TreePlyView[] = [];
  const write = (first: number, parentPlace: number): void => {
    let [id, parent]: [number | undefined, number] = [first, parentPlace];
    while (id !== undefined) {
      const ply: Ply = plyOf(tree, id);
      const { move, glyph, comments, before, call, clock_ms } = ply;
      const place = list.length;
      list.push({ parent, move, glyph, comments: [...comments], before: [...before], call, clock_ms });
      const [main, ...others] = plyOf(tree, ply.parent).children;
      if (main === id) for (const other of others) write(other, parent);
      [id, parent] = [ply.children[0], place];
    }
  };
  const [first] = plyOf(tree, START).children;
  if (first !== undefined) write(first, -1);
  return list;
}

/** The plies from the start to one of them, without the start. */
export function pathTo(tree: Tree, id: number): readonly Ply[] {
  const path: Ply[] = [];
  for (let at = plyOf(tree, id); at.id !== START; at = plyOf(tree, at.parent)) path.push(at);
  return path.reverse();
}

/** The last ply of the line that goes on from one. */
export function endOf(tree: Tree, id: number): number {
  let at = plyOf(tree, id);
  for (let next = at.children[0]; next !== undefined; next = at.children[0]) at = plyOf(tree, next);
  return at.id;
}

/** Whether a ply is on the main line. */
export function isMain(tree: Tree, id: number): boolean {
  return pathTo(tree, id).every((ply) => plyOf(tree, ply.parent).children[0] === ply.id);
}

/** Another alternative to a ply: the next one, or the one before; the ply itself if there is none. */
export function sibling(tree: Tree, id: number, step: 1 | -1): number {
  const all = plyOf(tree, plyOf(tree, id).parent).children;
  return id === START ? id : (all[all.indexOf(id) + step] ?? id);
}

/** Goes to a move after a ply, added if it is not there. */
export function play(tree: Tree, after: number, move: string): [Tree, number] {
  const parent = plyOf(tree, after);
  const known = parent.children.find((id) => plyOf(tree, id).move === move);
  if (known !== undefined) return [tree, known];
  const id = tree.next;
  const plies = new Map(tree.plies);
  plies.set(id, { ...PLAIN, id, parent: after, move });
  plies.set(after, { ...parent, children: [...parent.children, id] });
  return [{ plies, next: id + 1 }, id];
}

/** Changes what is said about a ply. */
export function change(tree: Tree, id: number, changed: Partial<Pick<Ply, "glyph" | "comments" | "children">>): Tree {
  const plies = new Map(tree.plies);
  plies.set(id, { ...plyOf(tree, id), ...changed });
  return { ...tree, plies };
}

/** Makes the line of a ply the main line, there and all the way up. */
export function promote(tree: Tree, id: number): Tree {
  return pathTo(tree, id).reduce((grown, ply) => {
    const parent = plyOf(grown, ply.parent);
    const others = parent.children.filter((child) => child !== ply.id);
    return change(grown, parent.id, { children: [ply.id, ...others] });
  }, tree);
}

/** Takes a ply away with everything after it. */
export function remove(tree: Tree, id: number): Tree {
  const { parent } = plyOf(tree, id);
  if (id === START) return tree;
  const plies = new Map(tree.plies);
  const gone = [id];
  for (let at = gone.pop(); at !== undefined; at = gone.pop()) {
    gone.push(...plyOf(tree, at).children);
    plies.delete(at);
  }
  const children = plyOf(tree, parent).children.filter((child) => child !== id);
  plies.set(parent, { ...plyOf(tree, parent), children });
  return { ...tree, plies };
}
