"""One of several processes that serve a site: gateway, game worker, engine worker, or all in one."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Mapping

from hnefi.server.cluster.bus_readings import bus_readings
from hnefi.server.cluster.ends import Ends
from hnefi.server.cluster.engine_part import EnginePart
from hnefi.server.cluster.gateway_part import GatewayPart
from hnefi.server.cluster.jobs import JobStream
from hnefi.server.cluster.owned_rooms import OwnedRooms
from hnefi.server.cluster.redis_bus import RedisTransport
from hnefi.server.cluster.redis_stream import RedisStream
from hnefi.server.cluster.site_time import SiteTime
from hnefi.server.cluster.worker_part import WorkerPart
from hnefi.server.games.games import Games
from hnefi.server.games.readings import engine_readings, game_readings
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.presence import PeopleHere
from hnefi.server.settings import Settings
from hnefi.server.starting import StartStopped
from hnefi.server.store import NoTables, NotSaved, Store, StoreReader
from hnefi.server.store.lease import Lease
from hnefi.server.store.leases import Leases

__all__ = ["ClusterProcess"]

_log = logging.getLogger(__name__)
_RETRY_S = 0.5
_PATIENCE_S = 30.0
"""How long a gateway or engine worker waits for the first game worker, which creates the tables."""


class ClusterProcess:
    """The part of this process in a site of several; see `hnefi.server.service.Backend`.

    Attributes:
        store: The games; only a game worker writes.
        time: The time of the site.
        rooms: The games that this process owns; None for a gateway.
        engines: The searches of this process, which engine workers carry out.
    """

    is_damaged = False

    def __init__(self, settings: Settings, observe: Callable[[int, float], None]) -> None:
        """Creates it; `start` connects.

        Args:
            settings: The settings, with `bus` and perhaps `role`.
            observe: Called after every commit.
        """
        self._settings = settings
        self._observe = observe
        self.store: StoreReader
        self.time = SiteTime()
        self.rooms: OwnedRooms | None = None
        self.engines: JobStream
        self.games: Games
        self._ends: Ends
        self._stream: RedisStream
        self._leases: Leases | None = None
        self._gateway: GatewayPart | None = None
        self._worker: WorkerPart | None = None
        self._engine: EnginePart | None = None
        self._starting: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connects to database and bus, and serves.

        Raises:
            HnefiError: If it cannot start, such as `bus_unreachable` or `database_in_use`.
            NotSaved: If the database cannot be read.
            StartStopped: After `stop_starting`.
        """
        self._starting = asyncio.get_running_loop().create_task(self._start())
        try:
            await self._starting
        except asyncio.CancelledError:
            _log.info("stopping")
            await self.stop()
            if hasattr(self, "store"):
                await asyncio.to_thread(self.store.close)
            raise StartStopped from None

    def stop_starting(self) -> None:
        """Ends `start`, which may wait for tables or for the bus; does nothing if it has ended."""
        if self._starting is not None:
            self._starting.cancel()

    async def _start(self) -> None:
        settings = self._settings
        assert settings.bus is not None
        store: Store | None = None
        if settings.role in ("gateway", "engine"):
            self.store = StoreReader(settings.url)
        else:
            lease = Lease()
            store = self.store = await self._open_store(lease)
            self._leases = Leases(settings.url, store, lease)
        site, url = await _wait_for_site(self.store), settings.bus
        self._ends = Ends(lambda: RedisTransport(url, site))
        if settings.role in (None, "engine"):
            places, memory_mib = settings.engine_workers, settings.engine_worker_mib
            self._engine = EnginePart(self._ends, RedisStream(url, site), places, memory_mib)
            await self._engine.start()
        if settings.role != "engine":
            self._stream = RedisStream(url, site)
            await self._serve(store)

    async def _open_store(self, lease: Lease) -> Store:
        """Opens the store in a thread, which cannot be cancelled."""
        opening = asyncio.ensure_future(
            asyncio.to_thread(Store, self._settings.url, observe=self._observe, lease=lease)
        )
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            with contextlib.suppress(Exception):  # it is not needed any more
                self.store = await opening
            raise

    async def _serve(self, store: Store | None) -> None:
        """Serves games, with a store to write to if it owns some."""
        await self.time.start(self.store.database_clock, await self.store.last_heartbeat() or 0)
        self.time.learn(await self.store.clock_readings())
        await self._start_gateway(notes_time=store is None)
        if store is not None:
            await self._start_worker(store)

    async def _start_gateway(self, *, notes_time: bool) -> None:
        # Also in a game worker: it has the address to which its searches are answered.
        gateway = self._gateway = GatewayPart(self._ends, self.store, self.time, notes_time=notes_time)
        self.games = gateway.games
        self.engines = JobStream(self._stream, gateway.end.send, gateway.end.address)
        await gateway.start(self.engines.receive)
        await self.engines.start()

    async def _start_worker(self, store: Store) -> None:
        assert self._leases is not None
        assert self._gateway is not None
        encoder = MessageEncoder(self.time.leads)

        def rooms_for(owns: Callable[[str], bool]) -> OwnedRooms:
            return OwnedRooms(store, self.time, self.engines, encoder, owns, today=self._settings.today)

        note = self._gateway.owners.note
        worker = self._worker = WorkerPart(self._ends, self._leases, store, self.time, rooms_for, note)
        self.rooms = worker.rooms
        await worker.start()

    def people_elsewhere(self) -> int | None:
        """Returns how many people are connected to other gateways; None while the bus is silent."""
        if self._gateway is None or self._ends.is_silent:
            return None
        return self._gateway.games.people.count()

    def posters_elsewhere(self) -> Collection[str]:
        """Returns the visitors at other gateways who wait for somebody to take their challenges."""
        return () if self._gateway is None else self._gateway.games.people.posters()

    def members_elsewhere(self, code: str) -> Collection[int]:
        """Returns the members of a class who are connected to other gateways."""
        return () if self._gateway is None else self._gateway.games.people.members(code)

    def announce_people(self, here: Callable[[], PeopleHere]) -> None:
        """Sends other gateways now and then who is connected to this one."""
        if self._gateway is not None:
            self._gateway.announce_people(here)

    async def is_reachable(self) -> bool:
        """Checks whether games can be played: bus and database work, and somebody owns games."""
        if self._ends.is_silent or self._gateway is None or not self._gateway.owners.has_any:
            return False
        if isinstance(self.store, Store):
            return await self.store.can_write(self.time.now_us())
        try:
            await self.store.site_name()
        except NotSaved:
            return False
        return True

    @property
    def readings(self) -> Mapping[str, Callable[[], float]]:
        """The metrics of the bus, of searches unless it only carries them out, of games and slots."""
        readings = {**bus_readings(self._ends.buses)}
        if self._gateway is not None:
            readings |= engine_readings(self.engines)
        if self.rooms is not None and isinstance(self.store, Store):
            readings |= game_readings(self.rooms, self.store)
        if self._worker is not None:
            readings |= self._worker.ownership.readings
        return readings

    async def stop(self) -> None:
        """Hands the games over, and disconnects."""
        if self._worker is not None:
            await self._worker.stop()
        if self._engine is not None:
            await self._engine.stop()
        if self._gateway is not None:
            await self.engines.stop()
            await self._gateway.stop()
            await self._stream.close()
        if self._leases is not None:
            await asyncio.to_thread(self._leases.close)


async def _wait_for_site(store: StoreReader) -> str:
    """Waits for the first game worker, which creates the tables, and returns the name of the site.

    Raises:
        NoTables: If there are none after half a minute.
        NotSaved: If the database cannot be read.
    """
    loop = asyncio.get_running_loop()
    until_s = loop.time() + _PATIENCE_S
    is_logged = False
    while True:
        try:
            return await store.site_name()
        except NoTables as error:
            if loop.time() > until_s:
                raise
            if not is_logged:
                _log.warning("%s; waiting for one, for %d seconds", error, _PATIENCE_S)
                is_logged = True
            await asyncio.sleep(_RETRY_S)
