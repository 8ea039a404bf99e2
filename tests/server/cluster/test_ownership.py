"""How game workers share slots: on a real PostgreSQL, stepped by hand."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from hnefi.server.cluster import ownership
from hnefi.server.cluster.slots import Watch, share_of, surplus
from hnefi.server.store import SLOTS, NotSaved, Write, slot_of
from hnefi.server.store.leases import WorkerBeats
from tests.server.cluster.game_workers import DatabaseClock, GameWorker, beat_all, run_sql
from tests.server.test_store import moved, new
from tests.timeouts import TIMEOUT_S


def refuse(_: Write) -> "asyncio.Future[None]":
    """A disk is full."""
    failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    failed.set_exception(NotSaved("no space left on device\n(Background on this error)"))
    return failed


async def check_slots(workers: Sequence[GameWorker]) -> list[int]:
    """Checks that every slot has one owner, who knows it; returns the sorted numbers of slots."""
    owners = {owner.slot: (owner.worker, owner.epoch) for owner in await workers[0].store.owners()}
    owned = {
        slot: (worker.ownership.worker, epoch)
        for worker in workers
        for slot, epoch in worker.ownership.slots.items()
    }
    assert owned == owners
    assert all(dict(worker.ownership.slots) == worker.lease.slots for worker in workers)
    return sorted(len(worker.ownership.slots) for worker in workers)


def test_shares_are_even_with_one_two_and_four_workers(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        workers = [await GameWorker(database_url, clock).begin()]
        await beat_all(clock, workers, 0.5)
        assert await check_slots(workers) == [1024]
        for number in (2, 4):
            while len(workers) < number:
                workers.append(await GameWorker(database_url, clock).begin())
            await beat_all(clock, workers, 6)
            assert await check_slots(workers) == [SLOTS // number] * number
        # Nothing changes any more.
        before = await workers[0].store.owners()
        await beat_all(clock, workers, 3)
        assert await workers[0].store.owners() == before
        # Two of them are killed, then one stops.
        for _ in range(2):
            workers.pop().close()
        await beat_all(clock, workers, 4)
        assert await check_slots(workers) == [512, 512]
        last, leaving = workers
        await leaving.ownership.stop()
        assert (leaving.ownership.worker, dict(leaving.ownership.slots)) == (None, {})
        await beat_all(clock, [last], 0.5)
        assert await check_slots([last]) == [1024]
        assert await run_sql(last, "SELECT count(*) FROM worker WHERE NOT ended") == [(1,)]
        assert [worker.losses for worker in (last, leaving)] == [0, 0]
        leaving.close()
        last.close()

    asyncio.run(scenario())


def test_idle_slots_are_handed_over_first_and_some_at_a_time(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        one = await GameWorker(database_url, clock).begin()
        await one.ownership.step()
        one.busy = set(range(500))
        other = await GameWorker(database_url, clock).begin()
        sizes = []
        while len(one.ownership.slots) > SLOTS // 2:
            await beat_all(clock, [one, other], 0.5)
            sizes.append(len(one.ownership.slots))
        assert sizes == [896, 768, 640, 512]
        assert one.busy <= set(one.ownership.slots)
        assert one.left == one.released
        assert not one.busy & set(one.left)
        one.close()
        other.close()

    asyncio.run(scenario())


def test_epochs_grow_with_every_owner(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        epochs: list[int | None] = []
        for number in range(4):
            worker = await GameWorker(database_url, clock).begin()
            await beat_all(clock, [worker], 2.5)
            epochs.append(worker.ownership.epoch(slot_of("a")))
            if number % 2:
                await worker.ownership.stop()
            worker.close()
        assert epochs == [1, 2, 3, 4]

    asyncio.run(scenario())


def test_rows_of_workers_that_ended_are_deleted(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        ids = []
        for _ in range(3):
            worker = await GameWorker(database_url, clock).begin()
            ids.append(worker.ownership.worker)
            await beat_all(clock, [worker], 2.5)
            assert len(await run_sql(worker, "SELECT id FROM worker")) <= 2
            worker.close()
        assert len(set(ids)) == 3

    asyncio.run(scenario())


def test_the_lease_is_renewed_while_a_hand_over_takes_long(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        slow, other = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        await beat_all(clock, [slow, other], 0.5)
        slow.may_leave.clear()
        stopping = asyncio.create_task(slow.ownership.stop())
        await asyncio.sleep(0)
        for _ in range(10):
            clock.advance(0.5)
            await slow.ownership.step()
            await other.ownership.step()
        assert len(other.ownership.slots) == SLOTS // 2
        assert await run_sql(other, "SELECT count(*) FROM worker WHERE NOT ended") == [(2,)]
        slow.may_leave.set()
        await stopping
        await beat_all(clock, [other], 0.5)
        assert await check_slots([other]) == [SLOTS]
        slow.close()
        other.close()

    asyncio.run(scenario())


def test_an_outage_of_the_database_ends_no_worker(
    database_url: str,
    clock: DatabaseClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """While no worker can write, such as with a full disk, the beats of all stand."""

    async def scenario() -> None:
        workers = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        await beat_all(clock, workers, 2)

        with monkeypatch.context() as outage:
            for worker in workers:
                outage.setattr(worker.store, "write", refuse)
            await beat_all(clock, workers, 10)
        # The first failure in a row is logged, and its first line only.
        lines = [record.getMessage() for record in caplog.records if "renew" in record.getMessage()]
        assert lines == ["could not renew the lease or take slots: no space left on device"] * 2
        # The first one can write again a second before the other.
        await beat_all(clock, workers[:1], 1)
        await beat_all(clock, workers, 5)
        assert [worker.losses for worker in workers] == [0, 0]
        assert await check_slots(workers) == [512, 512]
        for worker in workers:
            worker.close()

    asyncio.run(scenario())


def test_a_worker_that_could_not_write_either_says_nothing_about_the_others(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outage is so short that no read is late."""

    async def scenario() -> None:
        one, other = [await GameWorker(database_url, clock).begin() for _ in range(2)]
        await beat_all(clock, [one, other], 2)
        await beat_all(clock, [one], 1)
        with monkeypatch.context() as outage:
            outage.setattr(one.store, "write", refuse)
            await beat_all(clock, [one], 0.5)
        await beat_all(clock, [one], 1)
        await beat_all(clock, [other, one], 1)
        assert [one.losses, other.losses] == [0, 0]
        one.close()
        other.close()

    asyncio.run(scenario())


