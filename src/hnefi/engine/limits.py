"""How long an engine may think: by depth, nodes, time, or by its clock."""

from dataclasses import dataclass

__all__ = ["Clock", "Limit"]

# A game is planned as if it had so many moves more.
_MOVES_AHEAD = 30
# What is never used up: answers need time to travel.
_RESERVE_MS = 40
_MOST_OF_CLOCK = 0.4
_OF_INCREMENT = 0.75


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the side that is to move.

    >>> Clock(60_000, 1_000).budget_ms < 60_000 // 2
    True
    """

    remaining_ms: int
    """What is left, in milliseconds."""

    increment_ms: int = 0
    """What is added for each move, in milliseconds."""

    def __post_init__(self) -> None:
        _check("remaining_ms", self.remaining_ms, 0)
        _check("increment_ms", self.increment_ms, 0)

    @property
    def budget_ms(self) -> int:
        """The most that may be used for this move, at least 1.

        The search does not begin what it cannot hope to finish, so that about half of it is used as a rule.
        """
        usable = max(self.remaining_ms - _RESERVE_MS, 0)
        planned = 2 * (usable / _MOVES_AHEAD + self.increment_ms * _OF_INCREMENT)
        return max(int(min(planned, usable * _MOST_OF_CLOCK)), 1)


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop thinking: at whichever is reached first.

    Without any limit, only `stop` or a proven outcome ends it.

    >>> Limit(time_ms=500, clock=Clock(100_000)).budget_ms
    500
    """

    depth: int | None = None
    """The deepest iteration, in plies."""

    nodes: int | None = None
    """Positions to visit."""

    time_ms: int | None = None
    """Time for this move, in milliseconds."""

    clock: Clock | None = None
    """The clock, from which the time for this move follows."""

    def __post_init__(self) -> None:
        for name, value in (("depth", self.depth), ("nodes", self.nodes), ("time_ms", self.time_ms)):
            if value is not None:
                _check(name, value, 1)

    @property
    def budget_ms(self) -> int | None:
        """The most time that may be used, in milliseconds; None for no limit."""
        times = [self.time_ms, self.clock.budget_ms if self.clock else None]
        known = [time for time in times if time is not None]
        return min(known) if known else None

    @property
    def is_endless(self) -> bool:
        """Whether nothing but `stop` or a proven outcome ends it."""
        return (self.depth, self.nodes, self.budget_ms) == (None, None, None)


def _check(name: str, value: int, least: int) -> None:
    if value < least:
        raise ValueError(f"{name}: {value}, expected {least} or more")
