"""Weights tuned by games: simultaneous perturbation (SPSA), every step a few pairs of games.

A pair takes the present weights and moves each of them up or down by its step, by lot. These weights play
those moved the other way from one opening, with both sides. What the first score more or less than half is
put down to every weight, in the direction it was moved: for those that do not matter this cancels out over
many pairs. Tuned are the terms, and what each piece is worth more or less on the squares of each class.

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
from hnefi.lab.selfplay import Start, play_all

__all__ = ["PAIRS", "Tuning"]

PAIRS = 8
"""Pairs of a step."""

# In parts of the term itself. As weights are whole numbers, a small one has to move by more than one half.
_STEP, _LEAST_STEP = 0.4, 1.5
# Of a square, in hundredths of an attacker.
_SQUARE_STEP = 8.0
# By how much of its step a weight moves for a pair that was won by two games.
_GAIN = 0.04
# So far a weight may go from where it began, in steps.
_FARTHEST = 8.0
# What a soldier is worth is the unit of scores.
_FIXED = ("attacker",)


@dataclass(slots=True)
class Tuning:
    """Where a tuning stands. It follows from the rules, the seed, the nodes and the steps taken.

    Attributes:
        rules: What is played.
        seed: What is left to chance follows from it.
        nodes: Positions a move.
        opening_plies: Random plies before the first move.
        path: The weights that are tuned, after each step.
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
        # A term that is derived as 0 has nothing to count under these rules.
        self._terms = tuple(name for name, weight in terms.items() if weight and name not in _FIXED)
        counted = [float(terms[name]) for name in self._terms]
        squares = [float(worth) for worths in self._derived["squares"].values() for worth in worths]
        self._origin = [*counted, *squares]
        self._steps = [max(abs(weight) * _STEP, _LEAST_STEP) for weight in counted]
        self._steps += [_SQUARE_STEP] * len(squares)

    @property
    def games(self) -> int:
        """How many games have been played."""
        return 2 * PAIRS * len(self.path)

    def step(self, jobs: int = 1) -> None:
        """Plays the pairs of one step, and moves the weights by what they say."""
        number = len(self.path)
        chance = random.Random(f"hnefi tuning 2 {self.rules.hash} {self.seed} {number}")
        openings = Openings(self.opening_plies, chance.getrandbits(40))
        drawn = [[chance.choice((-1, 1)) for _ in self._origin] for _ in range(PAIRS)]
        starts = []
        for signs, opening in zip(drawn, islice(openings.draw(self.rules), PAIRS), strict=True):
            one, other = self._moved(signs, 1), self._moved(signs, -1)
            starts += [Start(opening, one, other), Start(opening, other, one)]
        played = play_all(self.rules, starts, self.nodes, jobs)
        gained = [
            played[2 * pair].points - played[2 * pair + 1].points  # from -1 to 1: both lost, both won
            for pair in range(PAIRS)
        ]
        self.path.append(self._pulled(drawn, gained))

    def weights(self) -> dict[str, Any]:
        """Gives the weights that were found: the mean of the second half of the path, which wavers."""
        late = self.path[len(self.path) // 2 :]
        if not late:
            return dict(self._derived)
        return self._complete([sum(column) / len(late) for column in zip(*late, strict=True)])

    @property
    def _present(self) -> list[float]:
        return self.path[-1] if self.path else self._origin

    def _moved(self, signs: Sequence[int], sign: int) -> str:
        """Gives the weights, each moved by its step, as JSON."""
        moved = zip(self._present, self._steps, signs, strict=True)
        return json.dumps(self._complete([at + sign * way * step for at, step, way in moved]))

    def _complete(self, weights: Sequence[float]) -> dict[str, Any]:
        left = map(round, weights)
        terms = dict(zip(self._terms, left, strict=False))
        squares = {
            piece: list(islice(left, len(worths))) for piece, worths in self._derived["squares"].items()
        }
        return {"terms": {**self._derived["terms"], **terms}, "squares": squares}

    def _pulled(self, drawn: Sequence[Sequence[int]], gained: Sequence[float]) -> list[float]:
        found = []
        for index, (at, step, origin) in enumerate(
            zip(self._present, self._steps, self._origin, strict=True)
        ):
            pull = sum(signs[index] * points for signs, points in zip(drawn, gained, strict=True))
            far = _FARTHEST * step
            found.append(min(max(at + _GAIN * step * pull, origin - far), origin + far))
        return found
