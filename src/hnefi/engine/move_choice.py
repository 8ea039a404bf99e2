"""Move choice of levels: by preference, and at random among moves of similar score. The core chooses."""

from collections.abc import Sequence

from hnefi._core import Game, LevelChoice, Move, static_scores
from hnefi.engine.levels import Level
from hnefi.engine.weights import Weights, weights_for

Candidate = tuple[Move, int]
"""A move with its score for the side that plays it."""


def static_candidates(game: Game, legal: Sequence[Move], weights: Weights | None = None) -> list[Candidate]:
    """Scores moves by the static evaluation of the position after them, without a search."""
    return static_scores(game, legal, (weights or weights_for(game.rules)).text)


def choose_move(game: Game, candidates: Sequence[Candidate], level: Level, seed: int | str) -> Move | None:
    """Chooses a move that the level sees within its margin at random, by softmax of score and preference.

    Returns None if it sees no candidate.
    """
    text = level.text(weights_for(game.rules).mistake_odds)
    return LevelChoice(game, [move for move, _ in candidates], text, str(seed)).choose(candidates)
