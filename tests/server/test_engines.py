"""Engine workers: answers, order, limits, cancellation, crashes."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from hnefi import CalledGame, Setup, variant
from hnefi.engine import Clock
from hnefi.errors import EngineError
from hnefi.workers import engine_process, searches
from hnefi.workers.engines import EnginePool
from hnefi.workers.fair_queue import Owner
from hnefi.workers.searches import AnalysisReport, Queued, Search
from tests.server.harness import refused_escape
from tests.server.scopes import until
from tests.timeouts import timeout_s

BRANDUB = variant("brandub-globe")
OWNER = Owner("192.0.2.7", "v")


@pytest.fixture(autouse=True)
def _long_timeouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes have to share the machine with much else."""
    monkeypatch.setattr(searches, "_GRACE_S", float(timeout_s()))
    for name in ("_STOP_S", "_START_S"):
        monkeypatch.setattr(engine_process, name, float(timeout_s()))


@contextlib.asynccontextmanager
async def pool_of(memory_mib: int = 768) -> AsyncIterator[EnginePool]:
    pool = EnginePool(1, memory_mib)
    await pool.start()
    yield pool
    await pool.stop()


async def analysed(
    pool: EnginePool, time_ms: int = 200, visitor: str = "v", address: str | None = None
) -> list[AnalysisReport | Queued]:
    owner = Owner(address or visitor, visitor)
    found = pool.analyse(BRANDUB.new_game(), lines=2, time_ms=time_ms, owner=owner)
    return [answer async for answer in found]


def pid_of(pool: EnginePool) -> int:
    pid = pool._processes[0].pid
    assert pid is not None
    return pid


async def test_a_level_chooses_a_legal_move_and_an_analysis_gets_better() -> None:
    async with pool_of() as pool:
        game = BRANDUB.new_called_game()
        for level in (1, 5):
            assert game.game.is_legal(await pool.choose(game, level, "seed", None, OWNER))
        pid = pid_of(pool)
        assert game.game.is_legal(await pool.choose(game, 10, "seed", 2_000, OWNER))
        assert pid_of(pool) == pid
        answers = [answer for answer in await analysed(pool) if isinstance(answer, AnalysisReport)]
        assert answers[-1].final
        assert [answer.depth for answer in answers] == sorted(answer.depth for answer in answers)
        assert len(answers[-1].lines) == 2


def test_an_opponent_thinks_less_than_usual_on_a_short_clock() -> None:
    game = BRANDUB.new_called_game()
    usual, short = (Search.for_opponent(game, 10, "seed", left_ms, OWNER) for left_ms in (None, 2_000))
    assert usual.left_ms == 3_000
    assert short.left_ms == Clock(2_000).usual_ms < 1_000


async def test_a_piece_that_has_to_be_replayed_is_replayed() -> None:
    async with pool_of() as pool:
        called = BRANDUB.new_called_game("manual", Setup("t6/7/7/7/1K5/7/t6 d 0"))
        for move in refused_escape(called):
            called = called.play(move)
        assert called.must_replay is not None
        chosen = await pool.choose(called, 3, "seed", None, OWNER)
        assert chosen.from_square == called.must_replay


async def test_an_abandoned_analysis_frees_the_engine_at_once() -> None:
    async with pool_of() as pool:
        await analysed(pool, 100)
        pid = pid_of(pool)
        game = BRANDUB.new_game()
        answers = pool.analyse(game, lines=1, time_ms=900_000, owner=Owner("v", "v"))
        async with contextlib.aclosing(answers):
            assert isinstance(await anext(answers), AnalysisReport)
        await analysed(pool, 100, "w")
        assert pid_of(pool) == pid


async def test_a_process_that_has_ended_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    async with pool_of() as pool:
        await analysed(pool, 100)
        game = BRANDUB.new_called_game()
        for wait_s in (0.0, 1.0):
            # It is killed just before its next search, and while it rests.
            os.kill(before := pid_of(pool), 9)
            await asyncio.sleep(wait_s)
            with contextlib.suppress(EngineError):
                await pool.choose(game, 1, "seed", None, OWNER)
            assert game.game.is_legal(await pool.choose(game, 1, "seed", None, OWNER))
            assert pid_of(pool) != before
            assert "an engine worker" in caplog.text
            caplog.clear()


async def test_a_process_without_enough_memory_is_an_error_and_no_more() -> None:
    async with pool_of(memory_mib=48) as pool:
        with pytest.raises(EngineError):
            await pool.choose(BRANDUB.new_called_game(), 1, "seed", None, OWNER)


async def test_analyses_are_limited_and_a_new_one_replaces_the_visitors_old_one() -> None:
    pool = EnginePool(0, 768)

    def ask(visitor: str, address: str) -> "asyncio.Task[Any]":
        return asyncio.create_task(analysed(pool, 50, visitor, address))

    async def end(*tasks: "asyncio.Task[Any]") -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(pool) == 0

    found = pool.analyse(BRANDUB.new_game(), lines=1, time_ms=50, owner=Owner("one", "v"))
    assert await anext(found) == Queued(position=1)
    await found.aclose()
    await until(lambda: len(pool) == 0)
    waiting = ask("a", "x")
    await until(lambda: len(pool) == 1)
    newer = ask("a", "x")
    with pytest.raises(EngineError, match="A newer analysis"):
        await waiting
    more = [ask(f"b{number}", "x") for number in range(7)]
    await until(lambda: len(pool) == 8)
    with pytest.raises(EngineError, match="analyses are already running"):
        await ask("c", "x")
    await end(newer, *more)
    crowd = [ask(str(number), str(number)) for number in range(64)]
    await until(lambda: len(pool) == 64)
    with pytest.raises(EngineError, match="queue is full"):
        await ask("d", "y")
    await end(*crowd)


@pytest.mark.parametrize("kind", ["opponent", "analysis"])
def test_a_worker_whose_answers_have_no_reader_ends_silently(kind: str) -> None:
    search = (
        Search.for_opponent(CalledGame(BRANDUB.new_game(), "off"), 1, "seed", None, OWNER)
        if kind == "opponent"
        else Search.for_analysis(BRANDUB.new_game(), 1, 50, OWNER)
    )
    job = {**search.body, "id": 1, "time_ms": 50}
    command = [sys.executable, "-m", "hnefi.workers.engine_main", "1", "768"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b'{"ready":true}\n'
        process.stdout.close()
        process.stdin.write(json.dumps(job).encode() + b"\n")
        process.stdin.flush()
        assert process.stderr.read() == b""
        assert process.wait(timeout_s()) == 0
