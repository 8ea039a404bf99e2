// A puzzle, as `puzzles_page.py` puts it into the page, and an attempt at it, as `hnefi.puzzles.attempt` makes one.

import { type Game, Rules, type Side } from "../../rules.ts";
import { plural, t } from "../../texts.ts";
import { moveText } from "../../ui/written_move.ts";

/** The reply to a right move, and the answers to what follows; null where any move that wins at once is right. */
interface Reply {
  readonly move: string;
  readonly moves: number;
  readonly node: Answers | null;
}

interface Answers {
  readonly right: Readonly<Record<string, Reply | null>>;
  /** Replies with the wrong moves that each refutes; the last, without moves, refutes all others. */
  readonly wrong: readonly (readonly string[])[];
}

export interface PuzzleFacts {
  readonly id: string;
  readonly theme: "king_out" | "trap" | "ring" | "only_move";
  readonly side: Side;
  readonly moves: number;
  readonly setup: string;
  readonly node: Answers;
  /** The day of the page, and the puzzles of its week from Monday; empty in a page that is kept for any day. */
  readonly day: string;
  readonly week: readonly { readonly day: string; readonly puzzle: string }[];
  /** The puzzles to go on with. */
  readonly next: readonly string[];
}

/** An attempt: the position to solve, and what is shown of it. */
export interface Attempt {
  readonly game: Game;
  readonly node: Answers | null;
  /** The solver's moves that are left. */
  readonly moves: number;
  readonly kind: "asks" | "wrong" | "right" | "solved" | "shown";
  readonly message: string;
  /** The positions that are shown one after the other: those of a wrong try, or those up to the reply. */
  readonly line: readonly Game[];
  /** The index of the position that is shown. */
  readonly at: number;
}

export async function beginPuzzle(puzzle: PuzzleFacts, tree: object): Promise<Attempt> {
  const game = (await Rules.load(tree)).newGame({ setup: puzzle.setup });
  return { game, node: puzzle.node, moves: puzzle.moves, kind: "asks", message: t("web.puzzle.begin"), line: [game], at: 0 };
}

/** Evaluates a legal move. */
export function answer(puzzle: PuzzleFacts, attempt: Attempt, move: string): Attempt {
  const { game, node } = attempt;
  const after = game.play(move);
  const wrong = (why: string, reply: Game | null, facts = {}) => {
    const line = reply ? [game, after, reply] : [game, after];
    return { ...attempt, kind: "wrong" as const, message: t(`puzzle.why.${why}`, facts), line, at: 1 };
  };
  if (after.state.outcome?.winner === puzzle.side) return solved(puzzle, [game, after]);
  if (after.state.outcome) return wrong("ended", null);
  const next = node?.right[move];
  if (next === null) return solved(puzzle, [game, after]);
  if (next) {
    const replied = after.play(next.move);
    const message = plural("web.puzzle.right", next.moves, { reply: textOf(replied) });
    return { game: replied, node: next.node, moves: next.moves, kind: "right", message, line: [game, after, replied], at: 1 };
  }
  const reply = node?.wrong.find(([, ...moves]) => moves.length === 0 || moves.includes(move))?.[0];
  if (!reply) return wrong(`late.${puzzle.theme}`, null);
  const refuted = after.play(reply);
  return wrong(reason(puzzle, after, refuted), refuted, { reply: textOf(refuted), moves: attempt.moves });
}

/** Returns the code of what a reply does to a wrong move. */
function reason({ side, theme }: PuzzleFacts, after: Game, refuted: Game): string {
  const { outcome, roads, last, danger } = refuted.state;
  if (outcome?.winner && outcome.winner !== side) return `lost.${side}`;
  if (theme === "only_move") return `loses.${side}`;
  if (side === "attackers" && roads.length > 0) return "road";
  const hasThreat = side === "defenders" ? after.state.roads.length > 0 : after.state.danger?.threatened;
  if (!hasThreat) return `free.${theme}`;
  if (side === "defenders") return roads.length === 0 ? "shut" : "slow.defenders";
  if (danger?.threatened) return "slow.attackers";
  return last?.captures.length ? "captured" : "saved";
}

function solved({ theme }: PuzzleFacts, line: readonly Game[]): Attempt {
  const message = t(`web.puzzle.solved.${theme}`);
  return { game: line[line.length - 1] as Game, node: null, moves: 0, kind: "solved", message, line, at: 1 };
}

/** Returns the attempt as it was before a wrong try. */
export function again(attempt: Attempt): Attempt {
  const message = t("web.puzzle.begin");
  return { ...attempt, kind: "asks", message, line: [attempt.game], at: 0 };
}

/** Returns a right move. */
export function solution(puzzle: PuzzleFacts, { game, node }: Attempt): string {
  if (node) return Object.keys(node.right)[0] as string;
  const moves = Object.entries(game.legal).flatMap(([from, targets]) => targets.map(({ to }) => `${from}-${to}`));
  const wins = (move: string) => game.play(move).state.outcome?.winner === puzzle.side;
  return moves.find(wins) as string;
}

/** Formats the last move of a game with its captures. */
export function textOf(game: Game): string {
  return game.parent ? moveText(game.parent, game.state.last?.text ?? "") : "";
}

/** Formats the moves that lead to a position: `e5–e8 ×e9, a4–a5`. */
export function movesTo(game: Game): string {
  return game.parent ? [movesTo(game.parent), textOf(game)].filter(Boolean).join(", ") : "";
}
