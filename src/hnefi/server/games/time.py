"""Time as the games know it: it never goes back, not even when the clock of the machine is put back."""

import asyncio
import time
from typing import Protocol

__all__ = ["SystemTime", "Time"]


class Time(Protocol):
    """What tells the time, and wakes who sleeps."""

    def now_us(self) -> int:
        """Gives the time, in microseconds since 1970."""

    async def sleep_until(self, t_us: int) -> None:
        """Waits until a time."""


class SystemTime:
    """The time of the machine when the server began, and from there on what its steady clock says."""

    def __init__(self, not_before_us: int = 0) -> None:
        """Begins.

        Args:
            not_before_us: A time that is known to have been, such as that of the last event kept.
        """
        self._begin_us = max(time.time_ns() // 1_000, not_before_us + 1)
        self._steady_ns = time.monotonic_ns()

    def now_us(self) -> int:
        """Gives the time, in microseconds since 1970."""
        return self._begin_us + (time.monotonic_ns() - self._steady_ns) // 1_000

    async def sleep_until(self, t_us: int) -> None:
        """Waits until a time."""
        await asyncio.sleep(max(t_us - self.now_us(), 0) / 1_000_000)
