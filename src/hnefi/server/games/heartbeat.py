"""The heartbeat: writes that this process is alive, and notices when the database cannot write."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from hnefi.server.store import processes
from hnefi.server.store.rows import Conflict, NotSaved

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)
_BEAT_S = 1.0
_BEATS_AT_REST = 60
"""How many beats are one while no deadline is near."""

_LATE_S = 2.0
"""How long a write may take before the database counts as unable to write."""


class Heartbeat:
    """Writes the time regularly. An outage begins at the last beat that was written.

    Attributes:
        process: The id of this process, once it has begun.
        here: Returns who is connected to it, as JSON.
        outages: How many outages have begun.
        steady_since_us: When the last one ended; 0 if there was none.
    """

    def __init__(self, rooms: "Rooms") -> None:
        """Creates it for the games of this process; `run` beats."""
        self._rooms = rooms
        self._store, self._time = rooms.store, rooms.time
        self.process = 0
        self.here: Callable[[], str] = str
        self._written_us = self._time.now_us()
        self._outage_since_us: int | None = None
        self.outages = 0
        self.steady_since_us = 0

    @property
    def is_outage(self) -> bool:
        """Whether the database cannot write."""
        return self._outage_since_us is not None

    def begin(self, process: int) -> None:
        """Notes that this process has written that it has begun."""
        self.process, self._written_us = process, self._time.now_us()

    async def run(self) -> None:
        """Beats for ever, every second in an outage and while the next start has to know when this one ended.

        That is if there are other processes or deadlines; otherwise it beats every minute.
        """
        count = 0
        while True:
            await asyncio.sleep(_BEAT_S)
            count += 1
            is_urgent = self._store.is_shared or self._rooms.deadlines.timers
            # A write that fails begins an outage, also where no clock runs.
            is_failing = self.is_outage or self._store.writer.is_failing
            if is_urgent or is_failing or count % _BEATS_AT_REST == 0:
                try:
                    await self.beat()
                except Exception:  # whatever a game is like, the heart goes on
                    _log.exception("a heartbeat failed")

    async def beat(self) -> None:
        """Writes the time, and begins or ends an outage."""
        now_us = self._time.now_us()
        beat = self._store.change(processes.beat, self.process, now_us, self.here())
        write = asyncio.ensure_future(beat)
        await asyncio.wait({write}, timeout=_LATE_S)
        if not write.done():
            self._begin_outage()
            await asyncio.wait({write})
        if isinstance(write.exception(), Conflict):
            _log.error("%s", write.exception())
            try:
                await self._rooms.begin_anew()
            except NotSaved:
                self._begin_outage()
        elif write.exception() is not None:
            self._begin_outage()
        else:
            self._written_us = now_us
            await self._end_outage()

    async def end(self, searches: Iterable[str]) -> None:
        """Writes that this process ends, with the games for which it chooses a move of the computer."""
        # The time of an outage is charged to nobody: the next start begins where it began.
        now_us = self._written_us if self.is_outage else self._time.now_us()
        with contextlib.suppress(NotSaved):
            await self._store.change(processes.end, self.process, now_us, list(searches))

    def _begin_outage(self) -> None:
        if self._outage_since_us is None:
            self._outage_since_us = self._written_us
            self.outages += 1
            _log.error("the database cannot write: all clocks stand")

    async def _end_outage(self) -> None:
        if self._outage_since_us is None:
            return
        try:
            await self._rooms.deadlines.resume(self._outage_since_us)
        except (NotSaved, Conflict):
            return  # it failed again: a later beat ends the outage
        self._outage_since_us = None
        self.steady_since_us = self._time.now_us()
        _log.warning("the outage has ended: the clocks go on")
