"""The time of a site with several processes: the clock of the database, plus the lead that it keeps."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from hnefi.server.events import ClockReading
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.time import Leads, Time
from hnefi.server.store.processes import ClockSample

_SAMPLES = 16
"""The sample with the shortest way of so many is used."""

_DRIFT_US = 1_000
"""By how much the clocks of two machines may drift apart within these samples."""

_STEP_US = 10 * SECOND_US
"""A larger step of the clock of the database does not count until its lead is noted (`MachineClock`)."""

_BEAT_S = 1.0
"""Within this time a process that is alive beats."""


class SiteTime(Time):
    """The time of the site, by the monotonic clock between two reads of the clock of the database.

    It never goes back: if it turns out to be ahead, it stands.
    The clock of the machine is that of the database; `MachineClock` notes its lead.

    Attributes:
        on_step: Called when another process noted that the clock was set: all times that are shown change.
    """

    def __init__(self, monotonic_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """Creates it; `start` reads the clock first."""
        self.leads = Leads()
        self._monotonic_ns = monotonic_ns
        self._samples: deque[ClockSample] = deque(maxlen=_SAMPLES)
        self._offset_us = 0
        self._floor_us = 0
        self._reading = 0
        self.on_step: Callable[[], None] = lambda: None

    async def start(
        self,
        read: Callable[[], Awaitable[ClockSample]],
        not_before_us: int = 0,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Reads the clock for the first time.

        If the last beat of a process is far from the clock, either nobody is alive, or the clock of the
        database was set and nobody has noted that yet. A second later it is known which. `not_before_us` is a
        time that has passed, such as the last beat; `read` is `read_clock`, and `sleep` waits for seconds.
        """
        sample = await read()
        self._samples.append(sample)
        offset_us, last_us = _offset_us(sample) + sample.lead_us, sample.beat_us
        if last_us is not None and abs(_middle_us(sample) + offset_us - last_us) > _STEP_US:
            await sleep(_BEAT_S)
            sample = await read()
            if sample.beat_us is not None and sample.beat_us != last_us:
                offset_us = sample.beat_us - _middle_us(sample)
        self._offset_us = max(offset_us, not_before_us + 1 - self._steady_us())

    def note(self, sample: ClockSample) -> bool:
        """Compares the time with the clock of the database.

        Returns whether there are new readings to `learn`.
        """
        best = min(self._samples, key=_error_us, default=sample)
        allowed_us = _error_us(sample) + _error_us(best) + _DRIFT_US
        if abs(_offset_us(sample) - _offset_us(best)) > allowed_us:
            self._samples.clear()  # the clock was set
        self._samples.append(sample)
        offset_us = _offset_us(min(self._samples, key=_error_us)) + sample.lead_us
        if abs(offset_us - self._offset_us) <= _STEP_US or self._stood(sample, offset_us):
            self._floor_us = self.now_us()
            self._offset_us = offset_us
        is_new, self._reading = sample.reading != self._reading, sample.reading
        return is_new

    def _stood(self, sample: ClockSample, offset_us: int) -> bool:
        """Checks whether the monotonic clock of this process stood, as on a suspended machine.

        Then processes on other machines have the time of the database. They have not if its clock was set.
        """
        if sample.beat_us is None or offset_us < self._offset_us:
            return False
        return abs(sample.beat_us - _middle_us(sample) - offset_us) <= _STEP_US

    def learn(self, readings: Iterable[ClockReading]) -> None:
        """Learns the leads, which are not shown, from `clock_readings`."""
        now_us = self.now_us()
        before_us = self.leads.shown_us(now_us)
        for reading in readings:
            self.leads.add(reading)
        if self.leads.shown_us(now_us) != before_us:
            self.on_step()

    def now_us(self) -> int:
        """Returns the time of the site, in microseconds since 1970. It never goes back."""
        return max(self._steady_us() + self._offset_us, self._floor_us)

    def machine_us(self) -> int:
        """Returns what the clock of the database shows now, in microseconds since 1970."""
        return self._steady_us() + _offset_us(min(self._samples, key=_error_us))

    def _steady_us(self) -> int:
        return self._monotonic_ns() // 1_000


def _middle_us(sample: ClockSample) -> int:
    return (sample.sent_ns + sample.received_ns) // 2_000


def _offset_us(sample: ClockSample) -> int:
    """Returns how far the clock of the database is ahead of the monotonic clock."""
    return sample.database_us - _middle_us(sample)


def _error_us(sample: ClockSample) -> int:
    return (sample.received_ns - sample.sent_ns) // 2_000
