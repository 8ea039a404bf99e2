"""The puzzle of a day."""

import datetime as dt
import hashlib
from functools import cache

from hnefi.puzzles.files import puzzles
from hnefi.puzzles.model import Puzzle

# The difficulty of each day, from Monday.
_WEEK = ("easy", "easy", "medium", "medium", "medium", "hard", "hard")


def daily_puzzle(day: dt.date, variants: tuple[str, ...] | None = None) -> Puzzle:
    """Returns the puzzle of a day: easy on Monday, hard on Sunday, the same everywhere.

    Raises:
        LookupError: If none of the variants has puzzles.

    >>> daily_puzzle(dt.date(2026, 11, 23)).difficulty
    'easy'
    """
    difficulty = _WEEK[day.weekday()]
    week, place = divmod(day.toordinal() - 1, 7)
    days = [index for index, one in enumerate(_WEEK) if one == difficulty]
    shuffled = _shuffled(difficulty, variants) or _shuffled(None, variants)
    if not shuffled:
        raise LookupError("no puzzle of these variants")
    return shuffled[(week * len(days) + days.index(place)) % len(shuffled)]


@cache
def _shuffled(difficulty: str | None, variants: tuple[str, ...] | None) -> tuple[Puzzle, ...]:
    """Returns the puzzles of a difficulty, or all, in an order that does not depend on the machine."""
    found = [
        one
        for one in puzzles()
        if difficulty in (None, one.difficulty) and (variants is None or one.variant in variants)
    ]
    return tuple(sorted(found, key=lambda one: hashlib.sha256(one.id.encode()).digest()))
