"""The games of this process: its store, their rooms, and what other processes on the same database say."""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Mapping
from functools import partial

from hnefi.server.games.games import Games
from hnefi.server.games.rooms import Rooms
from hnefi.server.games.site_time import SiteTime
from hnefi.server.games.time import SystemTime
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.presence import PeopleHere
from hnefi.server.settings import Settings
from hnefi.server.store import processes, reading
from hnefi.server.store.rows import NotSaved
from hnefi.server.store.store import Store
from hnefi.workers.engines import EnginePool

_SAMPLE_S = 1.0


class Process:
    """The games of this process. On SQLite it is the only one; on PostgreSQL there may be others.

    Attributes:
        engines: The searches of this process.
    """

    def __init__(self, settings: Settings, observe: Callable[[int, float], None]) -> None:
        """Creates it; `start` opens the database. `observe` is called after every commit."""
        self.engines = EnginePool(settings.engine_workers, settings.engine_worker_mib)
        store = self.store = Store(settings.url, observe=observe)
        self.time = SiteTime() if store.is_shared else SystemTime()
        encoder = MessageEncoder(self.time.leads)
        self.rooms = Rooms(store, self.time, self.engines, encoder)
        self.games = Games(self.rooms)
        self._sampling: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Opens the store and resumes games."""
        store = self.store
        await asyncio.to_thread(store.open)
        last_us = await store.read(reading.last_beat) or 0
        if isinstance(self.time, SiteTime):
            await self.time.start(partial(store.read, processes.read_clock), last_us)
        else:
            if self.time.machine_us() <= last_us:
                # The clock of the machine was set back. An event may be later than the last heartbeat.
                event_us = await store.read(reading.last_event)
                last_us = max(last_us, event_us or 0)
            self.time.set_after(last_us)
        await self.engines.start()
        await self.rooms.start()
        if isinstance(self.time, SiteTime):
            self.time.on_step = self.rooms.send_states
            self._sampling = asyncio.get_running_loop().create_task(self._sample(self.time))

    async def _sample(self, time: SiteTime) -> None:
        """Compares the time with the clock of the database every second."""
        while True:
            await asyncio.sleep(_SAMPLE_S)
            with contextlib.suppress(NotSaved):
                if time.note(await self.store.read(processes.read_clock)):
                    time.learn(await self.store.read(reading.clock_readings))

    @property
    def readings(self) -> Mapping[str, Callable[[], float]]:
        """The metrics of the games and the searches."""
        store, rooms, engines = self.store, self.rooms, self.engines
        return {
            "hnefi_events_total": lambda: store.writer.events,
            "hnefi_failed_writes_total": lambda: store.writer.failed,
            "hnefi_outages_total": lambda: rooms.heartbeat.outages,
            "hnefi_outage": lambda: rooms.heartbeat.is_outage,
            "hnefi_processes": lambda: 1 if rooms.sharing is None else rooms.sharing.alive,
            "hnefi_rooms": lambda: len(rooms.loaded),
            "hnefi_deadlines": lambda: len(rooms.deadlines.timers),
            "hnefi_damaged_games": lambda: len(rooms.set_aside),
            "hnefi_write_queue": lambda: store.writer.queued,
            "hnefi_engine_queue": lambda: len(engines),
            "hnefi_engine_places": lambda: engines.places,
        }

    @property
    def elsewhere(self) -> Collection[PeopleHere]:
        """Who is connected to each of the other processes."""
        return self.rooms.sharing.here if self.rooms.sharing is not None else ()

    async def stop(self) -> None:
        """Stops the games. Acknowledged events are stored in any case."""
        if self._sampling is not None:
            self._sampling.cancel()
        await self.rooms.stop()
        await self.engines.stop()
