"""Jobs that get lost, come back or fail: after a restart of the bus, with dead engine workers, and others."""

import asyncio
import contextlib
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from hnefi.errors import EngineError
from hnefi.server.cluster import engine_worker, jobs, tasks
from hnefi.server.cluster.job_messages import Job, JobDone
from hnefi.server.cluster.streams import Entry
from hnefi.workers.searches import SearchKind
from tests.codes import has_code
from tests.server.cluster.job_cluster import JobCluster, run, until
from tests.server.cluster.memory_bus import settle_bus
from tests.server.fake_engine import MOVE, FakeProcess, until_begun
from tests.timeouts import TIMEOUT_S

pytestmark = pytest.mark.usefixtures("fake_engines")
SCHOOL, HOME = "192.0.2.1", "192.0.2.2"


def test_a_job_of_a_dead_engine_worker_is_taken_over() -> None:
    async def scenario(cluster: JobCluster) -> None:
        first = await cluster.engine("e:1")
        player = await cluster.player()
        await cluster.keep(1)
        move = await player.ask("one", 9)
        await until_begun("one")
        await cluster.kill(first)
        await cluster.engine("e:2")
        await cluster.keep(4)
        await until_begun("one")
        await cluster.keep(1)
        await until_begun("one", "one")
        FakeProcess.running[-1].finish()
        assert str(await move) == MOVE
        assert cluster.stream.added == 1

    run(scenario)


def test_a_long_search_that_its_engine_worker_keeps_is_not_taken_over() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        move = await player.ask("one", 9)
        await until_begun("one")
        await cluster.engine("e:2")
        await cluster.keep(60)
        await cluster.check_sent()
        await until_begun("one")
        FakeProcess.running[0].finish()
        assert str(await move) == MOVE

    run(scenario)


def test_jobs_are_added_again_after_a_restart_of_the_bus() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        answered = await player.ask("answered", 1)
        await until_begun("answered")
        # The answer is lost with the bus.
        cluster.stream.kill()
        cluster.bus.kill()
        FakeProcess.running[0].finish()
        await settle_bus()
        assert not answered.done()
        waiting = await player.ask("waiting", 1)
        cluster.stream.restart()
        cluster.bus.restart()
        await cluster.keep(1)
        await cluster.check_sent()
        await until_begun("answered", "answered")
        FakeProcess.running[0].finish()
        assert str(await answered) == MOVE
        await until_begun("answered", "answered", "waiting")
        FakeProcess.running[0].finish()
        assert str(await waiting) == MOVE
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)


def test_a_search_that_goes_on_through_a_restart_of_the_bus_answers_for_its_second_entry() -> None:
    async def scenario(cluster: JobCluster) -> None:
        await cluster.engine("e:1", 2)
        player = await cluster.player()
        await cluster.keep(1)
        move = await player.ask("one", 9)
        await until_begun("one")
        cluster.stream.lose_all()
        await cluster.check_sent()
        await until(lambda: cluster.stream.added == 2 and cluster.stream.waiting == 0)
        await until_begun("one")
        await cluster.check_sent()
        await settle_bus()
        assert cluster.stream.added == 2
        FakeProcess.running[0].finish()
        assert str(await move) == MOVE
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)


def test_a_lost_job_that_is_answered_after_all_leaves_the_stream() -> None:
    async def scenario(cluster: JobCluster) -> None:
        engine = await cluster.engine("e:1")
        player = await cluster.player()
        await cluster.keep(1)
        move = await player.ask("one", 9)
        await until_begun("one")
        cluster.stream.lose_all()
        await cluster.check_sent()
        await until(lambda: cluster.stream.waiting == 1)
        assert engine._reading is not None
        engine._reading.cancel()
        FakeProcess.running[0].finish()
        assert str(await move) == MOVE
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)


def test_a_job_is_added_when_the_bus_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(cluster: JobCluster) -> None:
        monkeypatch.setattr(jobs, "_RETRY_S", 0.0)
        player = await cluster.player_with_engine()
        cluster.stream.kill()
        move = await player.ask("one", 9)
        await settle_bus()
        cluster.stream.restart()
        await until_begun("one")
        FakeProcess.running[0].finish()
        assert str(await move) == MOVE

    run(scenario)


def test_a_second_answer_is_dropped() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        move = await player.ask("one", 9)
        await until_begun("one")
        cluster.stream.lose_all()
        await cluster.check_sent()
        await cluster.engine("e:2")
        await until_begun("one", "one")
        first, second = list(FakeProcess.running)
        first.finish()
        assert str(await move) == MOVE
        following = await player.ask("two", 9)
        second.finish()
        await until_begun("one", "one", "two")
        assert not following.done()
        FakeProcess.running[0].finish()
        assert str(await following) == MOVE
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)


def test_an_answer_to_an_earlier_part_of_a_paused_search_does_not_end_it() -> None:
    async def scenario(cluster: JobCluster) -> None:
        player = await cluster.player_with_engine()
        long = await player.ask("long", 10, SCHOOL)
        await until_begun("long")
        await settle_bus()
        await player.ask("short", 1, HOME)
        await until_begun("long", "short")
        FakeProcess.running[0].finish()
        await until_begun("long", "short", "long")
        player.jobs.receive("e:1", JobDone(id=1, move=MOVE))
        await settle_bus()
        assert not long.done()

    run(scenario)


