"""A site of several processes inside one: game workers and gateways over a bus in memory, and one store."""

import asyncio
import itertools
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Self

from hnefi.server.cluster.bus import BEAT_S, TICK_S, Bus
from hnefi.server.cluster.calls import Calls
from hnefi.server.cluster.game_worker import GameWorker
from hnefi.server.cluster.gateway import Gateway
from hnefi.server.cluster.messages import ALL
from hnefi.server.cluster.owned_rooms import OwnedRooms
from hnefi.server.cluster.owners import OwnerTable
from hnefi.server.cluster.stored_games import StoredGames
from hnefi.server.games.time import Leads
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.store import SLOTS, slot_of
from hnefi.server.store.database import sqlite_url
from hnefi.server.store.leases import Owner, Taken
from tests.server.cluster.memory_bus import MemoryBusServer
from tests.server.harness import FakeClock, FirstMoveEngine, TrackedStore, settle
from tests.timeouts import TIMEOUT_S

__all__ = ["MemoryGateway", "MemorySite", "MemoryWorker", "until"]

_PAUSE_S, _REGULAR_S = 0.001, 0.05


async def until(condition: Callable[[], bool]) -> None:
    """Waits until a condition is true."""
    async with asyncio.timeout(TIMEOUT_S):
        while not condition():
            await asyncio.sleep(_PAUSE_S)


class MemoryWorker:
    """A game worker. It owns what the test gives it."""

    def __init__(self, site: "MemorySite", number: int) -> None:
        self.number = number
        self.slots: dict[int, int] = {}
        self.bus: Bus = site.bus_server.bus(f"w:{number}")
        self.computer = FirstMoveEngine()
        encoder = MessageEncoder(site.time.leads)
        self.rooms = OwnedRooms(
            site.store, site.time, self.computer, encoder, lambda game: slot_of(game) in self.slots
        )
        self.worker = GameWorker(self.bus, self.rooms, site.store, site.time, self.slots.get)
        self.bus.on_gap = self.worker.on_gap
        self.bus.on_absent = self.worker.on_absent

    async def start(self) -> None:
        await self.bus.start([ALL], self.worker.on_message)
        await self.rooms.start()

    async def stop(self) -> None:
        await self.worker.stop()
        await self.rooms.stop()
        await self.bus.stop()


class MemoryGateway:
    """A gateway. Its commands are repeated after milliseconds."""

    def __init__(self, site: "MemorySite", name: str) -> None:
        self.bus: Bus = site.bus_server.bus(f"g:{name}")
        self.owners = OwnerTable(site.read_owners, least_gap_s=_PAUSE_S, regular_s=_REGULAR_S)
        self.calls = Calls(
            self.bus, self.owners, pauses_s=(0.01,), give_up_s=TIMEOUT_S, after_refusal_s=0.002
        )
        stored = StoredGames(site.store, site.time.leads)
        self.games = Gateway(self.bus, self.owners, self.calls, stored, site.time)
        self.owners.on_change = self.games.on_owners_changed
        self.bus.on_gap = self.games.on_gap
        self.bus.on_absent = self.games.on_absent
        self._reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.bus.start([ALL], self.games.on_message)
        await self.owners.read()
        self._reading = asyncio.get_running_loop().create_task(self.owners.run())

    async def stop(self) -> None:
        assert self._reading is not None
        self._reading.cancel()
        await self.games.stop()
        await self.bus.stop()


class MemorySite:
    """Workers 1, 2, … and gateways a, b, …; at first worker 1 owns all games."""

    def __init__(self, folder: Path, workers: int = 2, gateways: int = 2) -> None:
        self.time = FakeClock()
        self.time.leads = Leads()
        self.store = TrackedStore(sqlite_url(folder / "games.db"))
        self.bus_server = MemoryBusServer()
        self.table: dict[int, Owner] = {slot: Owner(slot, None, 0) for slot in range(SLOTS)}
        self.workers = {number: MemoryWorker(self, number) for number in range(1, workers + 1)}
        self.gateways = [MemoryGateway(self, name) for name in itertools.islice("abcdefgh", gateways)]

    async def read_owners(self) -> Collection[Owner]:
        return list(self.table.values())

    async def __aenter__(self) -> Self:
        for worker in self.workers.values():
            await worker.start()
        self.give(range(SLOTS), 1)
        for gateway in self.gateways:
            await gateway.start()
        await settle()
        return self

    async def __aexit__(self, *_: object) -> None:
        for gateway in self.gateways:
            await gateway.stop()
        for worker in self.workers.values():
            await worker.stop()
        self.store.close()

    def give(self, slots: Collection[int], number: int) -> None:
        """Makes a worker the owner of free slots."""
        taken = {slot: self.table[slot].epoch + 1 for slot in slots}
        for slot, epoch in taken.items():
            self.table[slot] = Owner(slot, number, epoch)
        self.workers[number].slots.update(taken)
        self.workers[number].rooms.take(Taken(taken, ()))

    async def hand_over(self, slots: Collection[int], number: int) -> None:
        """Makes their owner give slots up, and a worker take them. Nobody is told."""
        owner = self.table[next(iter(slots))].worker
        assert owner is not None
        before = self.workers[owner]
        for slot in slots:
            del before.slots[slot]
        await before.rooms.release(slots)
        before.worker.forget(slots)
        for slot in slots:
            self.table[slot] = Owner(slot, None, self.table[slot].epoch)
        self.give(slots, number)

    def kill(self, number: int) -> None:
        """Cuts a worker off: it neither receives nor sends any more, and stores nothing."""
        worker = self.workers[number]
        worker.bus._transport.is_cut = True  # type: ignore[attr-defined]
        slots = list(worker.slots)
        worker.slots.clear()
        for slot in slots:
            self.table[slot] = Owner(slot, None, self.table[slot].epoch)
        (successor,) = set(self.workers) - {number}
        self.give(slots, successor)

    def tick(self) -> None:
        """Sends the beats of all, which show what was lost."""
        for bus in [one.bus for one in self.workers.values()] + [one.bus for one in self.gateways]:
            for _ in range(round(BEAT_S / TICK_S)):
                bus.tick()
