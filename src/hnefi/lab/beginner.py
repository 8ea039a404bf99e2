"""A simulated beginner, who plays what a child sees on the board and searches nothing."""

import random
from collections.abc import Iterator

from hnefi._core import Game, Move, Position
from hnefi.pieces import Side


def beginner_move(game: Game, rng: random.Random) -> Move:
    """Chooses a move as a beginner does, in a game that is not over.

    The first of these that is possible, at random among equals:

    1. a move that wins at once: the king escapes, or is captured;
    2. as the attackers, if the king has an open road, a move after which he has none;
    3. the capture of the most pieces;
    4. as the defenders, a move of the king after which he has an open road;
    5. any other move.
    """
    return rng.choice(next(filter(None, _liked(game.position))))


def _liked(position: Position) -> Iterator[list[Move]]:
    """Iterates over the moves of each of the five kinds; there may be none of a kind but the last."""
    legal, side, king = position.legal_moves(), position.turn, position.king
    seen = {move: position.describe(move) for move in legal}
    yield [move for move in legal if (end := seen[move].outcome) is not None and end.winner is side]
    if side is Side.ATTACKERS and position.open_roads:
        yield [move for move in legal if not position.play(move).open_roads]
    most = max(len(one.captures) for one in seen.values())
    yield [move for move in legal if len(seen[move].captures) == most > 0]
    if side is Side.DEFENDERS:
        yield [move for move in legal if move.from_square == king and position.play(move).open_roads]
    yield legal
