"""Slow and simple solvers, to which search and prover are compared."""

from functools import lru_cache

from hnefi import Game, Side
from hnefi._core import Searcher, evaluate
from tests.reference.board import Rules as ReferenceRules
from tests.reference.board import State, format_position, parse_position
from tests.reference.tafl import (
    Outcome,
    after_forced_pass,
    apply_move,
    legal_moves,
    outcome_as_loaded,
    outcome_of_quiet_moves,
    outcome_without_move,
)

WIN = 32_000
# More plies than any win takes.
NEVER = 1_000_000


def minimax(game: Game, depth: int, ply: int = 0) -> int:
    """Returns the minimax score for the attackers at a depth."""
    if game.turn is None:
        winner = game.outcome.winner if game.outcome else None
        if winner is None:
            return 0
        return WIN - ply if winner is Side.ATTACKERS else ply - WIN
    if depth == 0:
        return evaluate(game)
    scores = [minimax(game.play(move), depth - 1, ply + 1) for move in game.legal_moves()]
    return max(scores) if game.turn is Side.ATTACKERS else min(scores)


def proved(
    searcher: Searcher, game: Game, side: Side, nodes: int, table_mib: int
) -> tuple[list[tuple[str, str]], int]:
    """Proves a win; returns its certificate for the reference, and its plies at most."""
    answer, _, proof = searcher.prove(game, side, nodes=nodes, table_mib=table_mib)
    assert answer == "proven", f"{game.position} {side.value}"
    assert proof is not None
    return [(str(setup), str(move)) for setup, move in proof[0]], proof[2]


class TooLargeError(Exception):
    """Raised if there are more positions than the solver may visit."""


class Solver:
    """Decides exhaustively, on the reference, whether a side has a forced win within the quiet limit.

    Position and counter together are never met twice in one line, so that the results can be kept.
    """

    def __init__(self, rules: ReferenceRules, winner: str, most: int) -> None:
        self.rules = rules
        self.winner = winner
        self.left = most
        self._kept = lru_cache(maxsize=None)(self._look)

    def wins(self, position: str) -> bool:
        """Returns the value of a position.

        Raises:
            TooLargeError: If there is too much to look at.
        """
        state = parse_position(position)
        outcome = outcome_as_loaded(self.rules, state)
        if outcome is not None:
            return outcome.winner == self.winner
        return self._kept(format_position(after_forced_pass(self.rules, state)))

    def _look(self, position: str) -> bool:
        self.left -= 1
        if self.left < 0:
            raise TooLargeError
        state = parse_position(position)
        results = (self._after(state, move) for move in legal_moves(self.rules, state))
        return any(results) if state.side == self.winner else all(results)

    def _after(self, state: State, move: str) -> bool:
        after, outcome = self._played(state, move)
        if outcome is not None:
            return outcome.winner == self.winner
        return self._kept(format_position(after))

    def _played(self, state: State, move: str) -> tuple[State, Outcome | None]:
        result = apply_move(self.rules, state, move)
        outcome = (
            result.outcome
            or outcome_of_quiet_moves(self.rules, result.state)
            or outcome_without_move(self.rules, result.state)
        )
        return (result.state, outcome) if outcome else (after_forced_pass(self.rules, result.state), None)


class Lengths(Solver):
    """Finds the length of forced wins exhaustively, on the reference."""

    def __init__(self, rules: ReferenceRules, winner: str, most: int) -> None:
        super().__init__(rules, winner, most)
        self._measured = lru_cache(maxsize=None)(self._measure)

    def plies(self, position: str) -> int:
        """Returns the length of the win of a position that is won and not over.

        Raises:
            TooLargeError: If there is too much to look at.
        """
        return self._measured(format_position(after_forced_pass(self.rules, parse_position(position))))

    def _measure(self, position: str) -> int:
        self.left -= 1
        if self.left < 0:
            raise TooLargeError
        state = parse_position(position)
        lengths = (self._plies_after(state, move) for move in legal_moves(self.rules, state))
        return 1 + (min(lengths) if state.side == self.winner else max(lengths))

    def _plies_after(self, state: State, move: str) -> int:
        after, outcome = self._played(state, move)
        if outcome is not None:
            return 0 if outcome.winner == self.winner else NEVER
        return self._measured(format_position(after))
