"""Leases with a fencing counter: in Redis, in the key-value store of NATS, and as rows of PostgreSQL."""

import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import psycopg

from benchmarks.bus.clients import NatsBus, RedisBus
from benchmarks.bus.nodes import quantile

__all__ = ["LeaseFigures", "measure_nats", "measure_postgres", "measure_redis"]

SLOTS = 1_024
_TTL_MS = 3_000
_COMMITS, _BATCH = 400, 6

_ACQUIRE = """
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return redis.call('INCR', KEYS[2]) end
return false
"""
_RENEW = """
local renewed = 0
for _, key in ipairs(KEYS) do
  if redis.call('GET', key) == ARGV[1] then renewed = renewed + redis.call('PEXPIRE', key, ARGV[2]) end
end
return renewed
"""


@dataclass(frozen=True, slots=True)
class LeaseFigures:
    """The figures of one kind of lease."""

    kind: str
    acquire_ms: float
    acquire_p99_ms: float
    acquire_cpu_us: float
    renew_ms: float
    note: str


async def _acquire_all(acquire: Callable[[int], Awaitable[object]]) -> tuple[list[float], float]:
    """Acquires every slot; returns the latencies, and the processor time of each in microseconds."""
    latencies, cpu_s = [], time.process_time()
    for slot in range(SLOTS):
        begin = time.perf_counter()
        await acquire(slot)
        latencies.append((time.perf_counter() - begin) * 1000)
    return latencies, (time.process_time() - cpu_s) / SLOTS * 1e6


async def measure_redis(url: str) -> LeaseFigures:
    """Measures SET NX PX with INCR, in one script."""
    bus = RedisBus(url)
    acquire, renew = bus.client.register_script(_ACQUIRE), bus.client.register_script(_RENEW)

    async def one(slot: int) -> object:
        return await acquire(keys=[f"slot:{slot}", f"epoch:{slot}"], args=["worker-1", _TTL_MS])

    latencies, cpu_us = await _acquire_all(one)
    begin = time.perf_counter()
    renewed = await renew(keys=[f"slot:{slot}" for slot in range(SLOTS)], args=["worker-1", _TTL_MS])
    renew_ms = (time.perf_counter() - begin) * 1000
    assert await acquire(keys=["slot:1", "epoch:1"], args=["worker-2", _TTL_MS]) is None
    await bus.close()
    note = f"one script renews {renewed} slots; the counter is gone after a restart without a log"
    return LeaseFigures("Redis, SET NX PX + INCR", *_middle(latencies), cpu_us, renew_ms, note)


async def measure_nats(url: str) -> LeaseFigures:
    """Measures the key-value store of JetStream, whose revision serves as the epoch."""
    bus = await NatsBus(url).open()
    store: Any = await bus.client.jetstream().create_key_value(bucket="slots", ttl=_TTL_MS / 1000)
    revisions = {}

    async def one(slot: int) -> object:
        revisions[slot] = await store.create(f"slot.{slot}", b"worker-1")
        return revisions[slot]

    latencies, cpu_us = await _acquire_all(one)
    await store.create("worker.1", b"alive")
    begin = time.perf_counter()
    await store.put("worker.1", b"alive")
    renew_ms = (time.perf_counter() - begin) * 1000
    await bus.close()
    note = "one key for each worker is renewed; expiry is one time for the bucket; file storage"
    return LeaseFigures("NATS, key-value store", *_middle(latencies), cpu_us, renew_ms, note)


_TABLES = """
CREATE TABLE worker (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL,
  beats bigint NOT NULL DEFAULT 0, ended boolean NOT NULL DEFAULT false) WITH (fillfactor = 50);
CREATE TABLE slot (number int PRIMARY KEY, worker bigint REFERENCES worker, epoch bigint NOT NULL DEFAULT 0);
CREATE TABLE event (game text, seq int, body text, PRIMARY KEY (game, seq));
"""
_BEGIN_WORKER = """
INSERT INTO worker (name) VALUES (%s) RETURNING id
"""
_TAKE = """
UPDATE slot SET worker = %s, epoch = epoch + 1 WHERE number = %s AND worker IS NULL RETURNING epoch
"""
_EXTEND = """
UPDATE worker SET beats = beats + 1 WHERE id = %s AND NOT ended RETURNING beats
"""
_FENCE = "SELECT 1 FROM worker WHERE id = %s AND NOT ended FOR SHARE"
"""Locks the row of the worker until the commit."""

