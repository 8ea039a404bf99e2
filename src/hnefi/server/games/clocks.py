"""Clocks: the time each side has left, as a pure function of the events and of the current time."""

from collections.abc import Mapping
from typing import NamedTuple

from hnefi.pieces import Side
from hnefi.server.events import Clock, Days, Fischer

SECOND_US = 1_000_000
DAY_US = 86_400 * SECOND_US
FIRST_MOVE_US = 30 * SECOND_US
"""How long the first move of a side may take without being charged."""

GRACE_US = 15 * SECOND_US
"""Extra time for the side to move after the server was away."""


class Running(NamedTuple):
    """The clocks of both sides at a moment, from which the time left at any later moment follows.

    >>> clocks = Running.begin(Fischer(initial_s=60, increment_s=2), Side.ATTACKERS, now_us=0)
    >>> clocks = clocks.moved(Side.ATTACKERS, Side.DEFENDERS, now_us=40 * SECOND_US)
    >>> clocks.left_us(Side.ATTACKERS, 99 * SECOND_US) // SECOND_US
    52
    """

    clock: Clock
    before_us: Mapping[Side, int]
    """The time left to each side when `side` began to run."""

    side: Side | None
    """The side whose clock runs, None if neither does."""

    since_us: int
    """When it began to run."""

    free_us: int
    """How much of the time from then on is not charged."""

    unmoved: frozenset[Side]
    """The sides whose first move in this leg is free: for some seconds, or however long it takes."""

    @classmethod
    def begin(cls, clock: Clock, turn: Side | None, now_us: int, *, waits: bool = False) -> "Running":
        """Returns the clocks at the beginning of a leg.

        If `waits`, no clock with days for a move runs before the first move of its side: a player may be away
        when a game begins.
        """
        full_us = dict.fromkeys(Side, _full_us(clock))
        unmoved = frozenset(Side) if waits or clock.kind == "fischer" else frozenset[Side]()
        side, free_us = _running(clock, turn, unmoved)
        return cls(clock, full_us, side, now_us, free_us, unmoved)

    def left_us(self, side: Side, now_us: int) -> int:
        """Returns the time a side has left, at least 0."""
        left_us = self.before_us[side]
        used_us = max(now_us - self.since_us - self.free_us, 0)
        return left_us if side is not self.side else max(left_us - used_us, 0)

    @property
    def deadline_us(self) -> int | None:
        """When the running clock reaches zero; None if no clock runs."""
        if self.side is None:
            return None
        return self.since_us + self.free_us + self.left_us(self.side, self.since_us)

    def is_over(self, now_us: int) -> bool:
        """Checks whether the running clock has reached zero."""
        deadline = self.deadline_us
        return deadline is not None and now_us >= deadline

    def moved(self, side: Side, turn: Side | None, now_us: int, *, counts: bool = True) -> "Running":
        """Returns the clocks after a move, with its time charged and its increment added.

        `turn` is None if the leg is over. A refused escape does not count: there is no increment for it.
        """
        clock = self.clock
        if clock.kind == "none":
            return self
        left_us = self._left_us(now_us)
        if isinstance(clock, Days):
            left_us[side] = clock.days * DAY_US
        elif counts:
            left_us[side] += clock.increment_s * SECOND_US
        unmoved = self.unmoved - {side} if side in self.unmoved else self.unmoved
        running, free_us = _running(clock, turn, unmoved)
        return Running(clock, left_us, running, now_us, free_us, unmoved)

    def turned(self, turn: Side | None, now_us: int) -> "Running":
        """Returns the clocks after a change of turn without a move: a takeback, or the end of the leg."""
        if self.clock.kind == "none":
            return self
        left_us = self._left_us(now_us)
        if isinstance(self.clock, Days) and turn is not None:
            left_us[turn] = _full_us(self.clock)
        side, free_us = _running(self.clock, turn, self.unmoved)
        return self._replace(before_us=left_us, side=side, since_us=now_us, free_us=free_us)

    def resumed(self, away_since_us: int, now_us: int) -> "Running":
        """Returns the clocks after the server was away: that time is not charged, and `GRACE_US` is added."""
        if self.side is None:
            return self
        went = max(away_since_us, self.since_us)
        free_left = max(self.free_us - (went - self.since_us), 0)
        left_us = self._left_us(went)
        left_us[self.side] += GRACE_US
        return self._replace(before_us=left_us, since_us=now_us, free_us=free_left)

    def _left_us(self, now_us: int) -> dict[Side, int]:
        return {side: self.left_us(side, now_us) for side in Side}


def _full_us(clock: Clock) -> int:
    if isinstance(clock, Days):
        return clock.days * DAY_US
    return clock.initial_s * SECOND_US if isinstance(clock, Fischer) else 0


def _running(clock: Clock, turn: Side | None, unmoved: frozenset[Side]) -> tuple[Side | None, int]:
    """Returns the side whose clock runs, and how much of its time is not charged."""
    if clock.kind == "fischer":
        return turn, FIRST_MOVE_US if turn in unmoved else 0
    return None if clock.kind == "none" or turn in unmoved else turn, 0
