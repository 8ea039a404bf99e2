"""Turns of engine jobs: processes that answer on demand, so that only the order counts."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import pytest

from hnefi import variant
from hnefi.workers import engines, searches
from hnefi.workers.engine_process import EngineProcess
from hnefi.workers.engines import EnginePool
from hnefi.workers.fair_queue import Owner
from hnefi.workers.searches import AnalysisReport

SCHOOL, HOME = "192.0.2.1", "192.0.2.2"


GAME = variant("brandub-globe").new_called_game()
MOVE = str(GAME.legal_moves()[0])


class FakeProcess(EngineProcess):
    """An engine process that ends a search only when the test says so, or when it is stopped."""

    running: ClassVar[list["FakeProcess"]] = []
    begun: ClassVar[list[str]] = []
    requests: ClassVar[list[dict[str, Any]]] = []
    stops: ClassVar[int] = 0

    def __init__(self, *_: object) -> None:
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()
        self.job: dict[str, Any] | None = None

    async def start(self) -> None:
        """There is nothing to start."""

    async def _send(self, message: Mapping[str, Any]) -> None:
        if "stop" in message:
            FakeProcess.stops += 1
            if self.job is not None and message["stop"] == self.job["id"]:
                self.finish()
            return
        self.job = dict(message)
        FakeProcess.running.append(self)
        FakeProcess.begun.append(str(message.get("seed", message["kind"])))
        FakeProcess.requests.append(self.job)

    async def _line(self) -> bytes:
        return await self._lines.get()

    async def end(self) -> None:
        """There is nothing to end."""

    def report(self, depth: int, *, final: bool) -> None:
        assert self.job is not None
        facts = {"lines": [], "depth": depth, "deepest": depth, "nodes": 10 * depth, "time_ms": depth}
        self._write({"id": self.job["id"], **facts, "final": final})
        if final:
            FakeProcess.running.remove(self)
            self.job = None

    def finish(self) -> None:
        assert self.job is not None
        if self.job["kind"] == "analyse":
            self.report(1, final=True)
            return
        FakeProcess.running.remove(self)
        self._write({"id": self.job["id"], "move": MOVE, "final": True})
        self.job = None

    def _write(self, message: dict[str, Any]) -> None:
        self._lines.put_nowait(json.dumps(message).encode() + b"\n")


@pytest.fixture(autouse=True)
def _fake_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "EngineProcess", FakeProcess)
    # The time that a test takes must not use up that of a search.
    monkeypatch.setattr(searches, "_LEAST_MS", -1e9)
    for name in ("running", "begun", "requests"):
        monkeypatch.setattr(FakeProcess, name, [])
    monkeypatch.setattr(FakeProcess, "stops", 0)


async def until_begun(*seeds: str) -> None:
    """Waits until exactly these searches have begun, in this order."""
    while len(FakeProcess.begun) < len(seeds):
        await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    assert FakeProcess.begun == list(seeds)


class Player:
    """Asks a pool for moves, and ends with it."""

    def __init__(self, workers: int = 1) -> None:
        self.pool = EnginePool(workers, 768)
        self.tasks: list[asyncio.Task[Any]] = []

    async def __aenter__(self) -> Self:
        await self.pool.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.pool.stop()

    async def ask(self, seed: str, strength: int, address: str, visitor: str = "v") -> "asyncio.Task[Any]":
        owner = Owner(address, visitor)
        task = asyncio.create_task(self.pool.choose(GAME, strength, seed, None, owner))
        self.tasks.append(task)
        for _ in range(5):
            await asyncio.sleep(0)
        return task


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_short_answer_does_not_wait_for_thirty_long_ones_of_another_address(workers: int) -> None:
    async with Player(workers) as player:
        for number in range(30):
            await player.ask(f"long {number}", 10, SCHOOL, f"pupil {number}")
        # Of two workers, one is free for short jobs.
        await until_begun("long 0")
        short = await player.ask("short", 1, HOME)
        await until_begun("long 0", "short")
        assert FakeProcess.stops == (1 if workers == 1 else 0)
        FakeProcess.running[-1].finish()
        assert str(await short) == MOVE
        assert not player.tasks[0].done()


async def test_a_paused_search_goes_on_and_answers_once_with_the_time_that_was_left() -> None:
    async with Player() as player:
        long = await player.ask("long", 10, SCHOOL)
        await player.ask("short", 1, HOME)
        await until_begun("long", "short")
        FakeProcess.running[0].finish()
        await until_begun("long", "short", "long")
        first, _, second = FakeProcess.requests
        assert first["time_ms"] == 3_000
        assert second["time_ms"] <= 3_000
        assert first["id"] == second["id"]
        assert not long.done()
        FakeProcess.running[0].finish()
        assert str(await long) == MOVE


async def test_long_searches_do_not_pause_one_another_and_are_served_in_turns() -> None:
    async with Player() as player:
        for number in range(3):
            await player.ask(f"school {number}", 10, SCHOOL)
        await player.ask("home", 10, HOME)
        for count, seeds in enumerate(["school 0", "home", "school 1", "school 2"], 1):
            while len(FakeProcess.begun) < count:
                await asyncio.sleep(0)
            assert FakeProcess.begun[-1] == seeds
            # A search is charged by the loop, which counts milliseconds.
            await asyncio.sleep(0.005)
            FakeProcess.running[0].finish()
        assert FakeProcess.stops == 0
        await asyncio.gather(*player.tasks)


async def test_a_repeatable_search_is_never_paused() -> None:
    async with Player() as player:
        await player.ask("nine", 9, SCHOOL)
        await player.ask("one", 1, HOME)
        await until_begun("nine")
        FakeProcess.running[0].finish()
        await until_begun("nine", "one")


async def test_an_analysis_is_paused_for_an_opponent_and_its_reports_only_get_deeper() -> None:
    async with Player() as player:
        reports: list[AnalysisReport] = []

        async def analyse() -> None:
            found = player.pool.analyse(GAME.game, lines=1, time_ms=60_000, owner=Owner(SCHOOL, "v"))
            async for report in found:
                assert isinstance(report, AnalysisReport)
                reports.append(report)

        analysis = asyncio.create_task(analyse())
        await until_begun("analyse")
        FakeProcess.running[0].report(7, final=False)
        await player.ask("ten", 10, SCHOOL)
        await until_begun("analyse", "ten")
        FakeProcess.running[0].finish()
        await until_begun("analyse", "ten", "analyse")
        for depth in (3, 7, 8):
            FakeProcess.running[0].report(depth, final=False)
        FakeProcess.running[0].report(9, final=True)
        await analysis
        assert [report.depth for report in reports] == [7, 7, 8, 9]
        assert [report.final for report in reports] == [False, False, False, True]


async def test_a_search_that_was_given_up_is_not_begun() -> None:
    async with Player() as player:
        await player.ask("nine", 9, SCHOOL)
        given_up = await player.ask("given up", 9, SCHOOL)
        await player.ask("next", 9, SCHOOL)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        assert len(player.pool) == 1
        FakeProcess.running[0].finish()
        await until_begun("nine", "next")


async def test_the_process_that_was_used_last_is_used_next() -> None:
    async with Player(3) as player:
        assert player.pool.places == 3
        used = set[FakeProcess]()
        for number in range(4):
            task = await player.ask(f"{number}", 1, HOME)
            await until_begun(*(f"{one}" for one in range(number + 1)))
            used.add(FakeProcess.running[0])
            FakeProcess.running[0].finish()
            await task
        assert len(used) == 1
