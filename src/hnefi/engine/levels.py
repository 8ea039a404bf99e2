"""The ten levels, from a child's first game to full strength, read from levels.toml."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hnefi.engine.limits import Limit

__all__ = ["LEVEL_COUNT", "Level", "level", "levels"]

LEVEL_COUNT = 10
"""The number of levels in levels.toml."""

_TABLE = Path(__file__).with_name("levels.toml")
# The first plies vary at every level, so that games begin differently.
_OPENING_PLIES = 4
_OPENING_LINES = 4
_OPENING_MARGIN = 12


@dataclass(frozen=True, slots=True)
class Level:
    """The strength and the weaknesses of a level; levels.toml describes the values.

    >>> level(1).short_sight > level(5).short_sight
    True
    """

    number: int
    """The number of the level, from 1; 0 for a custom level."""

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
        """The limit of its search."""
        return Limit(self.depth or None, self.nodes or None, self.time_ms or None)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed chooses the same move again; not if only time limits the search."""
        return bool(self.depth or self.nodes)

    def lines_at(self, ply: int) -> int:
        """Returns how many moves are compared at a ply of a game; 0 for all."""
        return max(self.lines, _OPENING_LINES) if self.lines and ply < _OPENING_PLIES else self.lines

    def margin_at(self, ply: int) -> int:
        """Returns how much worse than the best a move may be at a ply, in hundredths of a soldier."""
        return max(self.margin, _OPENING_MARGIN) if ply < _OPENING_PLIES else self.margin


@cache
def levels() -> tuple[Level, ...]:
    """Returns all levels, the weakest first.

    >>> len(levels()) == LEVEL_COUNT
    True
    """
    rows = tomllib.loads(_TABLE.read_text(encoding="utf-8"))["level"]
    return tuple(Level(number, **row) for number, row in enumerate(rows, start=1))


def level(number: int) -> Level:
    """Returns a level by its number.

    Raises:
        ValueError: If there is no such level.
    """
    if not 1 <= number <= LEVEL_COUNT:
        raise ValueError(f"level: {number}, expected 1 to {LEVEL_COUNT}")
    return levels()[number - 1]
