"""Engine workers as processes of their own, with real engines and a real Valkey or Redis."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from hnefi.server.cluster.bus import Bus
from hnefi.server.cluster.jobs import JobStream
from hnefi.server.cluster.messages import ALL, AnyMessage
from hnefi.server.cluster.redis_bus import RedisTransport
from hnefi.server.cluster.redis_stream import RedisStream
from hnefi.server.store import Store
from hnefi.workers.fair_queue import Owner
from tests.server.cluster.bus_servers import BusServer, any_bus_server
from tests.server.fake_engine import GAME
from tests.server.serving import ROOT
from tests.timeouts import TIMEOUT_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals end the processes")


class Site:
    """A bus, a database with the name of the site, engine workers, and a game worker in this process."""

    def __init__(self, server: BusServer, folder: Path) -> None:
        self.server = server
        self._folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.jobs: JobStream
        self._bus: Bus
        self._stream: RedisStream

    async def start(self) -> None:
        """Creates the database, and starts the game worker."""
        store = await asyncio.to_thread(Store, f"sqlite:///{self._folder / 'games.db'}")
        site = await store.site_name()
        await asyncio.to_thread(store.close)
        self._stream = RedisStream(self.server.url, site)
        self._bus = Bus(RedisTransport(self.server.url, site), "w:1")
        self.jobs = JobStream(self._stream, self._bus.send, "w:1")

        def receive(sender: str, message: AnyMessage, _text: str | None) -> None:
            self.jobs.receive(sender, message)

        await self._bus.start((ALL,), receive)
        await self.jobs.start()

    def engine(self, places: int = 1) -> "subprocess.Popen[bytes]":
        """Starts an engine worker."""
        words = {"folder": str(self._folder), "bus": self.server.url, "engine_workers": places}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.cluster.run_engine", json.dumps(words)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        )
        self.processes.append(process)
        return process

    async def until_places(self, count: int) -> None:
        """Waits until the game worker knows of so many places."""
        while self.jobs.places != count:
            await asyncio.sleep(0.01)

    async def until_long(self) -> None:
        """Waits until an engine worker has announced a long search."""
        while not list(self.jobs._announced()):
            await asyncio.sleep(0.01)

    async def choose(self, level: int, visitor: str = "v") -> None:
        """Has a move chosen."""
        move = await self.jobs.choose(GAME, level, "seed", None, Owner("192.0.2.1", visitor))
        assert GAME.game.is_legal(move)

    async def stop(self) -> None:
        """Ends everything but the server."""
        for process in self.processes:
            process.kill()
            process.wait()
        await self.jobs.stop()
        await self._bus.stop()
        await self._stream.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[BusServer]:
    running = any_bus_server(tmp_path)
    yield running
    running.kill()


def run(server: BusServer, folder: Path, scenario: Callable[[Site], Awaitable[None]]) -> None:
    async def whole() -> None:
        site = Site(server, folder)
        await site.start()
        try:
            await asyncio.wait_for(scenario(site), TIMEOUT_S)
        finally:
            await site.stop()

    asyncio.run(whole())


def test_moves_are_chosen_by_several_engine_workers(server: BusServer, tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        site.engine()
        site.engine(2)
        await site.until_places(3)
        await asyncio.gather(*(site.choose(1 + number % 5, f"{number}") for number in range(12)))

    run(server, tmp_path, scenario)


def test_a_killed_engine_worker_is_replaced_by_another(server: BusServer, tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        first = site.engine()
        await site.until_places(1)
        long = asyncio.create_task(site.choose(10))
        await site.until_long()
        first.kill()
        first.wait()
        site.engine()
        await long
        await site.choose(1)

    run(server, tmp_path, scenario)


def test_an_engine_worker_that_is_stopped_returns_its_job_and_ends_without_error(
    server: BusServer, tmp_path: Path
) -> None:
    async def scenario(site: Site) -> None:
        first = site.engine()
        await site.until_places(1)
        long = asyncio.create_task(site.choose(10))
        await site.until_long()
        for _ in range(3):
            first.terminate()
            await asyncio.sleep(0)
        assert await asyncio.to_thread(first.wait, TIMEOUT_S) == 0
        await site.until_places(0)
        while len(site.jobs) != 1:
            await asyncio.sleep(0.01)
        site.engine()
        await long

    run(server, tmp_path, scenario)


def test_searches_go_on_after_a_restart_of_the_bus(server: BusServer, tmp_path: Path) -> None:
    async def scenario(site: Site) -> None:
        site.engine()
        await site.until_places(1)
        long = asyncio.create_task(site.choose(10))
        await site.until_long()
        server.kill()
        await asyncio.sleep(0.1)
        server.start()
        await long
        await site.choose(1)

    run(server, tmp_path, scenario)
