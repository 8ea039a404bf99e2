"""The service behind all routes: starts and stops store, games, workers and connections."""

import asyncio
import contextlib
import gc
import logging
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from starlette.types import Scope

from hnefi.server.classrooms import Classrooms
from hnefi.server.http.access_keys import AccessKeys
from hnefi.server.http.costs import ChargedTurns, ChargedWorker
from hnefi.server.http.guard import Origins
from hnefi.server.http.rate_limits import RateLimit
from hnefi.server.metrics import Metrics
from hnefi.server.people import People
from hnefi.server.picture_cache import PictureCache
from hnefi.server.presence import PeopleHere
from hnefi.server.process import Process
from hnefi.server.rules_editor.worker import rules_worker
from hnefi.server.settings import Settings
from hnefi.server.sockets.connections import Connections
from hnefi.server.sockets.followers import Followers
from hnefi.server.sockets.places import Places
from hnefi.workers.pictures import drawing_worker, picture_worker
from hnefi.workers.worker import AsyncWorker

_log = logging.getLogger(__name__)
T = TypeVar("T")

_WATCH_S = 0.05
_ADDRESS_COST, _COST_BURST_S = 2.0, 50.0
"""How many times as much reading as a visitor an address may do, and how many seconds' worth at once."""

_SHORT_TERM = 1.5
"""How many times as much as in the long run an address may read in a second."""

_BACKGROUND = 5.0
"""How many times as much as for reading a client may use of processes with the lowest priority."""

_CHECK_S = 1.0


def _limit(code: str, per_hour: int, at_once: float = 1.0) -> RateLimit:
    """Returns a limit that admits a quarter of an hour's requests at once, and at least some number."""
    return RateLimit(code, per_hour / 3600, max(per_hour / 4, at_once))


def _costs(ms_per_s: float) -> RateLimit:
    """Returns a limit of processor time."""
    at_once_ms = ms_per_s * _COST_BURST_S
    return RateLimit("too_many_requests", ms_per_s, at_once_ms, for_address=_ADDRESS_COST)