_END = """
UPDATE worker SET ended = true WHERE id = %s AND NOT ended AND beats = %s RETURNING id
"""
_ADD = "INSERT INTO event (game, seq, body) VALUES (%s, %s, %s)"


async def measure_postgres(url: str) -> LeaseFigures:
    """Measures a row for each worker and each slot, and commits with and without the fence."""
    async with (
        await psycopg.AsyncConnection.connect(url, autocommit=True) as connection,
        await psycopg.AsyncConnection.connect(url, autocommit=True) as other,
    ):
        for statement in _TABLES.split(";\n"):
            await connection.execute(statement.encode())
        await connection.execute(f"INSERT INTO slot SELECT generate_series(0, {SLOTS - 1})".encode())
        worker = await _one(connection, _BEGIN_WORKER, "worker-1")

        async def take(slot: int) -> object:
            return await _one(connection, _TAKE, worker, slot)

        latencies, cpu_us = await _acquire_all(take)
        begin = time.perf_counter()
        assert await _one(connection, _EXTEND, worker) == 1
        renew_ms = (time.perf_counter() - begin) * 1000
        plain, fenced = list[float](), list[float]()
        for number in range(_COMMITS):
            # In turns, so that both meet the same machine.
            plain.append(await _commit(connection, f"a{number}", None))
            fenced.append(await _commit(connection, f"b{number}", worker))
        note = (
            f"one row per worker is renewed; commit of {_BATCH} events p50 {quantile(plain, 0.5):.2f} ms,"
            f" with fence {quantile(fenced, 0.5):.2f} ms; {await _takeover(connection, other, worker)}"
        )
        return LeaseFigures("PostgreSQL, rows", *_middle(latencies), cpu_us, renew_ms, note)


async def _commit(connection: Any, game: str, worker: int | None) -> float:
    """Commits a batch of events, if the worker still holds its slots; returns the time in milliseconds."""
    begin = time.perf_counter()
    async with connection.pipeline(), connection.transaction():
        cursor = None if worker is None else await connection.execute(_FENCE, (worker,))
        for seq in range(_BATCH):
            await connection.execute(_ADD, (game, seq, "x" * 200))
        if cursor is not None and await cursor.fetchone() is None:
            raise PermissionError("lease_lost")
    return (time.perf_counter() - begin) * 1000


async def _takeover(connection: Any, other: Any, worker: int) -> str:
    """Ends a worker from another connection; checks that its next commit is refused."""
    await other.execute("SET lock_timeout = '100ms'")
    async with connection.transaction():
        await connection.execute(_FENCE, (worker,))
        with contextlib.suppress(psycopg.errors.LockNotAvailable):
            await other.execute(_END, (worker, 1))
            raise AssertionError("a worker was ended in the middle of its commit")
    assert await _one(other, _END, worker, 0) is None
    assert await _one(other, _END, worker, 1) == worker
    try:
        await _commit(connection, "late", worker)
    except PermissionError:
        assert await _one(other, "SELECT count(*) FROM event WHERE game = 'late'") == 0
        return "a takeover waits for a commit that has begun, the next commit of the old owner fails"
    raise AssertionError("a former owner could commit")


async def _one(connection: Any, statement: str, *values: object) -> Any:
    row = await (await connection.execute(statement, values)).fetchone()
    return None if row is None else row[0]


def _middle(latencies: list[float]) -> tuple[float, float]:
    return quantile(latencies, 0.5), quantile(latencies, 0.99)
