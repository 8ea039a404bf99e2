"""The measured length of games and the number of moves to choose from (`hnefi lab lengths`)."""

import math
from dataclasses import dataclass

from hnefi.variants.built_in import measured
from hnefi.variants.model import Variant

DIFFICULTIES = (1, 2, 3)

# A move of people at one board, in seconds; docs/measurements/lengths.md has the reasons for these numbers.
_SECONDS_PER_PLY = 30
_MINUTES_STEP = 5
_MIDDLING_COMPLEXITY = 45
_DEEP_COMPLEXITY = 70


@dataclass(frozen=True, slots=True)
class MeasuredLength:
    """How long the games of a variant are.

    Attributes:
        plies: The median number of plies.
        by: Who played them: `people` or `engine`.
        choices: The mean number of legal moves in games of the engine.
    """

    plies: int
    games: int
    by: str
    choices: float

    @property
    def minutes(self) -> int:
        """The length in minutes at half a minute for each ply, rounded up to a multiple of five."""
        return _MINUTES_STEP * math.ceil(self.plies * _SECONDS_PER_PLY / 60 / _MINUTES_STEP)

    @property
    def complexity(self) -> float:
        """The game-tree complexity: the decimal logarithm of the number of possible games."""
        return self.plies * math.log10(self.choices)

    @property
    def difficulty(self) -> int:
        """The difficulty by complexity: 1 (easy), 2 or 3 (deep)."""
        return 1 + (self.complexity >= _MIDDLING_COMPLEXITY) + (self.complexity >= _DEEP_COMPLEXITY)


def measured_length(variant: Variant) -> MeasuredLength | None:
    """Returns the measured length of a variant; None for changed rules and custom variants.

    >>> from hnefi import variant
    >>> found = measured_length(variant("hist-brandubh-7"))
    >>> found.by, found.minutes, found.difficulty
    ('people', 10, 1)
    >>> measured_length(variant("hist-brandubh-7").with_switches({"first": "defenders"})) is None
    True
    """
    _, row = measured(variant, "lengths.json")
    return MeasuredLength(**row) if row else None
