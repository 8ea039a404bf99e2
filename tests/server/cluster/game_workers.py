"""Game workers inside a test: a store with a lease, and the slots that it owns, stepped by hand."""

import asyncio
import time
from collections.abc import Collection, Sequence

import psycopg
from sqlalchemy import Connection

from hnefi.server.cluster.ownership import Ownership
from hnefi.server.cluster.site_time import SiteTime
from hnefi.server.events import Restart
from hnefi.server.games.clocks import SECOND_US
from hnefi.server.store import Store, slot_of
from hnefi.server.store.lease import Lease
from hnefi.server.store.leases import Leases, Taken

__all__ = [
    "BEGIN_US",
    "DatabaseClock",
    "GameWorker",
    "SteadyClock",
    "beat_all",
    "game_in",
    "run_sql",
    "sequence",
]

SECOND_NS = 1_000_000_000
BEGIN_US = 1_700_000_000 * SECOND_US
"""What the clock of the database shows at the beginning."""


class SteadyClock:
    """A monotonic clock that advances on demand."""

    def __init__(self, now_ns: int = 5_000 * SECOND_NS) -> None:
        self.now_ns = now_ns

    def __call__(self) -> int:
        return self.now_ns

    def advance(self, seconds: float) -> None:
        self.now_ns += int(seconds * SECOND_NS)


_CLOCK = """
CREATE TABLE shown (us bigint);
INSERT INTO shown VALUES ({});
CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
  $$ SELECT to_timestamp(us / 1000000.0) FROM public.shown $$;
"""
"""A function that hides the one of PostgreSQL."""


class DatabaseClock(SteadyClock):
    """A monotonic clock with which that of the database goes; the latter can be set, too."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._connection = psycopg.connect(url, autocommit=True)
        self._connection.execute(_CLOCK.format(BEGIN_US).encode())
        name = self._connection.info.dbname
        self._connection.execute(f"ALTER DATABASE {name} SET search_path = public, pg_catalog".encode())

    def advance(self, seconds: float) -> None:
        super().advance(seconds)
        self.set(seconds)

    def set(self, seconds: float) -> None:
        """Sets the clock of the database forward or back."""
        self._connection.execute("UPDATE shown SET us = us + %s", (int(seconds * SECOND_US),))

    def close(self) -> None:
        self._connection.close()


class GameWorker:
    """A game worker without games, which records its calls."""

    def __init__(self, url: str, clock: SteadyClock | None, name: str | None = None) -> None:
        """Opens the store; without a clock it uses that of the machine."""
        self.lease = Lease(name)
        self.store = Store(url, lease=self.lease)
        self.leases = Leases(url, self.store, self.lease, monotonic_ns=clock or time.monotonic_ns)
        self.time = SiteTime(clock or time.monotonic_ns)
        self.ownership = Ownership(self.leases, self.time, self)
        self.restarts: list[Restart] = []
        self.left: list[int] = []
        self.released: list[int] = []
        self.losses = 0
        self.busy: set[int] = set()
        self.may_leave = asyncio.Event()
        self.may_leave.set()

    async def begin(self) -> "GameWorker":
        await self.time.start(self.leases.read_clock, await self.store.last_heartbeat() or 0)
        await self.ownership.begin()
        return self

    def on_taken(self, taken: Taken) -> None:
        self.restarts = [*taken.restarts]

    async def on_leaving(self, slots: Collection[int]) -> None:
        self.left += slots
        await self.may_leave.wait()

    def on_released(self, slots: Collection[int]) -> None:
        self.released += slots

    async def on_lost(self) -> None:
        self.losses += 1

    def weight(self, slot: int) -> int:
        return int(slot in self.busy)

    def close(self) -> None:
        """Ends as if the process were killed: nothing is released."""
        self.leases.close()
        self.store.close()


async def beat_all(clock: SteadyClock, workers: Sequence[GameWorker], seconds: float) -> None:
    """Steps workers every half second."""
    for _ in range(int(seconds * 2)):
        clock.advance(0.5)
        for worker in workers:
            await worker.ownership.step()
            await worker.ownership.balance()


def game_in(slot: int) -> str:
    """Returns the id of a game in a slot."""
    return next(name for name in map("g{}".format, range(1_000_000)) if slot_of(name) == slot)


async def run_sql(worker: GameWorker, statement: str) -> list[tuple[object, ...]]:
    """Runs a statement over a reading connection of a worker."""

    def run(connection: Connection) -> list[tuple[object, ...]]:
        result = connection.exec_driver_sql(statement)
        return [tuple(row) for row in result] if result.returns_rows else []

    return await worker.store._read(run)


async def sequence(store: Store, game: str) -> list[int]:
    """Returns the numbers of the stored events of a game."""
    stored = await store.load(game)
    return [] if stored is None else [event.seq for event in stored.events]
