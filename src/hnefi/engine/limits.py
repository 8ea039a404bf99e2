"""Search limits: depth, nodes, time, and time management by the clock."""

from dataclasses import dataclass

from hnefi.errors import shorten

# Moves for which the remaining time is planned.
_PLANNED_MOVES = 30
# Time that is never planned with: messages need time to travel, and machines are busy at times.
_RESERVE_MS = 40
_RESERVE_SHARE = 0.1
# The most time for one move, in multiples of the usual one: the best move may turn out to be bad.
_MOST = 3
# Greatest share of the clock for one move, and share of the increment that is planned with.
_MAX_CLOCK_SHARE = 0.4
_INCREMENT_SHARE = 0.75
# With a usual time of this or less, the search is limited to this number of nodes; with 1 ms, to fewer.
_HURRY_MS = 2
_HURRY_NODES = 500
_MIN_NODES = 50
# The longest budget for a move, even with days on the clock.
_MAX_BUDGET_MS = 120_000
# The largest number of nodes or milliseconds that the compiled core holds.
_LARGEST = 2**63 - 1

MOST_PLIES = 2**31 - 1
"""The largest depth, and the largest number of lines."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the side to move: sudden death, Fischer increment, moves per period, or time per move.

    Attributes:
        remaining_ms: The remaining time, in milliseconds.
        increment_ms: The increment for each move, in milliseconds.
        moves_to_go: Moves until the next period: 1 for a time per move; None for sudden death.

    >>> Clock(60_000, 1_000).budget_ms < 60_000 // 2
    True
    >>> days = Clock(3 * 24 * 3_600_000, moves_to_go=1)
    >>> days.budget_ms
    120000
    """

    remaining_ms: int
    increment_ms: int = 0
    moves_to_go: int | None = None

    def __post_init__(self) -> None:
        check_number("remaining_ms", self.remaining_ms, 0)
        check_number("increment_ms", self.increment_ms, 0)
        if self.moves_to_go is not None:
            check_number("moves_to_go", self.moves_to_go, 1)

    @property
    def usual_ms(self) -> int:
        """The milliseconds to use for this move as a rule, at least 1."""
        planned = self._usable_ms / self._planned_moves + self.increment_ms * _INCREMENT_SHARE
        return max(int(min(planned, self._most_ms)), 1)

    @property
    def budget_ms(self) -> int:
        """The most milliseconds to use for this move, at least 1."""
        return max(int(min(_MOST * self.usual_ms, self._most_ms)), 1)

    @property
    def _usable_ms(self) -> int:
        reserve = max(_RESERVE_MS, int(self.remaining_ms * _RESERVE_SHARE))
        return max(self.remaining_ms - reserve, 0)

    @property
    def _planned_moves(self) -> int:
        return min(self.moves_to_go or _PLANNED_MOVES, _PLANNED_MOVES)

    @property
    def _most_ms(self) -> float:
        # The last move of a period may use everything; the moves before it have to leave something.
        return min(self._usable_ms * max(_MAX_CLOCK_SHARE, 1 / self._planned_moves), _MAX_BUDGET_MS)


@dataclass(frozen=True, slots=True)
class Limit:
    """When to stop a search: at the limit that is reached first.

    Without any limit, only `stop` or a proven outcome ends the search.

    Attributes:
        depth: The deepest iteration, in plies.
        nodes: The positions to visit, counted in steps of 512; the first iteration is always finished.
        time_ms: The time for this move, in milliseconds.
        clock: The clock from which the time for this move is computed.

    >>> Limit(time_ms=500, clock=Clock(100_000)).budget_ms
    500
    """

    depth: int | None = None
    nodes: int | None = None
    time_ms: int | None = None
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if self.depth is not None:
            check_number("depth", self.depth, 1, MOST_PLIES)
        for name, value in (("nodes", self.nodes), ("time_ms", self.time_ms)):
            if value is not None:
                check_number(name, value, 1)

    @property
    def budget_ms(self) -> int | None:
        """The most milliseconds to use; None for no limit."""
        return _least(self.time_ms, self.clock.budget_ms if self.clock else None)

    @property
    def usual_ms(self) -> int | None:
        """The milliseconds to use for a move as a rule; None for no limit."""
        return _least(self.time_ms, self.clock.usual_ms if self.clock else None)

    @property
    def external_timeout_ms(self) -> int | None:
        """The most milliseconds for another program, which manages its time itself; None for no limit."""
        return _least(self.time_ms, self.clock.remaining_ms if self.clock else None)

    @property
    def time_trouble_nodes(self) -> int | None:
        """The most positions to visit: few if the clock has nearly run out, even if the limit allows more."""
        if self.clock is None or self.clock.usual_ms > _HURRY_MS:
            return self.nodes
        few = _MIN_NODES if self.clock.budget_ms == 1 else _HURRY_NODES
        return min(self.nodes or few, few)

    @property
    def is_endless(self) -> bool:
        """Whether only `stop` or a proven outcome ends the search."""
        return (self.depth, self.nodes, self.budget_ms) == (None, None, None)


def _least(*times: int | None) -> int | None:
    return min((time for time in times if time is not None), default=None)


def check_number(name: str, value: int, least: int, most: int = _LARGEST) -> None:
    """Raises an error if a value is no number, or out of bounds."""
    if not isinstance(value, int):
        raise TypeError(f"{name}: {value!r}, expected int")
    if not least <= value <= most:
        raise ValueError(f"{name}: {shorten(value)}, expected {least} to {most}")
