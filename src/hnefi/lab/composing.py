"""Puzzles from positions that somebody composed: the puzzle, or why the position is none."""

from typing import Any

from hnefi._core import Game, Move
from hnefi.errors import HnefiError
from hnefi.lab.positions import from_position
from hnefi.lab.puzzle_proofs import Prover, TooLongError, solution_tree
from hnefi.lab.puzzles import LONGEST, THEMES_OF_ENDS, Record, only_move_puzzle, other_winner, record_of

# The most positions in which a proof may look for a move that wins at once.
_BUDGET = 100_000


class NoPuzzleError(HnefiError):
    """Raised for a position that is no puzzle; `part` names the reason."""

    @classmethod
    def because(cls, part: str, **facts: object) -> "NoPuzzleError":
        """Creates the error of a reason."""
        return cls.of_facts("no_puzzle", part=part, **facts)


def composed_puzzle(game: Game) -> Record:
    """Returns the puzzle of a position: the only move that wins in time, or the only one that does not lose.

    Raises:
        NoPuzzleError: `no_puzzle`, with the reason.
    """
    game = from_position(game)
    if game.turn is None:
        raise NoPuzzleError.because("over")
    prover = Prover(game.turn, _BUDGET)
    count, searched = _fewest_moves(prover, game)
    try:
        found = _winning_puzzle(prover, game, count) if count else only_move_puzzle(game, lambda *_: True)
    except TooLongError:
        raise NoPuzzleError.because("too_long") from None
    if found is None:
        raise NoPuzzleError.because("no_win", count=searched)
    return found


def _fewest_moves(prover: Prover, game: Game) -> tuple[int, int]:
    """Returns in how many moves the side to move wins, 0 if unknown, and to what number all were searched."""
    for count in range(1, LONGEST + 1):
        try:
            if prover.wins_within(game, count):
                return count, count
        except TooLongError:
            return 0, count - 1
    return 0, LONGEST


def _winning_puzzle(prover: Prover, game: Game, count: int) -> Record:
    winning = prover.winning_moves(game, count)
    if len(winning) > 1:
        raise NoPuzzleError.because("several", moves=" ".join(map(str, winning)), count=count)
    other = other_winner(game, winning)
    if other is not None:
        raise NoPuzzleError.because("later", solution=winning[0], count=count, move=other)
    tree = solution_tree(prover, game, count)
    theme = _theme(prover, game, tree)
    if theme is None:
        raise NoPuzzleError.because("other_end", solution=winning[0], count=count)
    return record_of(game, theme, count, winning[0], tree)


def _theme(prover: Prover, game: Game, tree: list[Any] | None) -> str | None:
    """Returns the theme of the end of the solution; None if the game ends in another way."""
    while tree is not None:
        move, reply = next(iter(tree[0].items()))
        game = game.play(Move(move))
        if reply is None:
            break
        written, _, tree = reply
        game = game.play(Move(written))
    if game.outcome is None:
        game = game.play(prover.winning_moves(game, 1)[0])
    return THEMES_OF_ENDS.get(game.outcome.reason) if game.outcome is not None else None
