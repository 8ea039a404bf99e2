"""How long an engine may think: by depth, nodes, time, or by its clock."""

from dataclasses import dataclass

__all__ = ["Clock", "Limit"]

# A game is planned as if it had so many moves more.
_MOVES_AHEAD = 30
# What is never planned with: answers need time to travel, and every machine is busy at times.
_RESERVE_MS = 40
_RESERVE_SHARE = 0.1
_MOST_OF_CLOCK = 0.4
_OF_INCREMENT = 0.75
# With so little for a move a look at the nearest positions has to do, and where there is nothing, a glance.
_HASTE_MS = 4
_NODES_IN_HASTE = 500
_NODES_AT_A_GLANCE = 50
# More is never needed, not even with days for a move.
_LONGEST_MS = 120_000


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the side that is to move: sudden death, Fischer, so many moves in a time, time per move.

    >>> Clock(60_000, 1_000).budget_ms < 60_000 // 2
    True
    >>> days = Clock(3 * 24 * 3_600_000, moves_to_go=1)
    >>> days.budget_ms
    120000
    """

    remaining_ms: int
    """What is left, in milliseconds."""

    increment_ms: int = 0
    """What is added for each move, in milliseconds."""

    moves_to_go: int | None = None
    """After how many moves new time comes: 1 for a time per move; None if none comes."""

    def __post_init__(self) -> None:
        _check("remaining_ms", self.remaining_ms, 0)
        _check("increment_ms", self.increment_ms, 0)
        if self.moves_to_go is not None:
            _check("moves_to_go", self.moves_to_go, 1)

    @property
    def budget_ms(self) -> int:
        """The most that may be used for this move, at least 1.

        The search does not begin what it cannot hope to finish, so that about half of it is used as a rule.
        """
        reserve = max(_RESERVE_MS, int(self.remaining_ms * _RESERVE_SHARE))
        usable = max(self.remaining_ms - reserve, 0)
        moves = min(self.moves_to_go or _MOVES_AHEAD, _MOVES_AHEAD)
        planned = 2 * (usable / moves + self.increment_ms * _OF_INCREMENT)
        # Of the last move before new time everything may be used; before that something has to be left.
        most = usable * max(_MOST_OF_CLOCK, 1 / moves)
        return max(int(min(planned, most, _LONGEST_MS)), 1)


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
    def patience_ms(self) -> int | None:
        """The most that another program may take which plans its time itself; None for no limit."""
        times = [self.time_ms, self.clock.remaining_ms if self.clock else None]
        known = [time for time in times if time is not None]
        return min(known) if known else None

    @property
    def hurried_nodes(self) -> int | None:
        """The positions to visit: few where the clock has run nearly out, whatever else was asked for."""
        if self.clock is None or self.clock.budget_ms > _HASTE_MS:
            return self.nodes
        few = _NODES_AT_A_GLANCE if self.clock.budget_ms == 1 else _NODES_IN_HASTE
        return min(self.nodes or few, few)

    @property
    def is_endless(self) -> bool:
        """Whether nothing but `stop` or a proven outcome ends it."""
        return (self.depth, self.nodes, self.budget_ms) == (None, None, None)


def _check(name: str, value: int, least: int) -> None:
    if value < least:
        raise ValueError(f"{name}: {value}, expected {least} or more")
