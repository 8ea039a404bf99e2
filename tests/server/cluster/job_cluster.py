"""Game workers and engine workers in one process, for tests of jobs: their bus and streams are in memory."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from hnefi.server.cluster.engine_worker import EngineWorker
from hnefi.server.cluster.jobs import JobStream
from hnefi.server.cluster.messages import ALL, AnyMessage
from hnefi.server.cluster.streams import Stream
from hnefi.server.cluster.tasks import end_tasks
from hnefi.workers.fair_queue import Owner
from tests.server.cluster.memory_bus import MemoryBusServer
from tests.server.cluster.memory_stream import MemoryStream
from tests.server.fake_engine import GAME, FakeProcess
from tests.timeouts import TIMEOUT_S

__all__ = ["JobCluster", "Player", "process_of", "run", "until"]

_MEMORY_MIB = 768


class Player:
    """Asks for moves through a job stream, and keeps the tasks."""

    def __init__(self, jobs: JobStream) -> None:
        self.jobs = jobs
        self.tasks: list[asyncio.Task[Any]] = []

    async def ask(self, seed: str, strength: int, address: str = "192.0.2.1") -> "asyncio.Task[Any]":
        """Asks for a move; returns when the request is queued or sent."""
        owner = Owner(address, "v")
        task = asyncio.create_task(self.jobs.choose(GAME, strength, seed, None, owner))
        self.tasks.append(task)
        for _ in range(30):
            await asyncio.sleep(0)
        return task


class JobCluster:
    """Processes of a site, which share a bus and streams."""

    def __init__(self) -> None:
        self.bus = MemoryBusServer()
        self.stream = MemoryStream()
        self.players: list[Player] = []
        self.engines: list[EngineWorker] = []
        self._closing: list[Callable[[], Awaitable[None]]] = []

    async def player(self, address: str = "w:1", stream: Stream | None = None) -> Player:
        """Starts a game worker."""
        bus = self.bus.bus(address)
        jobs = JobStream(stream or self.stream, bus.send, address)

        def receive(sender: str, message: AnyMessage, _text: str | None) -> None:
            jobs.receive(sender, message)

        await bus.start([ALL], receive)
        await jobs.start()
        self.players.append(Player(jobs))
        self._closing += [jobs.stop, bus.stop]
        return self.players[-1]

    async def engine(
        self, address: str = "e:1", places: int = 1, stream: Stream | None = None
    ) -> EngineWorker:
        """Starts an engine worker."""
        bus = self.bus.bus(address)
        engine = EngineWorker(stream or self.stream, bus.send, address, places, _MEMORY_MIB)

        def receive(sender: str, message: AnyMessage, _text: str | None) -> None:
            engine.receive(sender, message)

        await bus.start([ALL], receive)
        await engine.start()
        self.engines.append(engine)
        self._closing.append(bus.stop)
        return engine

    async def player_with_engine(self) -> Player:
        """Starts an engine worker and a game worker, which finds it."""
        await self.engine()
        player = await self.player()
        await self.keep(1)
        return player

    async def kill(self, engine: EngineWorker) -> None:
        """Ends an engine worker at once: it neither answers nor returns its jobs."""
        self.engines.remove(engine)
        assert engine._reading is not None
        await end_tasks([engine._reading, *engine._tasks])

    async def keep(self, seconds: float) -> None:
        """Advances the clock of the streams, while the living engine workers keep their jobs."""
        for _ in range(int(seconds)):
            self.stream.now_s += 1
            for engine in self.engines:
                await engine.keep()

    async def check_sent(self) -> None:
        """Has all game workers look for lost jobs, as often as it takes to find them."""
        for _ in range(2):
            for player in self.players:
                await player.jobs.check_sent()

    async def close(self) -> None:
        """Ends all processes."""
        tasks = [task for player in self.players for task in player.tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(engine.stop() for engine in self.engines))
        for close in self._closing:
            await close()


def run(scenario: Callable[[JobCluster], Awaitable[None]]) -> None:
    """Runs a scenario with a site of its own, which is closed afterwards."""

    async def whole() -> None:
        cluster = JobCluster()
        try:
            await asyncio.wait_for(scenario(cluster), TIMEOUT_S)
        finally:
            await cluster.close()

    asyncio.run(whole())


async def until(condition: Callable[[], bool]) -> None:
    """Waits until a condition is true; the scenario has a timeout."""
    while not condition():
        await asyncio.sleep(0.001)


def process_of(seed: str) -> FakeProcess:
    """Returns the process that carries out a search since last."""
    return [one for one in FakeProcess.running if one.job is not None and one.job["seed"] == seed][-1]
