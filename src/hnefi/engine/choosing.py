"""How a level chooses among moves: as people do, by preference, and by chance among moves of like worth."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from hnefi._core import Game, Move, evaluate
from hnefi.engine.levels import Level
from hnefi.engine.weights import Weights, weights_for
from hnefi.pieces import Piece, Side

__all__ = ["Candidate", "choose", "seen_at_a_glance"]

_WON = 10_000
# Nobody likes to play a piece back to where it has just come from.
_GOING_BACK = 30


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move, and what it seems to be worth to the side that plays it."""

    move: Move
    value: int


def seen_at_a_glance(game: Game, legal: Sequence[Move], weights: Weights | None = None) -> list[Candidate]:
    """Judges moves by the board after them, without any thought for what the other side may answer."""
    side = game.turn
    assert side is not None
    text = (weights or weights_for(game.rules)).text
    sign = 1 if side is Side.ATTACKERS else -1
    found = []
    for move in legal:
        after = game.play(move)
        if after.outcome is None:
            found.append(Candidate(move, sign * evaluate(after, text)))
        else:
            winner = after.outcome.winner
            found.append(Candidate(move, 0 if winner is None else _WON if winner is side else -_WON))
    return found


def choose(game: Game, candidates: Sequence[Candidate], level: Level, chance: random.Random) -> Move:
    """Chooses a move: never one that is worse by more than the level's margin than the best."""
    best = max(candidate.value for candidate in candidates)
    if best >= _WON:
        return next(candidate.move for candidate in candidates if candidate.value == best)
    margin = level.margin_at(game.ply_count)
    near = [candidate for candidate in candidates if candidate.value >= best - margin]
    if level.temperature <= 0:
        return near[0].move
    liked = [candidate.value + _liking(game, candidate.move, level) for candidate in near]
    top = max(liked)
    weights = [math.exp((value - top) / level.temperature) for value in liked]
    return chance.choices([candidate.move for candidate in near], weights)[0]


def _liking(game: Game, move: Move, level: Level) -> int:
    """Gives what a level likes about a move, whether it is good or not."""
    liking = -_GOING_BACK if level.margin and _goes_back(game, move) else 0
    if level.capture:
        liking += level.capture * len(game.position.describe(move).captures)
    if level.king and game.position.piece_at(move.from_square) is Piece.KING:
        liking += level.king
    return liking


def _goes_back(game: Game, move: Move) -> bool:
    own = game.parent.last if game.parent else None
    return (
        own is not None
        and own.side is game.turn
        and (own.move.from_square, own.move.to_square) == (move.to_square, move.from_square)
    )
