"""The service behind all addresses: store, games, engines and hub, put together, begun and ended."""

import asyncio
import gc
import os
import time
from pathlib import Path

from prometheus_client import CollectorRegistry, Gauge, Histogram, start_http_server

from hnefi.server.games.rooms import Rooms
from hnefi.server.games.time import SystemTime
from hnefi.server.http.guard import Origins
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.rules_editor.worker import RulesWorker
from hnefi.server.settings import Settings
from hnefi.server.sockets.hub import Hub
from hnefi.server.store import Store
from hnefi.workers.engines import EnginePool

__all__ = ["Metrics", "Service", "tune_collector"]

_BUCKETS_S = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_BEAT_S = 0.05


class Metrics:
    """What is measured while the server runs, in the form that Prometheus reads."""

    def __init__(self) -> None:
        """Begins with nothing measured."""
        self.registry = CollectorRegistry()
        self.move = self._histogram("hnefi_move_seconds", "From a move's coming in until it is kept")
        self.commit = self._histogram("hnefi_commit_seconds", "Writing one batch to the disk")
        self.stall = self._histogram("hnefi_loop_stall_seconds", "How much too late the event loop woke")
        self.work = self._histogram("hnefi_loop_work_seconds", "How much of that can have been its own work")
        self.collection = self._histogram("hnefi_collection_seconds", "Work of the garbage collector")
        self.batch = Histogram(
            "hnefi_batch_writes",
            "Writes committed together",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
            registry=self.registry,
        )
        self._began = 0.0

    def _histogram(self, name: str, text: str) -> Histogram:
        return Histogram(name, text, buckets=_BUCKETS_S, registry=self.registry)

    def gauge(self, name: str, text: str, count: object) -> None:
        """Measures the length of something, whenever it is asked."""
        Gauge(name, text, registry=self.registry).set_function(lambda: float(len(count)))  # type: ignore[arg-type]

    def committed(self, writes: int, seconds: float) -> None:
        """Notes a commit."""
        self.batch.observe(writes)
        self.commit.observe(seconds)

    def collected(self, phase: str, _facts: dict[str, int]) -> None:
        """Notes a pause of the garbage collector; a callback of `gc`."""
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.collection.observe(time.thread_time() - self._began)


class Service:
    """Everything that runs while the server runs."""

    def __init__(self, settings: Settings) -> None:
        """Prepares; nothing is opened before `start`."""
        self.settings = settings
        self.origins = Origins(settings.hosts, settings.origins)
        self.metrics = Metrics()
        self.store: Store
        self.time: SystemTime
        self.engines: EnginePool
        # To find an example takes longest: nobody who changes a rule waits for it.
        self.rules_worker, self.examples_worker = RulesWorker(), RulesWorker()
        self.rooms: Rooms
        self.hub: Hub
        self.is_ready = False
        self.failure: Exception | None = None
        self._asking: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Opens the store and lets games go on."""
        settings = self.settings
        if settings.database is None:
            make_private_folder(settings.folder)
        self.store = await asyncio.to_thread(Store, settings.url, observe=self.metrics.committed)
        self.time = SystemTime(await self.store.last_heartbeat() or 0)
        self.engines = EnginePool(settings.thinkers, settings.thinker_mib)
        self.rooms = Rooms(self.store, self.time, self.engines, MessageEncoder())
        self.hub = Hub(
            self.rooms,
            self.time,
            self.origins,
            per_address=settings.sockets_per_address,
            per_visitor=settings.sockets_per_visitor,
            observe=self.metrics.move.observe,
        )
        await self.engines.start()
        await self.rooms.start()
        self._asking = asyncio.get_running_loop().create_task(self.hub.keep_alive())
        self._measure()
        self.is_ready = True

    def _measure(self) -> None:
        metrics = self.metrics
        metrics.gauge("hnefi_connections", "Open connections", self.hub)
        metrics.gauge("hnefi_rooms", "Games in memory", self.rooms)
        metrics.gauge("hnefi_deadlines", "Clocks that run", self.rooms.timers)
        metrics.gauge("hnefi_engine_queue", "Jobs that wait for an engine", self.engines)
        if self.settings.metrics_port is not None:
            start_http_server(self.settings.metrics_port, "127.0.0.1", metrics.registry)

    def watch(self) -> None:
        """Begins to measure the event loop, if somebody wants to know; called when the server answers."""
        if self.settings.metrics_port is not None:
            gc.callbacks.append(self.metrics.collected)
            self._beating = asyncio.get_running_loop().create_task(self._watch_loop())

    async def _watch_loop(self) -> None:
        """Measures by how much the event loop is late, and how much of that its own work can account for.

        The rest is the machine's: the loop waited for a processor.
        """
        loop = asyncio.get_running_loop()
        while True:
            due, worked = loop.time() + _BEAT_S, time.thread_time()
            await asyncio.sleep(_BEAT_S)
            late = max(loop.time() - due, 0.0)
            self.metrics.stall.observe(late)
            self.metrics.work.observe(min(late, time.thread_time() - worked))

    async def farewell(self) -> None:
        """Tells those who are connected that the server goes away, before their connections are closed."""
        self.is_ready = False
        if hasattr(self, "hub"):
            await self.hub.close()

    async def stop(self) -> None:
        """Ends everything; what was acknowledged is kept in any case."""
        await self.farewell()
        if self._asking is not None:
            self._asking.cancel()
        if self._beating is not None:
            self._beating.cancel()
            gc.callbacks.remove(self.metrics.collected)
        await self.rooms.stop()
        await self.engines.stop()
        await asyncio.gather(self.rules_worker.stop(), self.examples_worker.stop())
        await asyncio.to_thread(self.store.close)


def make_private_folder(folder: Path) -> None:
    """Makes the data folder, readable for its owner only."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix" and folder.stat().st_uid == os.getuid():
        folder.chmod(0o700)


def tune_collector() -> None:
    """Keeps pauses of the garbage collector short where there are many connections.

    With the settings of Python, a full collection takes up to a second at 8,000 connections, just after they
    have come. What is there at the beginning is never looked at again, and full collections are rare. The
    others look at 20,000 new objects at most, which takes one or two milliseconds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 2, 1_000_000)
