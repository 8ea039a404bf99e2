"""The ten levels, from a child's first game to full strength, read from levels.toml."""

import json
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from hnefi.engine.limits import Limit

LEVEL_COUNT = 10
"""The number of levels in levels.toml."""

USUAL_LEVEL = 2
"""The level that is offered first: a beginner wins about half of the games."""

_TABLE = Path(__file__).with_name("levels.toml")


@dataclass(frozen=True, slots=True)
class Level:
    """The strength and the weaknesses of a level; levels.toml describes the values.

    Attributes:
        number: The number of the level, from 1; 0 for a custom level.
        overlooks: How often it does not see its moves that win at once, from 0 to 1.
        random: How often it plays any legal move, all equally likely.
        short_sight: How often it chooses by the evaluation after the move, without a search.
        depth: The depth of its search in plies, 0 for no limit.
        nodes: The most positions to visit, 0 for no limit.
        time_ms: The most time in milliseconds, 0 for no limit.
        lines: How many moves are compared, 0 for all.
        margin: How much worse than the best a chosen move may be, in hundredths of a soldier.
        temperature: The temperature of the softmax over moves within the margin.
        capture: The bonus for each captured piece, in hundredths of a soldier.
        king: The bonus for moves of the king, in hundredths of a soldier.
        book: How much worse than the best a chosen move of the opening book may be, 0 for no book.

    >>> level(1).short_sight > level(5).short_sight
    True
    """

    number: int
    overlooks: float
    random: float
    short_sight: float
    depth: int
    nodes: int
    time_ms: int
    lines: int
    margin: int
    temperature: float
    capture: int
    king: int
    book: int = 0

    @property
    def limit(self) -> Limit:
        """The limit of its search."""
        return Limit(self.depth or None, self.nodes or None, self.time_ms or None)

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed chooses the same move again; not if only time limits the search."""
        return bool(self.depth or self.nodes)

    def text(self, mistake_odds: float = 1.0) -> str:
        """Returns the level as JSON, for the core.

        Args:
            mistake_odds: The factor of the odds of its mistakes, which the core multiplies.
        """
        return json.dumps({**asdict(self), "mistake_odds": mistake_odds})


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
    if number not in range(1, LEVEL_COUNT + 1):
        raise ValueError(f"level: {number!r}, expected 1 to {LEVEL_COUNT}")
    return levels()[number - 1]
