"""An attempt at a puzzle: evaluates moves, and explains why wrong ones fail."""

from dataclasses import dataclass
from typing import Literal

from hnefi._core import Game, Move
from hnefi.i18n import text
from hnefi.pieces import Side
from hnefi.puzzles.model import Node, Puzzle


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a move.

    Attributes:
        kind: Whether the move is wrong, right, or the last of the solution.
        reply: The move of the other side; None if it makes none.
        why: The code of the reason why a wrong move fails, as in the texts `puzzle.why.*`.
        attempt: The attempt that goes on: after a wrong move the same, after a right one the next.
    """

    kind: Literal["wrong", "right", "solved"]
    reply: Move | None
    why: str | None
    attempt: "Attempt"

    def explanation(self, lang: str | None = None) -> str:
        """Returns why a wrong move fails; empty for the others."""
        if self.why is None:
            return ""
        return text(f"puzzle.why.{self.why}", lang, reply=str(self.reply), moves=self.attempt.moves)


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a puzzle.

    Attributes:
        game: The game so far; the solver is to move.
        moves: The solver's moves that are left.
        node: The answers; None where any move that wins at once is right.

    >>> from hnefi.puzzles import puzzles
    >>> two = next(one for one in puzzles(theme="king_out") if one.moves == 2)
    >>> answer = Attempt.begin(two).answer(two.solution)
    >>> answer.kind, answer.attempt.moves
    ('right', 1)
    """

    puzzle: Puzzle
    game: Game
    moves: int
    node: Node | None

    @staticmethod
    def begin(puzzle: Puzzle) -> "Attempt":
        """Returns an attempt at the start of a puzzle."""
        return Attempt(puzzle, puzzle.new_game(), puzzle.moves, puzzle.node)

    def answer(self, move: Move | str) -> Answer:
        """Evaluates a move.

        Raises:
            IllegalMove: If it is not legal.
        """
        after, move = self.game.play(move), Move(move)
        if after.outcome is not None and after.outcome.winner is self.puzzle.side:
            return Answer("solved", None, None, self)
        if after.outcome is not None:
            return Answer("wrong", None, "ended", self)
        if self.node is None or (move not in self.node.right and not self.node.wrong):
            return Answer("wrong", None, f"late.{self.puzzle.theme}", self)
        if move not in self.node.right:
            reply = self.node.refutation(move)
            assert reply is not None
            return Answer("wrong", reply, self._reason(after, after.play(reply)), self)
        continuation = self.node.right[move]
        if continuation is None:
            return Answer("solved", None, None, self)
        game = after.play(continuation.move)
        following = Attempt(self.puzzle, game, continuation.moves, continuation.node)
        return Answer("right", continuation.move, None, following)

    def _reason(self, after: Game, refuted: Game) -> str:
        """Returns the code of what the reply does."""
        side, theme = self.puzzle.side, self.puzzle.theme
        if refuted.outcome is not None and refuted.outcome.winner is side.opponent:
            return f"lost.{side.value}"
        if theme == "only_move":
            return f"loses.{side.value}"
        if side is Side.ATTACKERS and refuted.position.open_roads:
            return "road"
        # Where the wrong move threatens nothing, almost any reply refutes it: the stored one proves nothing.
        has_threat = after.position.open_roads if side is Side.DEFENDERS else after.position.threatened_king
        if not has_threat:
            return f"free.{theme}"
        is_capture = refuted.last is not None and len(refuted.last.captures) > 0
        if side is Side.DEFENDERS:
            return "shut" if not refuted.position.open_roads else "slow.defenders"
        if refuted.position.threatened_king:
            return "slow.attackers"
        return "captured" if is_capture else "saved"

    def solution(self) -> Move:
        """Returns a right move."""
        if self.node is not None:
            return next(iter(self.node.right))
        side = self.puzzle.side
        for move in self.game.legal_moves():
            outcome = self.game.play(move).outcome
            if outcome is not None and outcome.winner is side:
                return move
        raise AssertionError("a puzzle has a solution")

    def line(self) -> list[Move]:
        """Returns the moves of both sides up to the end.

        >>> from hnefi.puzzles import puzzle
        >>> len(Attempt.begin(puzzle("brandub-globe-1")).line())
        3
        """
        move = self.solution()
        answer = self.answer(move)
        return [move] if answer.reply is None else [move, answer.reply, *answer.attempt.line()]
