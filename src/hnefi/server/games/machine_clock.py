"""The clock of the machine, compared with the time of the server, which never goes back."""

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hnefi.server.events import ClockReading
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.store import changes, reading, schema

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)
_STEP_US = 10 * SECOND_US
"""A smaller step is not noted while the server runs."""


class MachineClock:
    """Notes how far the time of the server is ahead of the clock of the machine."""

    def __init__(self, rooms: "Rooms") -> None:
        """Creates it; `start` makes the first comparison."""
        self._store, self._time, self._on_step = rooms.store, rooms.time, rooms.send_states
        self._lead_us = 0

    async def start(self) -> None:
        """Compares the clock with what was noted before."""
        for noted in await self._store.read(reading.clock_readings):
            self._add(noted)
        await self._note_step(SECOND_US)

    async def check(self) -> None:
        """Compares the clock while the server runs: it may have been set, or the machine suspended.

        Then all times that the rooms show change.
        """
        if await self._note_step(_STEP_US):
            shown = datetime.fromtimestamp(self._time.machine_us() / SECOND_US, UTC)
            _log.warning("the clock of the machine was set: it shows %s", shown.isoformat(" ", "minutes"))
            self._on_step()

    async def _note_step(self, least_us: int) -> bool:
        """Notes the lead if it differs from the one that was noted last; returns whether it does."""
        found = ClockReading(self._time.now_us(), self._time.machine_us())
        has_stepped = abs(found.lead_us - self._lead_us) > least_us
        if has_stepped:
            await self._store.change(changes.add_row, schema.clock, found)
            self._add(found)
        return has_stepped

    def _add(self, noted: ClockReading) -> None:
        self._lead_us = noted.lead_us
        self._time.leads.add(noted)
