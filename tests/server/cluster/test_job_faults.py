"""Jobs under random faults: every search is answered once, and nothing is left."""

import asyncio
import random

import pytest

from hnefi.server.cluster import engine_worker, jobs
from tests.server.cluster.job_cluster import JobCluster, run
from tests.server.cluster.memory_bus import settle_bus
from tests.server.fake_engine import MOVE, FakeProcess

pytestmark = pytest.mark.usefixtures("fake_engines")
STEPS, ROUNDS = 120, 400


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (engine_worker, jobs):
        monkeypatch.setattr(module, "_RETRY_S", 0.0)


class Faults:
    """Random events in a site with two game workers."""

    def __init__(self, cluster: JobCluster, seed: int) -> None:
        self._cluster = cluster
        self._chance = random.Random(seed)
        self._engines = 0
        self._is_away = False

    async def step(self) -> None:
        """Does one thing."""
        cluster, chance = self._cluster, self._chance
        match chance.randrange(12):
            case 0 | 1 | 2 | 3:
                player = chance.choice(cluster.players)
                level = chance.choice((1, 5, 10))
                await player.ask(f"{len(player.tasks)}", level, f"192.0.2.{chance.randrange(3)}")
            case 4 | 5 | 6:
                self.finish_searches(chance.randrange(1, 4))
            case 7:
                await cluster.keep(1)
                for player in cluster.players:
                    await self._check(player.jobs)
            case 8 if self._engines < 6:
                await self.add_engine()
            case 9 if len(cluster.engines) > 1:
                engine = chance.choice(cluster.engines)
                if chance.random() < 0.5:
                    await cluster.kill(engine)
                else:
                    cluster.engines.remove(engine)
                    await engine.stop()
            case 10:
                task = chance.choice([None, *(task for player in cluster.players for task in player.tasks)])
                if task is not None:
                    task.cancel()
            case 11 if self._is_away:
                self.bring_back()
            case 11:
                self._is_away = True
                cluster.stream.kill()
                cluster.bus.kill()
        await settle_bus()

    async def _check(self, stream: jobs.JobStream) -> None:
        if not self._is_away:
            await stream.check_sent()

    @property
    def is_idle(self) -> bool:
        """Whether no job is left, and no search for nobody."""
        engines = self._cluster.engines
        return not len(self._cluster.stream) and all(
            len(engine._free) == len(engine._processes) for engine in engines
        )

    async def add_engine(self) -> None:
        """Adds an engine worker, if the bus is there."""
        if not self._is_away:
            self._engines += 1
            await self._cluster.engine(f"e:{self._engines}", self._chance.randrange(1, 4))

    def bring_back(self) -> None:
        """Starts the bus again."""
        self._is_away = False
        self._cluster.stream.restart()
        self._cluster.bus.restart()

    def finish_searches(self, most: int) -> None:
        """Ends a number of searches of living engine workers."""
        living = {id(process._process) for engine in self._cluster.engines for process in engine._processes}
        running = [process for process in FakeProcess.running if id(process) in living]
        for process in running[:most]:
            process.finish()


@pytest.mark.parametrize("seed", range(12))
def test_every_search_is_answered_once_after_random_faults(seed: int) -> None:
    async def scenario(cluster: JobCluster) -> None:
        chance = random.Random(seed)
        faults = Faults(cluster, seed)
        await cluster.player("w:1")
        await cluster.player("w:2")
        await faults.add_engine()
        cluster.bus.drops = lambda _channel, _data: chance.random() < 0.1
        for _ in range(STEPS):
            await faults.step()
        faults.bring_back()
        await cluster.engine("e:last", 2)
        tasks = [task for player in cluster.players for task in player.tasks]
        for _ in range(ROUNDS):
            if all(task.done() for task in tasks) and faults.is_idle:
                break
            await cluster.keep(1)
            await cluster.check_sent()
            await settle_bus()
            faults.finish_searches(10)
            await asyncio.sleep(0.001)
        assert {str(task.result()) for task in tasks if not task.cancelled()} == {MOVE}
        assert faults.is_idle
        for player in cluster.players:
            assert len(player.jobs) == 0
            assert (player.jobs._sent, player.jobs._running) == ({}, {})

    run(scenario)
