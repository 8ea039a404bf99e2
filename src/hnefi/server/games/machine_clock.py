"""The clock of the machine, compared with the time of the server, which never goes back.

A clock that jumps by more than a day is in doubt, until the operator confirms it or it agrees again with the
time before the jump. Meanwhile games are played, but none is deleted.
"""

import logging
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from hnefi.server.events import ClockReading
from hnefi.server.games.clocks import DAY_US, SECOND_US
from hnefi.server.store import changes, schema
from hnefi.server.store.reading import clock_readings

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)
_JUMP_US = DAY_US
"""By how much the clock may be off since the last heartbeat without being in doubt."""

_STEP_US = 10 * SECOND_US
"""A smaller step is not noted while the server runs."""


class MachineClock:
    """Notes how far the server is ahead of the clock of the machine, and whether that is in doubt."""

    def __init__(self, rooms: "Rooms", today: date | None = None) -> None:
        """Creates it; `start` makes the first comparison.

        `today` is the date as the operator gives it, which confirms the clock. When the clock is set, all
        times that the rooms show change.
        """
        self._store, self._time, self._on_step = rooms.store, rooms.time, rooms.send_states
        self._today = today
        self._last: ClockReading | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether the clock has jumped, and nobody has confirmed it."""
        return self._last is not None and self._last.expected_us is not None

    async def start(self, last_us: int | None) -> None:
        """Compares the clock with the last heartbeat; None if there is none."""
        for reading in await self._store.read(clock_readings):
            self._add(reading)
        reading = self._read(self._time.now_us() if last_us is None else last_us)
        if self._is_confirmed(reading.machine_us):
            reading = replace(reading, expected_us=None)
        if reading.is_doubtful != self.is_doubtful or self._has_stepped(reading, SECOND_US):
            await self._note(reading)
        if self.is_doubtful:
            _log.warning(
                "the clock of the machine is in doubt, so nothing is deleted. It shows %s. If that is right,"
                " start the server once with --today and the date of today: hnefi serve --today YYYY-MM-DD",
                _format(reading.machine_us),
            )

    async def check(self) -> None:
        """Compares the clock while the server runs: it may have been set, or the machine suspended."""
        reading = self._read(self._time.now_us())
        if self._has_stepped(reading, _STEP_US):
            _log.warning("the clock of the machine was set: it shows %s", _format(reading.machine_us))
            await self._note(reading)
            self._on_step()

    def _read(self, last_us: int) -> ClockReading:
        """Reads the clock, and compares it with what it should show if no time had passed since `last_us`."""
        now_us, machine_us, last = self._time.now_us(), self._time.machine_us(), self._last
        expected_us = last_us
        if last is not None:
            before_us = last.machine_us if last.expected_us is None else last.expected_us
            expected_us = before_us + last_us - last.at_us
        is_doubtful = abs(machine_us - expected_us) > _JUMP_US
        return ClockReading(now_us, machine_us, expected_us if is_doubtful else None)

    def _is_confirmed(self, machine_us: int) -> bool:
        """Checks whether the clock shows the date that the operator gave, in any time zone."""
        if self._today is None:
            return False
        noon = datetime(self._today.year, self._today.month, self._today.day, 12, tzinfo=UTC)
        agrees = abs(machine_us - int(noon.timestamp()) * SECOND_US) <= DAY_US + DAY_US // 2
        if not agrees:
            _log.error("--today says %s, but the machine %s: not confirmed", self._today, _format(machine_us))
        return agrees

    def _has_stepped(self, reading: ClockReading, least_us: int) -> bool:
        """Checks whether the lead differs from the one that was noted last."""
        return abs(reading.lead_us - (self._last.lead_us if self._last else 0)) > least_us

    async def _note(self, reading: ClockReading) -> None:
        await self._store.change(changes.add_row, schema.clock, reading)
        if reading.expected_us is not None and not self.is_doubtful:
            days = (reading.machine_us - reading.expected_us) / DAY_US
            _log.warning("the clock of the machine has jumped by %+.1f days since the last heartbeat", days)
        elif self.is_doubtful and not reading.is_doubtful:
            _log.warning("the clock of the machine is confirmed or right again: expired games are deleted")
        self._add(reading)

    def _add(self, reading: ClockReading) -> None:
        self._last = reading
        self._time.leads.add(reading.at_us, reading.lead_us if abs(reading.lead_us) > SECOND_US else 0)


def _format(t_us: int) -> str:
    """Returns a time of any size as text."""
    try:
        return f"{datetime.fromtimestamp(t_us / SECOND_US, UTC):%Y-%m-%d %H:%M} UTC"
    except (ValueError, OverflowError, OSError):
        return f"{t_us / SECOND_US:.0f} s since 1970"
