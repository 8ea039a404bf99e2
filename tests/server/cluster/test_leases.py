"""Leases on a real PostgreSQL: what a former owner of slots can do, and what it cannot."""

import asyncio

import pytest

from hnefi.server.store import SLOTS, LeaseLost
from tests.server.cluster.game_workers import GameWorker, SteadyClock
from tests.server.test_store import moved, new


def test_a_single_worker_takes_all_slots_and_stores_moves(database_url: str) -> None:
    async def scenario() -> None:
        clock = SteadyClock()
        worker = await GameWorker(database_url, clock).begin()
        with pytest.raises(LeaseLost):
            await worker.store.write(new("a"))
        await worker.ownership.step()
        assert worker.ownership.slots == dict.fromkeys(range(SLOTS), 1)
        await worker.store.write(new("a"))
        await worker.store.write(moved("a", 2))
        stored = await worker.store.load("a")
        assert stored is not None
        assert [event.seq for event in stored.events] == [1, 2]
        worker.close()

    asyncio.run(scenario())