class Service:
    """The long-lived parts of the server: store, rooms, connections, workers and their tasks."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.origins = Origins(settings.hosts, settings.origins)
        self.keys = AccessKeys(settings.keys)
        self.metrics = Metrics()
        self.game_limit = _limit("too_many_games", settings.games_per_hour)
        self.class_limit = _limit("too_many_classes", settings.classes_per_hour)
        # A round of a class is created at once.
        round_games = settings.class_members / 2
        self.class_game_limit = _limit("too_many_class_games", settings.class_games_per_hour, round_games)
        self.class_code_limit = _limit("too_many_class_codes", settings.class_codes_per_hour)
        backend = self.backend = Process(settings, self.metrics.committed)
        self.time, self.games, self.engines = backend.time, backend.games, backend.engines
        self.engines.per_address = settings.analyses_per_address
        reading_ms = settings.reading_ms_per_second
        self.request_costs = _costs(reading_ms)
        self._workers: list[ChargedWorker] = []
        self.drawings = self.charge_for(drawing_worker())
        background_costs = _costs(_BACKGROUND * reading_ms)
        # Finding an example takes longest: edits of rules must not wait for it.
        self.rules, self.examples = (
            self.charge_for(rules_worker(settings.rules_worker_mib), background_costs) for _ in range(2)
        )
        self.pictures = PictureCache(
            ChargedWorker(picture_worker(settings.picture_worker_mib), background_costs),
            settings.folder / "animations",
            settings.animations_mib,
        )
        # In threads, since they may take long; two at a time, since they take the processor.
        self._threads = ChargedTurns(self.request_costs, most_running=2)
        self.short_term_ms = reading_ms * _ADDRESS_COST * _SHORT_TERM
        places = Places(settings.sockets_per_address, settings.sockets_per_visitor)
        self.followers = Followers(places)
        self.people = People(backend, lambda: places.people, settings.challenges_per_visitor)
        self.classrooms = Classrooms(
            backend, lambda: places.people, settings.class_members, settings.class_games
        )
        self.connections = Connections(
            self.games,
            self.time,
            self.origins,
            places,
            costs=self.request_costs,
            charge_game=self.game_limit.take,
            metrics=self.metrics,
        )
        self.is_ready = False
        self._write_check: asyncio.Task[bool] | None = None
        self._write_checked_at = 0.0
        self._tasks: list[asyncio.Task[None]] = []

    def charge_for(self, worker: AsyncWorker, costs: RateLimit | None = None) -> ChargedWorker:
        """Has clients charged for what a worker does, as for reading if None; it stops with the service."""
        charged = ChargedWorker(worker, costs or self.request_costs)
        self._workers.append(charged)
        return charged

    async def run_charged(self, work: Callable[[], T], scope: Scope) -> T:
        """Runs a function in a thread, and charges the client for it.

        Raises:
            TooManyRequests: `too_many_requests`.
        """
        async with self._threads.turn(scope) as cost:
            return await asyncio.to_thread(cost.measure, work)

    async def start(self) -> None:
        """Opens the store and resumes games."""
        settings = self.settings
        self.metrics.read({"hnefi_ready": lambda: self.is_ready})
        if settings.metrics_port is not None:
            self.metrics.serve(settings.metrics_port)
        if settings.database is None:
            create_private_folder(settings.folder)
        await self.backend.start()
        if self.backend.store.is_shared:
            self.backend.rooms.heartbeat.here = self._people_here
        self._tasks = [asyncio.get_running_loop().create_task(self.connections.keep_alive())]
        self._measure()
        self.is_ready = True

    def _people_here(self) -> str:
        count, members = self.people.presence.count(), self.classrooms.members_here()
        here = PeopleHere(people=count, members=members, posters=self.people.posters_here())
        return here.model_dump_json()

    def _measure(self) -> None:
        backend, folder = self.backend, self.settings.folder
        self.metrics.read(
            {
                "hnefi_connections": lambda: len(self.connections),
                "hnefi_followers": lambda: len(self.followers),
                "hnefi_picture_queue": lambda: len(self.pictures),
                "hnefi_drawing_queue": lambda: self.drawings.queued + self._threads.queued,
                "hnefi_disk_free_bytes": lambda: _disk_bytes(folder, free=True),
                "hnefi_disk_bytes": lambda: _disk_bytes(folder, free=False),
                **backend.readings,
            }
        )

    def watch(self) -> None:
        """Starts to measure the event loop, if metrics are served; called when it answers."""
        if self.settings.metrics_port is not None:
            gc.callbacks.append(self.metrics.collected)
            self._tasks.append(asyncio.get_running_loop().create_task(self._watch_loop()))

    async def _watch_loop(self) -> None:
        """Measures how late the event loop is, and how much of that is its own work.

        The rest is time in which it waited for a processor.
        """
        loop = asyncio.get_running_loop()
        while True:
            due, worked = loop.time() + _WATCH_S, time.thread_time()
            await asyncio.sleep(_WATCH_S)
            late = max(loop.time() - due, 0.0)
            self.metrics.stall.observe(late)
            self.metrics.work.observe(min(late, time.thread_time() - worked))

    async def is_reachable(self) -> bool:
        """Checks whether games can be played; it tries once a second at most."""
        now = time.monotonic()
        if self._write_check is None or now - self._write_checked_at > _CHECK_S:
            self._write_checked_at = now
            self._write_check = asyncio.get_running_loop().create_task(self.backend.store.can_write())
        return await asyncio.shield(self._write_check)

    async def announce_end(self) -> None:
        """Announces the end of the server on every connection, and closes them."""
        self.is_ready = False
        await asyncio.gather(self.connections.close(), self.followers.close())

    async def stop(self) -> None:
        """Stops everything. Acknowledged events are stored in any case."""
        await self.announce_end()
        for task in self._tasks:
            task.cancel()
        with contextlib.suppress(ValueError):
            gc.callbacks.remove(self.metrics.collected)
        await self.backend.stop()
        await asyncio.gather(self.pictures.stop(), *(worker.stop() for worker in self._workers))
        await asyncio.to_thread(self.backend.store.close)


def _disk_bytes(folder: Path, *, free: bool) -> int | None:
    """Returns the size of the disk of a folder or its free space; None if it cannot be read."""
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return None
    return usage.free if free else usage.total


def create_private_folder(folder: Path) -> None:
    """Creates the data folder, which only its owner can read."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix" and folder.stat().st_uid == os.getuid():
        folder.chmod(0o700)


def tune_collector() -> None:
    """Keeps pauses of the garbage collector short with many connections.

    With the defaults of Python, a full collection takes up to a second at 8,000 connections. Objects that
    exist now are never examined again, and full collections are rare. All others examine at most 20,000 new
    objects, which takes one or two milliseconds. A start leaves some thousand objects that nothing reaches:
    they stay, since to search for them would take a tenth of a second.
    """
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000, 2, 1_000_000)