@pytest.mark.parametrize("is_begun", [False, True])
def test_an_abandoned_search_of_a_dead_engine_worker_leaves_the_stream(*, is_begun: bool) -> None:
    async def scenario(cluster: JobCluster) -> None:
        engine = await cluster.engine()
        player = await cluster.player()
        await cluster.keep(1)
        if not is_begun:
            await cluster.kill(engine)
        abandoned = await player.ask("abandoned", 10)
        if is_begun:
            await until_begun("abandoned")
            await settle_bus()
            await cluster.kill(engine)
        assert len(cluster.stream) == 1
        abandoned.cancel()
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)


def test_jobs_that_are_too_old_or_malformed_are_not_begun() -> None:
    async def scenario(cluster: JobCluster) -> None:
        job = {"id": 1, "reply": "w:9", "kind": "play", "level": 1, "seed": "old", "cost_ms": 5.0}
        position = {"rules": "{}", "start": "", "moves": [], "allowed": []}
        text = Job.model_validate({**job, "position": position}).model_dump_json().encode()
        await cluster.stream.add(SearchKind.OPPONENT, text)
        await cluster.stream.add(SearchKind.OPPONENT, b"{}")
        cluster.stream.now_s += 61
        await cluster.engine()
        await until(lambda: len(cluster.stream) == 0)
        assert FakeProcess.begun == []

    run(scenario)


@pytest.mark.parametrize("line", ["no JSON", '{"id": 1, "final": true}'])
def test_a_process_that_fails_is_an_error_and_its_place_is_used_again(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(cluster: JobCluster) -> None:
        monkeypatch.setattr(engine_worker, "_RESTART_S", 0.0)
        await cluster.engine()
        player = await cluster.player()
        await cluster.keep(1)
        move = await player.ask("one", 1)
        await until_begun("one")
        FakeProcess.running.pop()._lines.put_nowait(line.encode() + b"\n")
        with pytest.raises(EngineError, check=has_code("engine_died")):
            await move
        again = await player.ask("two", 1)
        await until_begun("one", "two")
        FakeProcess.running[0].finish()
        assert str(await again) == MOVE
        assert len(cluster.stream) == 0

    run(scenario)


def test_an_engine_worker_goes_on_after_an_unexpected_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(cluster: JobCluster) -> None:
        monkeypatch.setattr(engine_worker, "_RESTART_S", 0.0)
        await cluster.engine()
        player = await cluster.player()
        await cluster.keep(1)
        take_over, faults = cluster.stream.take_over, [IndexError("of the client")]

        async def fail_once(consumer: str, idle_s: float) -> list[Entry]:
            if faults:
                raise faults.pop()
            return await take_over(consumer, idle_s)

        monkeypatch.setattr(cluster.stream, "take_over", fail_once)
        await until(lambda: not faults)
        move = await player.ask("one", 1)
        await until_begun("one")
        FakeProcess.running[0].finish()
        assert str(await move) == MOVE

    run(scenario)


def test_processes_stop_though_a_cancellation_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(cluster: JobCluster) -> None:
        monkeypatch.setattr(engine_worker, "_BEAT_S", 0.0)
        monkeypatch.setattr(jobs, "_CHECK_S", 0.0)
        monkeypatch.setattr(tasks, "_AGAIN_S", 0.0)
        waiting = set[str]()

        def lose_first(name: str, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def call(*arguments: Any) -> Any:
                if name not in waiting:
                    waiting.add(name)
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.sleep(10 * TIMEOUT_S)
                return await method(*arguments)

            return call

        for name in ("keep", "missing"):
            monkeypatch.setattr(cluster.stream, name, lose_first(name, getattr(cluster.stream, name)))
        engine = await cluster.engine()
        player = await cluster.player()
        await player.ask("one", 9)
        await until(lambda: waiting == {"keep", "missing"})
        await player.jobs.stop()
        await engine.stop()

    run(scenario)


def test_all_moves_are_chosen_though_a_third_of_the_messages_is_lost() -> None:
    async def scenario(cluster: JobCluster) -> None:
        await cluster.engine("e:1")
        await cluster.engine("e:2")
        player = await cluster.player()
        chance = random.Random(7)
        cluster.bus.drops = lambda _channel, _data: chance.random() < 1 / 3
        for number in range(20):
            await player.ask(f"{number}", 10 if number % 4 == 0 else 1, f"192.0.2.{number % 3}")

        async def play() -> None:
            while not all(task.done() for task in player.tasks):
                for process in list(FakeProcess.running):
                    process.finish()
                await cluster.keep(1)
                await player.jobs.check_sent()
                await settle_bus()

        await play()
        assert [str(task.result()) for task in player.tasks] == [MOVE] * 20
        await until(lambda: len(cluster.stream) == 0)

    run(scenario)
