"""Time sources: a time that never goes back, even if the clock of the machine is set back."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from hnefi.server.events import ClockReading

_LEAST_US = 1_000_000


class Leads:
    """How far the time of the server was ahead of the clock of the machine, from which moment on.

    >>> leads = Leads()
    >>> leads.add(ClockReading(at_us=7_000_000, machine_us=4_000_000))
    >>> leads.shown_us(6_000_000), leads.shown_us(9_000_000)
    (6000000, 6000000)
    """

    def __init__(self) -> None:
        """Creates it without any lead: both are the same."""
        self._leads_us: dict[int, int] = {}

    def add(self, noted: ClockReading) -> None:
        """Adds the lead from a time on; it may be negative, and one of a second or less counts as none."""
        self._leads_us[noted.at_us] = noted.lead_us if abs(noted.lead_us) > _LEAST_US else 0

    def shown_us(self, t_us: int) -> int:
        """Returns what the clock of the machine showed at a time of the server."""
        since_us = max((one for one in self._leads_us if one <= t_us), default=None)
        return t_us if since_us is None else t_us - self._leads_us[since_us]


class Time(Protocol):
    """A source of time."""

    leads: Leads
    """How far it is ahead of the clock of the machine."""

    def now_us(self) -> int:
        """Returns the time of the server, in microseconds since 1970. It never goes back."""

    def machine_us(self) -> int:
        """Returns what the clock of the machine shows now, in microseconds since 1970."""

    def call_at(self, t_us: int, callback: Callable[[str], None], game: str) -> asyncio.Handle:
        """Calls a function with a game at a time, at once if that has passed."""
        delay_us = max(t_us - self.now_us(), 0)
        return asyncio.get_running_loop().call_later(delay_us / 1_000_000, callback, game)


class SystemTime(Time):
    """The time of the machine when the server started, plus its monotonic clock since then."""

    def __init__(self) -> None:
        """Begins with the clock of the machine."""
        self.leads = Leads()
        self._begin_us = self.machine_us()
        self._steady_ns = time.monotonic_ns()

    def set_after(self, t_us: int) -> None:
        """Sets it after a time that has passed, such as that of the last stored event."""
        self._begin_us += max(t_us + 1 - self.now_us(), 0)

    def now_us(self) -> int:
        """Returns the time of the server, in microseconds since 1970. It never goes back."""
        return self._begin_us + (time.monotonic_ns() - self._steady_ns) // 1_000

    def machine_us(self) -> int:
        """Returns what the clock of the machine shows now, in microseconds since 1970."""
        return time.time_ns() // 1_000
