"""Move choice of levels: by preference, and at random among moves of similar score."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from hnefi._core import Game, Move, evaluate
from hnefi.engine.levels import Level
from hnefi.engine.weights import Weights, weights_for
from hnefi.pieces import Piece, Side

__all__ = ["Candidate", "choose_move", "static_candidates"]

_WON = 10_000
# Penalty for moving a piece back to where it has just come from.
_MOVE_BACK_PENALTY = 30


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move with its score for the side that plays it."""

    move: Move
    value: int


def static_candidates(game: Game, legal: Sequence[Move], weights: Weights | None = None) -> list[Candidate]:
    """Scores moves by the static evaluation of the position after them, without a search."""
    side = game.turn
    assert side is not None
    text = (weights or weights_for(game.rules)).text
    sign = 1 if side is Side.ATTACKERS else -1
    candidates = []
    for move in legal:
        after = game.play(move)
        if after.outcome is None:
            candidates.append(Candidate(move, sign * evaluate(after, text)))
        else:
            winner = after.outcome.winner
            candidates.append(Candidate(move, 0 if winner is None else _WON if winner is side else -_WON))
    return candidates


def choose_move(game: Game, candidates: Sequence[Candidate], level: Level, rng: random.Random) -> Move:
    """Chooses a move within the margin of the level at random, by softmax of score and preference."""
    best = max(candidate.value for candidate in candidates)
    if best >= _WON:
        return next(candidate.move for candidate in candidates if candidate.value == best)
    margin = level.margin_at(game.ply_count)
    near = [candidate for candidate in candidates if candidate.value >= best - margin]
    if level.temperature <= 0:
        return near[0].move
    preferred = [candidate.value + _preference(game, candidate.move, level) for candidate in near]
    top = max(preferred)
    weights = [math.exp((value - top) / level.temperature) for value in preferred]
    return rng.choices([candidate.move for candidate in near], weights)[0]


def _preference(game: Game, move: Move, level: Level) -> int:
    """Returns the bonus a level gives to kinds of moves, good or not."""
    bonus = -_MOVE_BACK_PENALTY if level.margin and _moves_back(game, move) else 0
    if level.capture:
        bonus += level.capture * len(game.position.describe(move).captures)
    if level.king and game.position.piece_at(move.from_square) is Piece.KING:
        bonus += level.king
    return bonus


def _moves_back(game: Game, move: Move) -> bool:
    previous = game.parent.last if game.parent else None
    return (
        previous is not None
        and previous.side is game.turn
        and (previous.move.from_square, previous.move.to_square) == (move.to_square, move.from_square)
    )
