"""Leases on a real PostgreSQL: what a former owner of slots can do, and what it cannot."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from hnefi.server.cluster import ownership
from hnefi.server.events import Restart
from hnefi.server.games.clocks import GRACE_US, SECOND_US
from hnefi.server.store import (
    SLOTS,
    Conflict,
    LeaseLost,
    Store,
    Write,
    database,
    leases,
    lock,
    slot_of,
)
from hnefi.server.store.lease import Lease
from hnefi.server.store.lock import StoreError
from tests.codes import has_code
from tests.server.cluster.game_workers import DatabaseClock, GameWorker, beat_all, run_sql, sequence
from tests.server.test_store import moved, new
from tests.timeouts import TIMEOUT_S


async def end_in_time(worker: GameWorker, other: int, beats: int) -> int:
    """Ends another worker, however often that has to be tried; returns the number of tries."""
    loop = asyncio.get_running_loop()
    until, tries = loop.time() + TIMEOUT_S, 1
    while not await worker.leases.end(other, beats):
        assert loop.time() < until
        tries += 1
        await asyncio.sleep(0.01)
    return tries


async def beats_of(worker: GameWorker, other: int) -> int:
    return (await worker.leases.read()).beats[other]


@contextmanager
def session_of(worker: GameWorker, url: str) -> Iterator[Connection]:
    """A further session of a worker, prepared as that of its writer."""
    engine = database.open_writer(url)
    worker.lease.prepare(engine)
    with engine.connect() as connection:
        yield connection
        connection.invalidate()
    engine.dispose()


def test_a_single_worker_takes_all_slots_and_stores_moves(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        with pytest.raises(LeaseLost):
            await worker.store.write(new("a"))
        await worker.ownership.step()
        assert worker.ownership.slots == dict.fromkeys(range(SLOTS), 1)
        await worker.store.write(new("a"))
        await worker.store.write(moved("a", 2))
        assert await sequence(worker.store, "a") == [1, 2]
        owners = await worker.store.owners()
        assert [owner.slot for owner in owners] == list(range(SLOTS))
        assert {(owner.worker, owner.epoch) for owner in owners} == {(worker.ownership.worker, 1)}
        worker.close()

    asyncio.run(scenario())


@pytest.mark.parametrize("has_fence", [True, False])
def test_a_former_owner_stores_nothing(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch, *, has_fence: bool
) -> None:
    """Without the fence, by a mistake, the key of the events still refuses two with one number."""

    async def scenario() -> None:
        former = await GameWorker(database_url, clock).begin()
        await former.ownership.step()
        await former.store.write(new("a"))
        await former.store.write(moved("a", 2, "m2"))
        # It is stopped for ten seconds.
        owner = await GameWorker(database_url, clock).begin()
        await beat_all(clock, [owner], 10)
        assert owner.ownership.owns("a")
        assert owner.ownership.epoch(slot_of("a")) == 2
        assert owner.restarts == [Restart(former.time.now_us() - 10 * SECOND_US, owner.restarts[0].back_us)]
        await owner.store.write(moved("a", 3, "m3"))
        # It goes on, and believes that it owns the game.
        assert former.ownership.owns("a")
        if not has_fence:
            monkeypatch.setattr(Lease, "begin", lambda _, connection: database.begin(connection))
        former_writes = [moved("a", 3, "m3"), moved("a", 3, "late"), moved("a", 4, "m2")]
        for write in former_writes:
            with pytest.raises(LeaseLost if has_fence else Conflict):
                await former.store.write(write)
        if has_fence:
            for write in (moved("a", 4), new("b"), Write("a", due_us=7)):
                with pytest.raises(LeaseLost):
                    await former.store.write(write)
        monkeypatch.undo()
        assert await sequence(owner.store, "a") == [1, 2, 3]
        # It finds out, drops everything, and is a new worker.
        before = former.ownership.worker
        await former.ownership.step()
        assert (former.losses, dict(former.ownership.slots)) == (1, {})
        for one, slots, losses in ((former, 0, 1), (owner, SLOTS, 0)):
            readings = one.ownership.readings
            assert (readings["hnefi_slots"](), readings["hnefi_leases_lost_total"]()) == (slots, losses)
        assert former.ownership.worker not in (None, before, owner.ownership.worker)
        await beat_all(clock, [owner, former], 8)
        assert len(owner.ownership.slots) == len(former.ownership.slots) == SLOTS // 2
        former.close()
        owner.close()

    asyncio.run(scenario())


def test_a_worker_that_was_late_but_not_ended_goes_on(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        other = await GameWorker(database_url, clock).begin()
        await worker.store.write(new("a"))
        await beat_all(clock, [other], 1)
        clock.advance(600)
        # Both were away: nobody was silent for 1.5 s while the other watched.
        await beat_all(clock, [other], 1)
        await beat_all(clock, [worker], 0.5)
        assert worker.losses == 0
        await worker.store.write(moved("a", 2))
        await beat_all(clock, [other, worker], 10)
        assert (worker.losses, other.losses) == (0, 0)
        assert len(worker.ownership.slots) == SLOTS // 2
        worker.close()
        other.close()

    asyncio.run(scenario())


def test_a_worker_that_beats_is_never_ended(database_url: str, clock: DatabaseClock) -> None:
    """Also if it beat just before it would have been ended."""

    async def scenario() -> None:
        one, other = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        assert one.ownership.worker is not None
        beats = await beats_of(other, one.ownership.worker)
        await one.leases.renew(one.time.now_us())
        assert not await other.leases.end(one.ownership.worker, beats)
        await beat_all(clock, [one, other], 5)
        assert (one.losses, other.losses) == (0, 0)
        one.close()
        other.close()

    asyncio.run(scenario())


def test_a_worker_that_is_stopped_between_begin_and_commit_is_ended(
    database_url: str, clock: DatabaseClock
) -> None:
    async def scenario() -> None:
        former = await GameWorker(database_url, clock).begin()
        await former.ownership.step()
        other = await GameWorker(database_url, clock).begin()
        await former.store.write(new("a"))
        worker = former.ownership.worker
        assert worker is not None
        with session_of(former, database_url) as stopped:
            former.lease.begin(stopped)
            stopped.exec_driver_sql("INSERT INTO event (game, seq, t_us, body) VALUES ('a', 2, 2, '')")
            assert await end_in_time(other, worker, await beats_of(other, worker)) > 1
            with pytest.raises(DBAPIError):
                stopped.exec_driver_sql("COMMIT")
        await other.ownership.step()
        assert other.ownership.owns("a")
        assert await sequence(other.store, "a") == [1]
        former.close()
        other.close()

    asyncio.run(scenario())


def test_an_idle_transaction_is_ended_by_the_database(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody ends the session here: its timeout of a second does."""
    monkeypatch.setattr(leases, "_END_SESSIONS", "SELECT %s, %s")

    async def scenario() -> None:
        former, other = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        worker = former.ownership.worker
        assert worker is not None
        with session_of(former, database_url) as stopped:
            former.lease.begin(stopped)
            await end_in_time(other, worker, await beats_of(other, worker))
        former.close()
        other.close()

    asyncio.run(scenario())


