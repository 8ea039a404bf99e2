"""A server of one process: its store, and the rooms of all games."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping

from hnefi.server.games.local_games import LocalGames
from hnefi.server.games.readings import engine_readings, game_readings
from hnefi.server.games.rooms import Rooms
from hnefi.server.games.time import SystemTime
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.presence import PeopleHere
from hnefi.server.settings import Settings
from hnefi.server.store import Store
from hnefi.workers.engines import EnginePool

__all__ = ["SingleProcess"]

_log = logging.getLogger(__name__)


class SingleProcess:
    """The games of a server of one process; see `hnefi.server.service.Backend`.

    Attributes:
        is_damaged: Whether damaged pages were found in a large database.
        checking: The search for them.
    """

    def __init__(self, settings: Settings, observe: Callable[[int, float], None]) -> None:
        """Creates it; `start` opens the database.

        Args:
            settings: The settings.
            observe: Called after every commit.
        """
        self._settings, self._observe = settings, observe
        self.engines = EnginePool(settings.engine_workers, settings.engine_worker_mib)
        self.store: Store
        self.time: SystemTime
        self.rooms: Rooms
        self.games: LocalGames
        self.is_damaged = False
        self.checking: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Opens the store and resumes games."""
        store = self.store = await asyncio.to_thread(Store, self._settings.url, observe=self._observe)
        last_us = await store.last_heartbeat() or 0
        self.time = SystemTime(last_us)
        if self.time.machine_us() <= last_us:
            # The clock of the machine was set back. An event may be later than the last heartbeat.
            self.time = SystemTime(max(last_us, await store.last_event() or 0))
        encoder = MessageEncoder(self.time.leads)
        self.rooms = Rooms(store, self.time, self.engines, encoder, today=self._settings.today)
        self.games = LocalGames(self.rooms, store)
        await self.engines.start()
        await self.rooms.start()
        if not store.is_checked:
            self.rooms.may_delete = False
            self.checking = asyncio.get_running_loop().create_task(self._search_damage())

    def stop_starting(self) -> None:
        """Does nothing: it waits for no other process."""

    async def _search_damage(self) -> None:
        """Searches a large database for damaged pages. Until that is done nothing is deleted."""
        damage = await self.store.find_damage()
        if damage is None:
            self.rooms.may_delete = True
        else:
            self.is_damaged = True
            _log.error("%s. Games go on, but stop the server soon, and restore the last backup", damage)

    @property
    def readings(self) -> Mapping[str, Callable[[], float]]:
        """The metrics of the games and the searches."""
        return {**game_readings(self.rooms, self.store), **engine_readings(self.engines)}

    def people_elsewhere(self) -> int:
        """Returns 0: there is no other process."""
        return 0

    def posters_elsewhere(self) -> Collection[str]:
        """Returns nobody: there is no other process."""
        return ()

    def members_elsewhere(self, _: str) -> Collection[int]:
        """Returns nobody: there is no other process."""
        return ()

    def announce_people(self, here: Callable[[], PeopleHere]) -> None:
        """Does nothing: there is no other process."""

    async def is_reachable(self) -> bool:
        """Checks whether the database writes."""
        return await self.store.can_write(self.time.now_us())

    async def stop(self) -> None:
        """Stops the games. Acknowledged events are stored in any case."""
        if self.checking is not None:
            self.checking.cancel()
        await self.rooms.stop()
        await self.engines.stop()
