"""The heartbeat: writes that the server is alive, and notices when the database cannot write."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from hnefi.server.games.time import Time
from hnefi.server.store import Conflict, LeaseLost, NotSaved, Store, Write

__all__ = ["Heartbeat"]

_log = logging.getLogger(__name__)
_BEAT_S = 1.0
_BEATS_AT_REST = 60
"""How many beats are one while no deadline is near."""

_LATE_S = 2.0
"""How long a write may take before the database counts as unable to write."""


class Heartbeat:
    """Writes the time regularly. An outage begins at the last beat that was written.

    Attributes:
        outages: How many outages have begun.
    """

    def __init__(
        self,
        store: Store,
        time: Time,
        *,
        is_urgent: Callable[[], bool],
        on_return: Callable[[int], Awaitable[None]],
    ) -> None:
        """Creates it; `run` beats.

        Args:
            store: The store that it writes to.
            time: The source of time.
            is_urgent: Returns whether a deadline is near, for which it beats every second, not every minute.
            on_return: Called at the end of an outage with its beginning, in microseconds since 1970.
        """
        self._store = store
        self._time = time
        self._is_urgent = is_urgent
        self._on_return = on_return
        self._written_us = time.now_us()
        self._outage_since_us: int | None = None
        self._is_cut_off = False
        self.outages = 0
        self._has_store = asyncio.Event()
        self._has_store.set()

    @property
    def is_outage(self) -> bool:
        """Whether the database cannot write."""
        return self._outage_since_us is not None

    def set_cut_off(self, is_cut_off: bool) -> None:
        """Begins an outage since players cannot reach their games, or lets the next beat end it."""
        self._is_cut_off = is_cut_off
        if is_cut_off:
            self._begin_outage("players cannot reach their games")

    async def wait_for_store(self) -> None:
        """Waits for the end of an outage; returns at once if there is none."""
        await self._has_store.wait()

    async def run(self) -> None:
        """Beats for ever: every second while that is urgent or in an outage, otherwise every minute."""
        count = 0
        while True:
            await asyncio.sleep(_BEAT_S)
            count += 1
            if self.is_outage or self._is_urgent() or count % _BEATS_AT_REST == 0:
                await self.beat()

    async def beat(self, *, is_last: bool = False) -> None:
        """Writes the time, and begins or ends an outage.

        Args:
            is_last: Whether the server stops: an outage does not end then.
        """
        now_us = self._time.now_us()
        write = self._store.write(Write(heartbeat_us=now_us))
        await asyncio.wait({write}, timeout=_LATE_S)
        if not write.done():
            self._begin_outage()
            await asyncio.wait({write})
        if isinstance(write.exception(), LeaseLost):
            return  # the clocks of this process do not matter any more
        if write.exception() is not None:
            self._begin_outage()
            return
        if self._is_cut_off:
            return
        self._written_us = now_us
        if not is_last:
            await self._end_outage()

    def _begin_outage(self, why: str = "the database cannot write") -> None:
        if self._outage_since_us is None:
            self._outage_since_us = self._written_us
            self.outages += 1
            self._has_store.clear()
            _log.error("%s: all clocks stand", why)

    async def _end_outage(self) -> None:
        if self._outage_since_us is None:
            return
        try:
            await self._on_return(self._outage_since_us)
        except (NotSaved, Conflict):
            return  # it failed again: a later beat ends the outage
        self._outage_since_us = None
        self._has_store.set()
        _log.warning("the outage has ended: the clocks go on")
