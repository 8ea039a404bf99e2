"""A simulated beginner, who plays what a child sees on the board and searches nothing."""

import random
from collections.abc import Sequence

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
    position = game.position
    legal = position.legal_moves()
    described = [(move, position.describe(move)) for move in legal]
    side = position.turn
    won = [move for move, seen in described if seen.outcome is not None and seen.outcome.winner is side]
    if won:
        return rng.choice(won)
    if side is Side.ATTACKERS and position.open_roads:
        closing = [move for move in legal if not position.play(move).open_roads]
        if closing:
            return rng.choice(closing)
    captures = [(len(seen.captures), move) for move, seen in described if seen.captures]
    if captures:
        most = max(count for count, _ in captures)
        return rng.choice([move for count, move in captures if count == most])
    if side is Side.DEFENDERS:
        running = _running(position, legal)
        if running:
            return rng.choice(running)
    return rng.choice(legal)


def _running(position: Position, legal: Sequence[Move]) -> list[Move]:
    """Returns the moves of the king after which he has an open road."""
    king = position.king
    return [move for move in legal if move.from_square == king and position.play(move).open_roads]
