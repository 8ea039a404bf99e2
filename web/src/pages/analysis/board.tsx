// The board of the analysis: any legal move can be tried, or a position set up.

import { useMemo } from "preact/hooks";
import type { Arrow, BoardState, Mark, ShowOptions } from "../../board/types.ts";
import { formatPosition, type Position } from "../../positions.ts";
import type { Game, Rules } from "../../rules.ts";
import { Board, type Tool } from "../../ui/board.tsx";

interface Props {
  readonly rules: Rules;
  readonly game: Game;
  readonly isFlipped: boolean;
  readonly arrows: readonly Arrow[];
  readonly move: (move: string) => void;
  readonly refused: (reason: string) => void;
  /** The position that is being set up; null while moves are tried. */
  readonly position: Position | null;
  readonly tool: Tool;
  readonly setPosition: (position: Position) => void;
}

const AT_ONCE: ShowOptions = { animate: false, announce: false };

export function AnalysisBoard({ rules, game, isFlipped, arrows, move, refused, position, tool, setPosition }: Props) {
  const state = useMemo(
    (): BoardState => (position ? { position: formatPosition(position), turn: position.turn } : { ...game.state, legal: game.legal }),
    [game, position],
  );
  const marks = useMemo(() => (position ? faultMarks(rules, position) : undefined), [position]);
  const play = (text: string) => {
    move(text);
    return true;
  };
  return (
    <Board
      shape={rules.facts}
      state={state}
      {...(position ? { showOptions: AT_ONCE } : {})}
      isFlipped={isFlipped}
      arrows={position ? undefined : arrows}
      marks={marks}
      game={position ? null : game}
      move={play}
      refused={refused}
      editing={position && { position, tool, change: setPosition }}
    />
  );
}

/** Returns marks on the squares that the rules object to. */
function faultMarks(rules: Rules, position: Position): readonly Mark[] {
  const squares = rules.check(formatPosition(position)).faults.map(({ facts }) => facts["square"] ?? "");
  return squares.filter(Boolean).map((square) => ({ square, kind: "highlight" }));
}
