"""Level-1 answers of the computer: through the stream of jobs, and by an engine pool in the process."""

import asyncio
import multiprocessing
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Protocol

import uvloop

from benchmarks.bus.nodes import quantile
from hnefi import CalledGame, Move, variant
from hnefi.server.cluster.bus import Bus
from hnefi.server.cluster.engine_worker import EngineWorker
from hnefi.server.cluster.jobs import JobStream
from hnefi.server.cluster.messages import ALL, AnyMessage, BusModel
from hnefi.server.cluster.redis_bus import RedisTransport
from hnefi.server.cluster.redis_stream import RedisStream
from hnefi.workers.engines import EnginePool
from hnefi.workers.fair_queue import Owner

__all__ = ["measure_searches"]

_GAME = variant("tablut-kouvia").new_called_game()
_MEMORY_MIB = 768
_LONG_GAMES, _ANSWERS, _PAUSE_S = 30, 200, 0.02


class _Opponents(Protocol):
    async def choose(
        self, game: CalledGame, strength: int, seed: str, left_ms: int | None, owner: Owner
    ) -> Move: ...


class _Process:
    """The end of a process at the bus, with what it does."""

    def __init__(self, url: str, site: str, address: str) -> None:
        self.stream = RedisStream(url, site)
        self.bus = Bus(RedisTransport(url, site), address)

    async def start(self, receive: Callable[[str, BusModel], None]) -> None:
        def on_message(sender: str, message: AnyMessage, _text: str | None) -> None:
            receive(sender, message)

        await self.bus.start([ALL], on_message)

    async def stop(self) -> None:
        await self.bus.stop()
        await self.stream.close()


def _run_engine(url: str, site: str) -> None:
    async def work() -> None:
        process = _Process(url, site, "e:1")
        engine = EngineWorker(process.stream, process.bus.send, "e:1", 1, _MEMORY_MIB)
        await process.start(engine.receive)
        await engine.start()
        await asyncio.Event().wait()

    uvloop.run(work())


async def _answers(opponents: _Opponents, count: int) -> list[float]:
    """Returns how long level-1 answers take, in milliseconds."""
    took_ms = []
    for _ in range(count):
        begin = time.monotonic()
        await opponents.choose(_GAME, 1, "seed", None, Owner("192.0.2.1", "quiet"))
        took_ms.append((time.monotonic() - begin) * 1000)
        await asyncio.sleep(_PAUSE_S)
    return took_ms


async def _beside(busy: _Opponents, work: Callable[[], Awaitable[list[float]]]) -> list[float]:
    """Measures while games at level 10 of another address are played."""

    async def play(number: int) -> None:
        while True:
            await busy.choose(_GAME, 10, "seed", None, Owner("192.0.2.2", f"busy {number}"))

    playing = [asyncio.create_task(play(number)) for number in range(_LONG_GAMES)]
    await asyncio.sleep(1)
    took_ms = await work()
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    return took_ms


def _show(name: str, took_ms: list[float], spent_s: float | None = None) -> None:
    cpu = "" if spent_s is None else f"; CPU of the asking process {spent_s / len(took_ms) * 1e6:.0f} µs"
    print(
        f"  level 1, {name}: p50 {quantile(took_ms, 0.5):.1f} ms, p90 {quantile(took_ms, 0.9):.1f} ms,"
        f" longest {max(took_ms):.1f} ms{cpu}",
        flush=True,
    )


async def _measure(name: str, quiet: _Opponents, busy: _Opponents) -> None:
    await _answers(quiet, 10)
    begin_s = time.process_time()
    took_ms = await _answers(quiet, _ANSWERS)
    _show(name, took_ms, time.process_time() - begin_s)
    took_ms = await _beside(busy, lambda: _answers(quiet, _ANSWERS))
    _show(f"{name}, beside {_LONG_GAMES} games at level 10", took_ms)


async def _measure_all(url: str, site: str) -> None:
    pool = EnginePool(1, _MEMORY_MIB)
    await pool.start()
    await _measure("engine pool", pool, pool)
    await pool.stop()
    engine = multiprocessing.get_context("spawn").Process(target=_run_engine, args=(url, site), daemon=True)
    engine.start()
    processes, asking = [], []
    for address in ("w:1", "w:2"):
        process = _Process(url, site, address)
        jobs = JobStream(process.stream, process.bus.send, address)
        await process.start(jobs.receive)
        await jobs.start()
        processes.append(process)
        asking.append(jobs)
    while not all(jobs.places for jobs in asking):
        await asyncio.sleep(0.05)
    await _measure("stream", asking[0], asking[0])
    took_ms = await _beside(asking[1], lambda: _answers(asking[0], _ANSWERS))
    _show(f"stream, beside {_LONG_GAMES} games at level 10 of another process", took_ms)
    for jobs in asking:
        await jobs.stop()
    for process in processes:
        await process.stop()
    engine.terminate()
    engine.join()


def measure_searches(url: str) -> None:
    """Prints the figures."""
    uvloop.run(_measure_all(url, f"benchmark{secrets.token_hex(4)}"))
