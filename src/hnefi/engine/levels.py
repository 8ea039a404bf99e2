"""The ten levels, from a child's first game to full strength: a small table, in levels.toml."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hnefi.engine.limits import Limit

__all__ = ["Level", "level", "levels"]

_TABLE = Path(__file__).with_name("levels.toml")
# The first plies are varied at every level: no two games need to begin alike.
_OPENING_PLIES = 4
_OPENING_LINES = 4
_OPENING_MARGIN = 12


@dataclass(frozen=True, slots=True)
class Level:
    """How strong to play, and how to be weak: see levels.toml.

    >>> level(1).short_sight > level(5).short_sight
    True
    """

    number: int
    """Its place among the ten, from 1; 0 for a level of one's own."""

    short_sight: float
    depth: int
    nodes: int
    time_ms: int
    lines: int
    margin: int
    temperature: float
    capture: int
    king: int

    @property
    def limit(self) -> Limit:
        """How far it looks ahead."""
        return Limit(self.depth or None, self.nodes or None, self.time_ms or None)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed chooses the same move again: not where time alone decides."""
        return bool(self.depth or self.nodes)

    def lines_at(self, ply: int) -> int:
        """Gives how many moves are compared at a ply of a game; 0 for all."""
        return max(self.lines, _OPENING_LINES) if self.lines and ply < _OPENING_PLIES else self.lines

    def margin_at(self, ply: int) -> int:
        """Gives how much worse than the best a move may be at a ply of a game."""
        return max(self.margin, _OPENING_MARGIN) if ply < _OPENING_PLIES else self.margin


@cache
def levels() -> tuple[Level, ...]:
    """Gives all levels, the weakest first.

    >>> len(levels())
    10
    """
    rows = tomllib.loads(_TABLE.read_text(encoding="utf-8"))["level"]
    return tuple(Level(number, **row) for number, row in enumerate(rows, start=1))


def level(number: int) -> Level:
    """Gives a level by its number.

    Raises:
        ValueError: If there is none.
    """
    if not 1 <= number <= len(levels()):
        raise ValueError(f"level: {number}, expected 1 to {len(levels())}")
    return levels()[number - 1]