def test_a_worker_that_is_stopped_in_a_pipeline_is_ended(database_url: str, clock: DatabaseClock) -> None:
    """Its session is active, not idle, so that no timeout of the database ends it."""

    async def scenario() -> None:
        former, other = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        worker = former.ownership.worker
        assert worker is not None
        with session_of(former, database_url) as session:
            stopped: Any = session.connection.driver_connection
            stopped.pgconn.enter_pipeline_mode()
            stopped.pgconn.send_query_params(b"BEGIN", None)
            fence = f"SELECT 1 FROM worker WHERE id = {worker} FOR SHARE"
            stopped.pgconn.send_query_params(fence.encode(), None)
            stopped.pgconn.send_flush_request()
            while stopped.pgconn.flush():
                pass
            beats = await beats_of(other, worker)
            waiting = (
                "SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'ClientRead'"
                f" AND application_name = '{former.lease.name}'"
            )
            until = asyncio.get_running_loop().time() + TIMEOUT_S
            while not await run_sql(other, waiting):
                assert asyncio.get_running_loop().time() < until
            assert await end_in_time(other, worker, beats) > 1
        former.close()
        other.close()

    asyncio.run(scenario())


def test_a_transaction_that_works_is_not_ended(database_url: str, clock: DatabaseClock) -> None:
    """A commit that began before the takeover is finished; the takeover comes after it."""

    async def scenario() -> None:
        former = await GameWorker(database_url, clock).begin()
        await former.ownership.step()
        other = await GameWorker(database_url, clock).begin()
        await former.store.write(new("a"))
        worker = former.ownership.worker
        assert worker is not None
        beats = await beats_of(other, worker)
        blocker = psycopg.connect(database_url, autocommit=True)
        blocker.execute("SELECT pg_advisory_lock(7)")

        def wait(connection: Connection) -> None:
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7)")

        write = former.store.write(Write("a", moved("a", 2).events, work=wait))
        waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        until = asyncio.get_running_loop().time() + TIMEOUT_S
        while not await run_sql(other, waiting):
            assert asyncio.get_running_loop().time() < until
        for _ in range(5):
            assert not await other.leases.end(worker, beats)
        blocker.execute("SELECT pg_advisory_unlock(7)")
        await write
        blocker.close()
        await end_in_time(other, worker, beats)
        await other.ownership.step()
        assert await sequence(other.store, "a") == [1, 2]
        await other.store.write(moved("a", 3))
        former.close()
        other.close()

    asyncio.run(scenario())


