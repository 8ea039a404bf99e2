"""Checks of puzzles from files: that all stored moves are legal, and that the solution wins as it says.

Whether another move wins too, or wins sooner, is what `hnefi.lab.puzzle_proofs` proves.
"""

from pathlib import Path

from hnefi._core import Game, Move
from hnefi.errors import HnefiError
from hnefi.puzzles.model import THEMES, Node, Puzzle, Reply


class PuzzleError(HnefiError):
    """A line of a file of puzzles that lacks a key, or whose puzzle claims something false."""

    @classmethod
    def of_line(cls, path: Path, line: int, part: str, **facts: object) -> "PuzzleError":
        """Creates the error of a line; `part` names the kind of fault."""
        return cls.of_facts("bad_puzzle", path=path, line=line, part=part, **facts)


def stored_fault(puzzle: Puzzle) -> dict[str, str] | None:
    """Returns the fault of the stored answers: its `part`, and the move; None if there is none.

    Raises:
        HnefiError: If the variant is unknown, or a move is illegal.
        ValueError, TypeError: If the number of moves is none.
    """
    if puzzle.moves < 1 or puzzle.tempting < 0:
        raise ValueError(f"moves: {puzzle.moves}, tempting: {puzzle.tempting}")
    if puzzle.theme not in THEMES:
        return {"part": "theme", "found": puzzle.theme, "expected": " | ".join(THEMES)}
    return _fault_of(puzzle, puzzle.new_game(), puzzle.node, puzzle.moves)


def _fault_of(puzzle: Puzzle, game: Game, node: Node, moves: int) -> dict[str, str] | None:
    """Returns the first fault from a position on, in which so many moves of the solver are left."""
    if game.turn is not puzzle.side or not node.right:
        return {"part": "no_solution"}
    for move, reply in node.right.items():
        fault = _fault_after(puzzle, game.play(move), move, reply, moves)
        if fault is not None:
            return fault
    if moves == 1 and puzzle.theme != "only_move":
        return None
    for move in game.legal_moves():
        after = game.play(move)
        if move in node.right or after.outcome is not None:
            continue
        refutation = node.refutation(move)
        if refutation is None or not after.is_legal(refutation):
            return {"part": "no_answer", "move": str(move)}
    return None


def _fault_after(
    puzzle: Puzzle, after: Game, move: Move, reply: Reply | None, moves: int
) -> dict[str, str] | None:
    """Returns the fault of what is stored for a right move."""
    no_win = {"part": "no_win", "move": str(move), "count": str(moves)}
    if after.outcome is not None:
        return None if after.outcome.winner is puzzle.side else no_win
    if puzzle.theme == "only_move":
        return None
    if reply is None or not 0 < reply.moves < moves:
        return no_win
    game = after.play(reply.move)
    if reply.node is not None:
        return _fault_of(puzzle, game, reply.node, reply.moves)
    ends = (game.play(last).outcome for last in game.legal_moves())
    return None if any(end is not None and end.winner is puzzle.side for end in ends) else no_win