def test_a_lost_connection_costs_no_lease(database_url: str, clock: DatabaseClock) -> None:
    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        await worker.store.write(new("a"))
        for _ in range(2):
            terminate = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{}'"
            await run_sql(worker, terminate.format(worker.lease.name))
            await beat_all(clock, [worker], 3)
        await worker.store.write(moved("a", 2))
        assert worker.losses == 0
        assert await check_slots([worker]) == [SLOTS]
        worker.close()

    asyncio.run(scenario())


def test_slots_of_another_worker_by_the_table_are_a_lost_lease(
    database_url: str, clock: DatabaseClock
) -> None:
    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        await worker.ownership.step()
        await run_sql(worker, "UPDATE slot SET worker = NULL, epoch = epoch + 1 WHERE number = 7")
        await worker.ownership.step()
        assert worker.losses == 1
        await beat_all(clock, [worker], 4)
        assert await check_slots([worker]) == [SLOTS]
        worker.close()

    asyncio.run(scenario())


def test_two_workers_run_by_themselves(database_url: str) -> None:
    """With the clock of this machine: both own half, and one takes all when the other stops."""

    async def scenario() -> None:
        workers = [await GameWorker(database_url, None).begin() for _ in range(2)]
        running = [asyncio.create_task(worker.ownership.run()) for worker in workers]

        async def wait_for(number: int) -> None:
            until = asyncio.get_running_loop().time() + TIMEOUT_S
            while len(workers[0].ownership.slots) != number:
                assert asyncio.get_running_loop().time() < until
                await asyncio.sleep(0.02)

        await wait_for(512)
        await workers[1].ownership.stop()
        workers[0].ownership.wake()
        await wait_for(1024)
        await workers[0].ownership.stop()
        await asyncio.wait_for(asyncio.gather(*running), TIMEOUT_S)
        for worker in workers:
            worker.close()

    asyncio.run(scenario())


def test_an_unexpected_error_does_not_end_the_renewals(
    database_url: str, clock: DatabaseClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ownership, "PERIOD_S", 0.06)

    async def scenario() -> None:
        worker = await GameWorker(database_url, clock).begin()
        read, errors = worker.leases.read, iter([RuntimeError("unexpected")])
        reads: list[WorkerBeats] = []

        async def fail_once() -> WorkerBeats:
            if (error := next(errors, None)) is not None:
                raise error
            reads.append(await read())
            return reads[-1]

        monkeypatch.setattr(worker.leases, "read", fail_once)
        running = asyncio.create_task(worker.ownership.run())
        async with asyncio.timeout(TIMEOUT_S):
            while len(reads) < 2:
                await asyncio.sleep(0.01)
            await worker.ownership.stop()
            await running
        worker.close()

    asyncio.run(scenario())


def test_shares_and_the_surplus() -> None:
    assert [share_of(number) for number in (0, 1, 2, 3, 4, 1024, 5000)] == [1024, 1024, 512, 342, 256, 1, 1]
    weights = Counter({3: 5, 4: 1})
    assert surplus(range(10), 200, weights.__getitem__) == [0, 1, 2, 5]
    assert surplus(range(10), 512, weights.__getitem__) == [0, 1, 2, 5, 6, 7, 8, 9]
    assert surplus(range(10), 1, weights.__getitem__) == []


def test_beats_that_stand_are_found_after_one_and_a_half_seconds() -> None:
    watch = Watch()
    times = [0.0, 0.5, 1.0, 1.4, 1.5]
    assert [watch.observe({1: 7}, at, at) for at in times] == [[], [], [], [], [1]]
    # A beat begins anew.
    times = [2.0, 2.5, 3.0, 3.49, 3.5]
    assert [watch.observe({1: 8}, at, at) for at in times] == [[], [], [], [], [1]]
    # A read counts from its answer to the next question.
    watch.reset()
    reads = [(0.0, 0.4), (0.9, 1.0), (1.4, 1.7), (1.8, 1.9), (1.91, 2.0)]
    assert [watch.observe({1: 8}, sent, received) for sent, received in reads] == [[], [], [], [], [1]]


def test_a_late_read_says_nothing_about_the_time_before() -> None:
    watch = Watch()
    for at in (0.0, 0.5, 1.0):
        assert watch.observe({1: 7}, at, at) == []
    times = [2.51, 3.0, 3.5, 4.0, 4.02]
    assert [watch.observe({1: 7}, at, at) for at in times] == [[], [], [], [], [1]]
    watch.reset()
    assert watch.observe({1: 7}, 4.1, 4.1) == []