def test_a_worker_that_took_slots_for_long_is_not_ended_after_that(
    database_url: str, clock: DatabaseClock
) -> None:
    """To move a million deadlines takes seconds, in which it does not renew its lease."""

    async def scenario() -> None:
        one, other = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        worker = one.ownership.worker
        assert worker is not None
        beats = await beats_of(other, worker)
        await one.leases.take(SLOTS, clock.now_ns // 1_000, GRACE_US)
        assert not await other.leases.end(worker, beats)
        one.close()
        other.close()

    asyncio.run(scenario())


def test_a_new_site_has_no_restart_and_one_that_was_off_has_one(
    database_url: str, clock: DatabaseClock
) -> None:
    """Also if a server of one process ran at last, which knows nothing of slots."""

    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        assert worker.restarts == []
        stopped_us = worker.time.now_us()
        await worker.ownership.stop()
        worker.close()
        single = Store(database_url)
        assert await single.last_heartbeat() == stopped_us
        await single.write(Write(heartbeat_us=stopped_us + 60 * SECOND_US))
        single.close()
        clock.advance(100)
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        assert worker.restarts == [Restart(stopped_us + 60 * SECOND_US, worker.time.now_us())]
        assert await worker.store.restarts() == worker.restarts
        worker.close()

    asyncio.run(scenario())


def test_game_workers_share_the_database_and_a_server_of_one_process_does_not(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "_HANDOVER_S", 0.3)

    async def scenario() -> None:
        workers = [GameWorker(database_url, clock) for _ in range(2)]
        with pytest.raises(StoreError, check=has_code("database_in_use")):
            Store(database_url)
        for worker in workers:
            worker.close()
        single = Store(database_url)
        with pytest.raises(StoreError, check=has_code("database_in_use")):
            GameWorker(database_url, clock)
        single.close()

    asyncio.run(scenario())


def test_workers_that_start_together_migrate_once(database_url: str) -> None:
    script = (
        "from hnefi.server.store import Store\n"
        "from hnefi.server.store.lease import Lease\n"
        f"Store({database_url!r}, lease=Lease()).close()"
    )
    words = [sys.executable, "-c", script]
    processes = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    errors = [process.communicate(timeout=TIMEOUT_S)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], errors


def test_a_migration_may_be_idle_for_as_long_as_it_takes(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow machine takes more than a second between two statements of the first migration."""
    found: list[str] = []
    upgrade = command.upgrade

    def show(settings: Config, revision: str) -> None:
        asked = settings.attributes["connection"].exec_driver_sql("SHOW idle_in_transaction_session_timeout")
        found.append(asked.scalar_one())
        upgrade(settings, revision)

    monkeypatch.setattr(command, "upgrade", show)
    store = Store(database_url, lease=Lease())
    asked = store._writer._connected().exec_driver_sql("SHOW idle_in_transaction_session_timeout")
    found.append(asked.scalar_one())
    store.close()
    assert set(found[:-1]) == {"0"}
    assert found[-1] == "1s"


def test_tables_are_not_migrated_while_workers_of_an_older_version_use_them(
    database_url: str, monkeypatch: pytest.MonkeyPatch, clock: DatabaseClock
) -> None:
    """They would go on with tables that they do not know."""
    monkeypatch.setattr(lock, "_HANDOVER_S", 0.3)
    engine = database.open_writer(database_url)
    with engine.connect() as older:
        database.migrate(older, "0004")
        older.exec_driver_sql(f"SELECT pg_advisory_lock_shared({lock._ADVISORY})")
        with pytest.raises(StoreError, check=has_code("database_in_use")):
            GameWorker(database_url, clock)
        assert database.version(older) == "0004"
        older.exec_driver_sql(f"SELECT pg_advisory_unlock_shared({lock._ADVISORY})")
        worker = GameWorker(database_url, clock)
        assert database.version(older) == "0007"
        GameWorker(database_url, clock).close()
        # An older version refuses newer tables, as ever.
        older.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(CommandError, match="9999"):
            GameWorker(database_url, clock)
        worker.close()
    engine.dispose()


def test_a_queued_write_of_a_lost_worker_is_not_stored_by_the_next(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next worker begins after the write was refused, however slow the thread that writes is."""
    begin, gates = Lease.begin, [threading.Event(), threading.Event()]
    waiting = iter(gates)

    def slow(lease: Lease, connection: Connection) -> None:
        if (gate := next(waiting, None)) is not None:
            gate.wait(TIMEOUT_S)
        begin(lease, connection)

    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        await worker.store.write(new("a"))
        await run_sql(worker, "UPDATE worker SET ended = true")
        await run_sql(worker, "UPDATE slot SET worker = NULL, away_since_us = 0")
        monkeypatch.setattr(Lease, "begin", slow)
        stepping = asyncio.create_task(worker.ownership.step())
        while worker.store.queued_writes:  # until the renewal is being written
            await asyncio.sleep(0)
        late = worker.store.write(moved("a", 2))
        gates[0].set()
        while worker.losses == 0:
            await asyncio.sleep(0)
        await worker.leases.read_clock()
        assert worker.ownership.worker is None
        gates[1].set()
        await stepping
        with pytest.raises(LeaseLost):
            await late
        await worker.ownership.step()
        assert worker.ownership.epoch(slot_of("a")) == 2
        assert await sequence(worker.store, "a") == [1]
        await worker.store.write(moved("a", 2))
        worker.close()

    asyncio.run(scenario())


def test_the_event_loop_hears_of_a_lost_lease_at_once(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only at the next renewal, which would come too late for this test."""
    monkeypatch.setattr(ownership, "PERIOD_S", 10.0 * TIMEOUT_S)

    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        worker = await GameWorker(database_url, clock).begin()
        running = asyncio.create_task(worker.ownership.run())
        until = loop.time() + TIMEOUT_S
        while not worker.ownership.slots:
            assert loop.time() < until
            await asyncio.sleep(0.01)
        await run_sql(worker, "UPDATE worker SET ended = true")
        with pytest.raises(LeaseLost):
            await worker.store.write(new("a"))
        while worker.losses == 0 or worker.ownership.worker is None:
            assert loop.time() < until
            await asyncio.sleep(0.01)
        await worker.ownership.stop()
        await asyncio.wait_for(running, TIMEOUT_S)
        worker.close()

    asyncio.run(scenario())


def test_a_store_without_a_lease_needs_nothing_of_leases(database_url: str) -> None:
    async def scenario() -> None:
        store = Store(database_url)
        await store.write(new("a"))
        await store.write(Write(heartbeat_us=77))
        assert await store.last_heartbeat() == 77
        assert await store.owners() == []
        with psycopg.connect(database_url) as connection:
            found = connection.execute("SELECT count(*) FROM worker").fetchone()
            assert found == (0,)
            settings = connection.execute("SHOW idle_in_transaction_session_timeout").fetchone()
            assert settings == ("0",)
        store.close()

    asyncio.run(scenario())
