"""Tuning of weights by simultaneous perturbation (SPSA): each iteration plays a few pairs of games.

A pair perturbs every weight up or down by its step, at random. The perturbed weights play those perturbed
the other way from one opening, with both sides. The result moves every weight in the direction of its
perturbation: for weights that do not matter this cancels out over many pairs. The tuned weights are the terms
and the piece-square scores.

Source: J. C. Spall, IEEE Trans. Automat. Control 37 (1992) 332-341; used for engines by Fishtest.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from hnefi._core import Rules, derived_weights
from hnefi.lab.openings import Openings
from hnefi.lab.selfplay import SelfPlayTask, play_self_play_games

__all__ = ["PAIRS", "Tuning"]

PAIRS = 8
"""Pairs of games in an iteration."""

# The step of a term, relative to its weight. Weights are integers, so that a step has to exceed one half.
_STEP, _MIN_STEP = 0.4, 1.5
# The step of a piece-square score, in hundredths of an attacker.
_SQUARE_STEP = 8.0
# How far a weight moves for a pair with two wins, in steps.
_GAIN = 0.04
# How far a weight may move from its origin, in steps.
_MAX_DISTANCE = 8.0
# An attacker is the unit of scores.
_FIXED = ("attacker",)


@dataclass(slots=True)
class Tuning:
    """The state of a tuning. It depends only on the rules, the seed, the nodes and the number of iterations.

    Attributes:
        rules: The rules.
        seed: The seed of random choices.
        nodes: Positions a move.
        opening_plies: Random plies before the first move.
        path: The tuned weights after each iteration.
    """

    rules: Rules
    seed: int
    nodes: int
    opening_plies: int = 4
    path: list[list[float]] = field(default_factory=list)
    _derived: dict[str, Any] = field(init=False)
    _terms: tuple[str, ...] = field(init=False)
    _origin: list[float] = field(init=False)
    _steps: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self._derived = json.loads(derived_weights(self.rules))
        terms = self._derived["terms"]
        # A term with the default weight 0 counts nothing under these rules.
        self._terms = tuple(name for name, weight in terms.items() if weight and name not in _FIXED)
        counting = [float(terms[name]) for name in self._terms]
        squares = [float(score) for scores in self._derived["squares"].values() for score in scores]
        self._origin = [*counting, *squares]
        self._steps = [max(abs(weight) * _STEP, _MIN_STEP) for weight in counting]
        self._steps += [_SQUARE_STEP] * len(squares)

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * PAIRS * len(self.path)

    def step(self, jobs: int = 1) -> None:
        """Plays the pairs of one iteration, and moves the weights by the results."""
        number = len(self.path)
        rng = random.Random(f"hnefi tuning 2 {self.rules.hash} {self.seed} {number}")
        openings = Openings(self.opening_plies, rng.getrandbits(40))
        perturbations = [[rng.choice((-1, 1)) for _ in self._origin] for _ in range(PAIRS)]
        tasks = []
        for signs, opening in zip(perturbations, islice(openings.draw(self.rules), PAIRS), strict=True):
            one, other = self._perturbed(signs, 1), self._perturbed(signs, -1)
            tasks += [SelfPlayTask(opening, one, other), SelfPlayTask(opening, other, one)]
        games = play_self_play_games(self.rules, tasks, self.nodes, jobs)
        gains = [
            games[2 * pair].points - games[2 * pair + 1].points  # from -1 to 1: both lost, both won
            for pair in range(PAIRS)
        ]
        self.path.append(self._updated(perturbations, gains))

    def weights(self) -> dict[str, Any]:
        """Returns the tuned weights: the mean of the second half of the path, which is noisy."""
        second_half = self.path[len(self.path) // 2 :]
        if not second_half:
            return dict(self._derived)
        columns = zip(*second_half, strict=True)
        return self._complete([sum(column) / len(second_half) for column in columns])

    @property
    def _current(self) -> list[float]:
        return self.path[-1] if self.path else self._origin

    def _perturbed(self, signs: Sequence[int], direction: int) -> str:
        """Returns the weights, each perturbed by its step, as JSON."""
        rows = zip(self._current, self._steps, signs, strict=True)
        return json.dumps(self._complete([weight + direction * sign * step for weight, step, sign in rows]))

    def _complete(self, weights: Sequence[float]) -> dict[str, Any]:
        rounded = map(round, weights)
        terms = dict(zip(self._terms, rounded, strict=False))
        squares = {
            piece: list(islice(rounded, len(scores))) for piece, scores in self._derived["squares"].items()
        }
        return {"terms": {**self._derived["terms"], **terms}, "squares": squares}

    def _updated(self, perturbations: Sequence[Sequence[int]], gains: Sequence[float]) -> list[float]:
        weights = []
        for index, (weight, step, origin) in enumerate(
            zip(self._current, self._steps, self._origin, strict=True)
        ):
            gradient = sum(signs[index] * gain for signs, gain in zip(perturbations, gains, strict=True))
            bound = _MAX_DISTANCE * step
            weights.append(min(max(weight + _GAIN * step * gradient, origin - bound), origin + bound))
        return weights
