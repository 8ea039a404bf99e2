"""Slots that change their owner, on a real PostgreSQL: released, taken, adopted after a lost answer."""

import asyncio
import threading

import pytest
from sqlalchemy import Connection

from hnefi.server.events import Restart
from hnefi.server.games.clocks import GRACE_US, SECOND_US
from hnefi.server.store import (
    SLOTS,
    LeaseLost,
    NotSaved,
    Write,
    slot_of,
)
from hnefi.server.store.lease import Lease
from hnefi.server.store.leases import WorkerBeats
from tests.server.cluster.game_workers import DatabaseClock, GameWorker, beat_all, game_in, run_sql, sequence
from tests.server.test_store import moved, new
from tests.timeouts import TIMEOUT_S


def test_writes_before_a_hand_over_are_stored_and_later_ones_refused(
    database_url: str, clock: DatabaseClock
) -> None:
    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        await worker.store.write(new("a"))
        await worker.store.write(new("b"))
        worker.may_leave.clear()
        leaving = asyncio.create_task(worker.ownership.hand_over([slot_of("a")]))
        await asyncio.sleep(0)
        assert (worker.ownership.owns("a"), worker.left) == (False, [slot_of("a")])
        assert worker.ownership.epoch(slot_of("a")) is None
        # What was begun can be finished, and the lease is renewed meanwhile.
        await worker.store.write(moved("a", 2))
        await worker.ownership.step()
        assert not worker.ownership.owns("a")
        last = worker.store.write(moved("a", 3))
        worker.may_leave.set()
        await leaving
        await last
        assert worker.released == [slot_of("a")]
        with pytest.raises(LeaseLost):
            await worker.store.write(moved("a", 4))
        await worker.store.write(moved("b", 2))
        assert await sequence(worker.store, "a") == [1, 2, 3]
        (free,) = [owner for owner in await worker.store.owners() if owner.worker is None]
        assert (free.slot, free.epoch) == (slot_of("a"), 1)
        # Nobody else is there, so it takes the slot back, without a restart.
        await worker.ownership.step()
        assert worker.ownership.epoch(slot_of("a")) == 2
        assert await worker.store.restarts() == []
        worker.close()

    asyncio.run(scenario())


def test_slots_that_were_free_for_long_have_a_restart_and_later_deadlines(
    database_url: str, clock: DatabaseClock
) -> None:
    async def scenario() -> None:
        one, other = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        await one.ownership.step()
        await one.ownership.hand_over(range(SLOTS // 2, SLOTS))
        await other.ownership.step()
        games = {slot: game_in(slot) for slot in (3, 4, 900)}
        for slot, game in games.items():
            owner = one if slot < SLOTS // 2 else other
            await owner.store.write(new(game))
            await owner.store.write(Write(game, due_us=5_000))
        away_since_us = one.time.now_us()
        one.close()
        await beat_all(clock, [other], 3)
        back_us = next(restart.back_us for restart in other.restarts)
        assert 1.5 * SECOND_US <= back_us - away_since_us <= 3 * SECOND_US
        assert other.restarts == [Restart(away_since_us, back_us, slot) for slot in range(SLOTS // 2)]
        moved_us = 5_000 + back_us - away_since_us + GRACE_US
        found = await run_sql(other, "SELECT slot, due_us FROM game ORDER BY slot")
        assert found == [(3, moved_us), (4, moved_us), (900, 5_000)]
        assert {other.ownership.epoch(slot) for slot in range(SLOTS // 2)} == {2}
        other.close()

    asyncio.run(scenario())


def test_slots_that_were_released_after_they_were_read_are_not_adopted(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list that is compared was read before the hand-over, and arrives after it."""

    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        read, is_read, may_arrive = worker.leases.read, asyncio.Event(), asyncio.Event()

        async def late() -> WorkerBeats:
            found = await read()
            is_read.set()
            await may_arrive.wait()
            return found

        monkeypatch.setattr(worker.leases, "read", late)
        stepping = asyncio.create_task(worker.ownership.step())
        await is_read.wait()
        await worker.ownership.hand_over([5])
        may_arrive.set()
        await stepping
        # It was free, and is taken as any other free slot: with a new epoch.
        assert worker.ownership.epoch(5) == worker.lease.slots[5] == 2
        assert worker.losses == 0
        worker.close()

    asyncio.run(scenario())


def test_slots_whose_games_cannot_be_finished_are_released_in_any_case(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()

        async def fail(*_: object) -> None:
            raise RuntimeError

        monkeypatch.setattr(worker, "on_leaving", fail)
        monkeypatch.setattr(worker, "on_lost", fail)
        await worker.ownership.hand_over([5])
        assert worker.released == [5]
        await run_sql(worker, "UPDATE worker SET ended = true")
        await worker.ownership.step()
        assert worker.ownership.worker is not None
        await worker.ownership.stop()
        assert await run_sql(worker, "SELECT count(*) FROM worker WHERE NOT ended") == [(0,)]
        worker.close()

    asyncio.run(scenario())


def test_a_hand_over_ends_when_the_lease_is_lost_meanwhile(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        worker.may_leave.clear()
        leaving = asyncio.create_task(worker.ownership.hand_over([5, 6]))
        await asyncio.sleep(0)
        await run_sql(worker, "UPDATE worker SET ended = true")
        await run_sql(worker, "UPDATE slot SET worker = NULL, away_since_us = 0")
        await worker.ownership.step()
        assert worker.losses == 1
        worker.may_leave.set()
        await leaving
        assert worker.released == []
        await worker.ownership.step()
        assert worker.ownership.slots == dict.fromkeys(range(SLOTS), 2)
        worker.close()

    asyncio.run(scenario())


def test_a_worker_that_stops_while_it_takes_slots_keeps_none(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, gate = Lease.begin, threading.Event()
    begun: list[Lease] = []

    def slow(lease: Lease, connection: Connection) -> None:
        begun.append(lease)
        if len(begun) == 2:  # the first one is the renewal
            gate.wait(TIMEOUT_S)
        begin(lease, connection)

    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        monkeypatch.setattr(Lease, "begin", slow)
        stepping = asyncio.create_task(worker.ownership.step())
        while len(begun) < 2:
            await asyncio.sleep(0)
        stopping = asyncio.create_task(worker.ownership.stop())
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(stepping, stopping)
        assert dict(worker.ownership.slots) == worker.lease.slots == {}
        assert sorted(worker.left) == list(range(SLOTS))
        assert {owner.worker for owner in await worker.store.owners()} == {None}
        worker.close()

    asyncio.run(scenario())


def test_slots_of_a_take_whose_answer_was_lost_are_adopted(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks after the commit: the worker owns the slots without knowing it."""

    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        await worker.ownership.hand_over([5, 6])
        write = worker.store.write

        def lose_answers(one: Write) -> "asyncio.Future[None]":
            async def lose() -> None:
                await write(one)
                raise NotSaved("the connection is lost")

            return asyncio.ensure_future(lose()) if one.work is not None else write(one)

        monkeypatch.setattr(worker.store, "write", lose_answers)
        await worker.ownership.step()
        monkeypatch.undo()
        assert worker.ownership.epoch(5) is None
        with pytest.raises(LeaseLost):
            await worker.store.write(new(game_in(5)))
        await worker.ownership.step()
        assert (worker.ownership.epoch(5), worker.ownership.epoch(6)) == (2, 2)
        await worker.store.write(new(game_in(5)))
        worker.close()

    asyncio.run(scenario())
