"""Time sources: a time that never goes back, even if the clock of the machine is set back."""

import asyncio
import time
from typing import Protocol

__all__ = ["SystemTime", "Time"]


class Time(Protocol):
    """A source of time."""

    def now_us(self) -> int:
        """Returns the time, in microseconds since 1970."""

    async def sleep_until(self, t_us: int) -> None:
        """Waits until a time."""


class SystemTime:
    """The time of the machine when the server started, plus its monotonic clock since then."""

    def __init__(self, not_before_us: int = 0) -> None:
        """Starts the time source.

        Args:
            not_before_us: A time that has passed, such as that of the last stored event.
        """
        self._begin_us = max(time.time_ns() // 1_000, not_before_us + 1)
        self._steady_ns = time.monotonic_ns()

    def now_us(self) -> int:
        """Returns the time, in microseconds since 1970."""
        return self._begin_us + (time.monotonic_ns() - self._steady_ns) // 1_000

    async def sleep_until(self, t_us: int) -> None:
        """Waits until a time."""
        await asyncio.sleep(max(t_us - self.now_us(), 0) / 1_000_000)
