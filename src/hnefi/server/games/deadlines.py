"""Deadlines of games whose clock runs: flags fall, except in an outage of the database."""

import asyncio
import logging
from typing import TYPE_CHECKING

from hnefi.server.games.clocks import SECOND_US
from hnefi.server.refusals import Refused
from hnefi.server.store import processes, reading
from hnefi.server.store.rows import Conflict, NotSaved

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)
_HORIZON_US = 3_600 * SECOND_US
"""Deadlines of the next hour are in memory."""

_RESUMED_TOGETHER = 200
_RETRY_S = 2.0
_FLAG_S = 0.1
"""For how long a flag waits for moves that other processes have received."""


class Deadlines:
    """The deadlines of games in memory, and of all others that are near.

    Attributes:
        timers: The timer of each of these games.
    """

    def __init__(self, rooms: "Rooms") -> None:
        """Creates it without a deadline."""
        self._rooms, self._store, self._time = rooms, rooms.store, rooms.time
        self.timers: dict[str, asyncio.Handle] = {}
        self._overdue: set[str] = set()

    async def read(self) -> None:
        """Reads the deadlines that are near."""
        for game, due_us in await self._store.read(reading.deadlines, self._time.now_us() + _HORIZON_US):
            if game not in self._rooms.loaded:
                self.set_timer(game, due_us)

    def set_timer(self, game: str, deadline_us: int | None) -> None:
        """Sets or removes the timer of a game, for its deadline."""
        if (former := self.timers.pop(game, None)) is not None:
            former.cancel()
        if deadline_us is not None:
            self.timers[game] = self._time.call_at(deadline_us, self._on_deadline, game)

    def _on_deadline(self, game: str) -> None:
        del self.timers[game]
        if not self._rooms.is_stopping:
            self._rooms.tasks.spawn(self._end_by_time(game))

    async def _end_by_time(self, game: str) -> None:
        if self._rooms.heartbeat.is_outage:
            self._overdue.add(game)
            return
        try:
            if self._rooms.sharing is not None and game not in self._rooms.loaded:
                again_us = await self._store.change(processes.claim_deadline, game, self._time.now_us())
                if again_us != 0:
                    self.set_timer(game, again_us)
                    return
            if self._rooms.has_others():
                # A move that another process has received in time may be on its way to the database.
                await asyncio.sleep(_FLAG_S)
            await (await self._rooms.room(game)).end_by_time()
        except Refused:
            return  # deleted or damaged; or others have changed it every time, and it has a timer again
        except (NotSaved, Conflict):
            await asyncio.sleep(_RETRY_S)
            self.set_timer(game, self._time.now_us())

    async def resume(self, away_since_us: int) -> None:
        """Lets the clocks go on after an outage, with an event in every game whose clock stood."""
        overdue, self._overdue = self._overdue, set()
        games = list({*self._rooms.loaded, *overdue})
        for first in range(0, len(games), _RESUMED_TOGETHER):
            part = games[first : first + _RESUMED_TOGETHER]
            await asyncio.gather(*(self._resume_one(game, away_since_us) for game in part))
        # Those of them that were charged nothing are over: their flags fall when the outage has ended.
        for game in overdue:
            self.set_timer(game, self._time.now_us())

    async def _resume_one(self, game: str, away_since_us: int) -> None:
        if (room := await self._rooms.load_quietly(game)) is not None:
            try:
                await room.resume(
                    away_since_us, room.audience.players_here if self._store.is_shared else None
                )
            except Refused as error:  # deleted meanwhile, or damaged
                _log.warning("could not let the clocks of %s go on: %s", game, error)
