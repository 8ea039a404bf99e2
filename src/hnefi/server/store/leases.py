"""Leases of game workers in PostgreSQL: which process owns which slots of games (decision 40)."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from hnefi.server.events import Restart
from hnefi.server.store import database
from hnefi.server.store.lease import Lease
from hnefi.server.store.rows import SLOTS, NotSaved, Write
from hnefi.server.store.store import Store

__all__ = ["ClockSample", "Leases", "Owner", "Taken", "WorkerBeats", "read_clock", "read_owners"]

T = TypeVar("T")

_FREE_US = 1_000_000
"""A slot that was free for longer had a restart: that time is charged to no clock."""

_CREATE_SLOTS = "INSERT INTO slot (number, epoch) SELECT generate_series(0, %s), 0 ON CONFLICT DO NOTHING"
_FORGET = "DELETE FROM worker WHERE ended AND NOT EXISTS (SELECT FROM slot WHERE slot.worker = worker.id)"
_BEGIN = "INSERT INTO worker (name, beats, beat_us, ended) VALUES (%s, 0, %s, false) RETURNING id"

# The server of a single process, which may have run meanwhile, writes `heartbeat` and leaves slots alone.
_FIND_FREE = (
    "SELECT number, GREATEST(away_since_us, (SELECT max(t_us) FROM heartbeat)) AS away_since_us FROM slot"
    " WHERE worker IS NULL ORDER BY number LIMIT %s FOR UPDATE OF slot SKIP LOCKED"
)
_TAKE = (
    "UPDATE slot SET worker = %s, epoch = epoch + 1, away_since_us = NULL"
    " WHERE number = ANY(%s) RETURNING number, epoch"
)
_ADD_RESTARTS = (
    "INSERT INTO restart (slot, away_since_us, back_us)"
    " SELECT slot, away_since_us, %s FROM unnest(%s::smallint[], %s::bigint[]) AS away (slot, away_since_us)"
)
_MOVE_DEADLINES = (
    "UPDATE game SET due_us = due_us + %s - away_since_us"
    " FROM unnest(%s::smallint[], %s::bigint[]) AS away (slot, away_since_us)"
    " WHERE game.slot = away.slot AND due_us IS NOT NULL"
)
_RESTARTS = (
    "SELECT away_since_us, back_us, slot FROM restart WHERE slot IS NULL OR slot = ANY(%s) ORDER BY id"
)
_FREE = "UPDATE slot SET worker = NULL, away_since_us = %s WHERE worker = %s AND number = ANY(%s)"
_FREE_ALL = "UPDATE slot SET worker = NULL, away_since_us = %s WHERE worker = %s"

# A row that its worker has locked is skipped: its transaction ends first, or its session is ended.
_LOCK_SILENT = "SELECT beat_us FROM worker WHERE id = %s AND beats = %s AND NOT ended FOR UPDATE SKIP LOCKED"
_END = "UPDATE worker SET ended = true WHERE id = %s"
_END_SESSIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity, worker"
    " WHERE worker.id = %s AND beats = %s AND NOT ended AND application_name = name"
    " AND datname = current_database() AND state <> 'idle' AND wait_event = 'ClientRead'"
)
_READ_BEATS = "SELECT id, beats FROM worker WHERE NOT ended"
_READ_MINE = "SELECT number, epoch FROM slot WHERE worker = %s"
_READ_OWNERS = "SELECT number, worker, epoch FROM slot ORDER BY number"
_READ_CLOCK = (
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,"
    " last.id, last.at_us - last.machine_us, (SELECT max(beat_us) FROM worker WHERE NOT ended)"
    " FROM (SELECT) AS one LEFT JOIN (SELECT * FROM clock ORDER BY id DESC LIMIT 1) AS last ON true"
)


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of a slot.

    Attributes:
        slot: The number of the slot.
        worker: The id of the game worker, None if nobody owns it.
        epoch: The fencing counter, which grows with every change of owner; the highest one is right.
    """

    slot: int
    worker: int | None
    epoch: int


@dataclass(frozen=True, slots=True)
class Taken:
    """Slots that this worker owns from now on.

    Attributes:
        slots: The epoch of each slot.
        restarts: All restarts that concern games of these slots, in order; also those of the whole site.
    """

    slots: Mapping[int, int]
    restarts: Sequence[Restart]


@dataclass(frozen=True, slots=True)
class ClockSample:
    """What the clock of the database showed between two moments of the monotonic clock of this process.

    Attributes:
        sent_ns: The monotonic clock before the question.
        received_ns: The monotonic clock after the answer.
        database_us: The clock of the database, in microseconds since 1970.
        reading: The id of the last row of `clock`, 0 if there is none.
        lead_us: How far the time of the site is ahead of the clock of the database, by that row.
        beat_us: The time of the site when a worker renewed its lease last; None if none is alive.
    """

    sent_ns: int
    received_ns: int
    database_us: int
    reading: int = 0
    lead_us: int = 0
    beat_us: int | None = None


@dataclass(frozen=True, slots=True)
class WorkerBeats:
    """What a worker reads after each renewal.

    Attributes:
        beats: The beats of each worker that has not ended.
        slots: The epoch of each slot that this worker owns by the table.
        clock: The clock of the database.
    """

    beats: Mapping[int, int]
    slots: Mapping[int, int]
    clock: ClockSample


class Leases:
    """The statements about workers and slots.

    What concerns the slots of this worker is done on the writing connection, in order with the other writes.
    All else has a connection and a thread of its own, so that it neither waits for commits nor delays them.
    """

    def __init__(
        self,
        url: str,
        store: Store,
        lease: Lease,
        *,
        monotonic_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Creates it; it connects when it is used.

        Args:
            url: The database.
            store: The store, which was opened with the same lease.
            lease: The lease of this process.
            monotonic_ns: The monotonic clock.
        """
        self.lease = lease
        self.store = store
        self._has_begun = False
        self._monotonic_ns = monotonic_ns
        self._engine = database.open_writer(url)
        lease.prepare(self._engine)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="hnefi-lease")

    def close(self) -> None:
        """Closes its connection."""
        self._thread.shutdown()
        self._engine.dispose()

    async def begin(self, now_us: int) -> int:
        """Begins a new worker without slots, and returns its id.

        Writes that are queued for a former one are refused before.
        """
        self.lease.worker = None
        self.lease.slots.clear()
        if self._has_begun:
            with contextlib.suppress(NotSaved):
                await self.store.write(Write(work=lambda _: None))
        self._has_begun = True
        self.lease.worker = await self._run(lambda connection: _begin(connection, self.lease.name, now_us))
        return self.lease.worker

    async def renew(self, now_us: int) -> None:
        """Renews the lease.

        Raises:
            LeaseLost: If it was lost.
            NotSaved: If the database cannot write.
        """
        await self.store.write(Write(heartbeat_us=now_us))

    async def read(self) -> WorkerBeats:
        """Reads who beats, and what this worker owns.

        Raises:
            NotSaved: If it cannot be read.
        """
        return await self._run(lambda connection: self._read(connection, self.lease.worker))

    def _read(self, connection: Connection, worker: int | None) -> WorkerBeats:
        clock = read_clock(connection, self._monotonic_ns)
        beats = connection.exec_driver_sql(_READ_BEATS).all()
        slots = connection.exec_driver_sql(_READ_MINE, (worker,)).all()
        return WorkerBeats(dict(map(tuple, beats)), dict(map(tuple, slots)), clock)

    async def read_clock(self) -> ClockSample:
        """Reads the clock of the database.

        Raises:
            NotSaved: If it cannot be read.
        """
        return await self._run(lambda connection: read_clock(connection, self._monotonic_ns))

    async def end(self, worker: int, beats: int) -> bool:
        """Ends another worker if it has not beaten since, and frees its slots; returns whether it did.

        It never waits for a transaction of that worker. If that one waits for its process, its session is
        ended, so that the next try succeeds.

        Raises:
            NotSaved: If that fails.
        """
        return await self._run(lambda connection: _end(connection, worker, beats))

    async def take(self, limit: int, now_us: int, grace_us: int) -> Taken:
        """Takes free slots.

        Those that were free for more than a second get a restart, and their deadlines move.

        Args:
            limit: How many at most.
            now_us: The time of the site.
            grace_us: The extra time for the side to move after a restart.

        Raises:
            LeaseLost: If the lease was lost.
            NotSaved: If it is unknown whether they were taken.
        """
        worker, taken = self.lease.worker, Taken({}, ())

        def work(connection: Connection) -> None:
            nonlocal taken
            taken = _take(connection, worker, limit, now_us, grace_us)

        # It may take long to move the deadlines. The beat keeps others from ending this worker after that.
        await self.store.write(Write(heartbeat_us=now_us, work=work))
        self.lease.slots.update(taken.slots)
        return taken

    async def adopt(self, slots: Mapping[int, int]) -> Taken:
        """Returns slots that this worker owns by the table without knowing it, after a write that failed."""
        restarts = await self._run(lambda connection: _read_restarts(connection, list(slots)))
        self.lease.slots.update(slots)
        return Taken(dict(slots), restarts)

    async def hand_over(self, slots: Sequence[int], now_us: int) -> None:
        """Releases slots after all writes that are queued; later ones are refused.

        Raises:
            LeaseLost: If the lease was lost.
            NotSaved: If it is unknown whether they were released.
        """
        worker, numbers = self.lease.worker, list(slots)
        for slot in numbers:
            self.lease.slots.pop(slot, None)

        def work(connection: Connection) -> None:
            connection.exec_driver_sql(_FREE, (now_us, worker, numbers))

        await self.store.write(Write(work=work))

    async def finish(self, now_us: int) -> None:
        """Releases all slots, and ends this worker, after all writes that are queued.

        Raises:
            NotSaved: If that fails.
        """
        worker = self.lease.worker
        self.lease.slots.clear()

        def work(connection: Connection) -> None:
            connection.exec_driver_sql(_FREE_ALL, (now_us, worker))
            connection.exec_driver_sql(_END, (worker,))

        await self.store.write(Write(work=work))
        self.lease.worker = None

    async def _run(self, work: Callable[[Connection], T]) -> T:
        def run() -> T:
            try:
                with self._engine.connect() as connection:
                    return work(connection)
            except (SQLAlchemyError, psycopg.Error) as error:
                raise NotSaved(str(error)) from error

        return await asyncio.get_running_loop().run_in_executor(self._thread, run)


def read_owners(connection: Connection) -> list[Owner]:
    """Reads the owners of all slots; none if no game worker has ever begun."""
    return [Owner(*row) for row in connection.exec_driver_sql(_READ_OWNERS)]


def read_clock(connection: Connection, monotonic_ns: Callable[[], int] = time.monotonic_ns) -> ClockSample:
    """Reads the clock of the database."""
    sent_ns = monotonic_ns()
    database_us, reading, lead_us, beat_us = connection.exec_driver_sql(_READ_CLOCK).one()
    return ClockSample(sent_ns, monotonic_ns(), database_us, reading or 0, lead_us or 0, beat_us)


@contextlib.contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    connection.exec_driver_sql("BEGIN")
    try:
        yield
    except BaseException:
        with contextlib.suppress(SQLAlchemyError):
            connection.exec_driver_sql("ROLLBACK")
        raise
    connection.exec_driver_sql("COMMIT")


def _begin(connection: Connection, name: str, now_us: int) -> int:
    with _transaction(connection):
        connection.exec_driver_sql(_CREATE_SLOTS, (SLOTS - 1,))
        connection.exec_driver_sql(_FORGET)
        return int(connection.exec_driver_sql(_BEGIN, (name, now_us)).scalar_one())


def _take(connection: Connection, worker: int | None, limit: int, now_us: int, grace_us: int) -> Taken:
    free = connection.exec_driver_sql(_FIND_FREE, (limit,)).all()
    numbers = [row.number for row in free]
    if not numbers:
        return Taken({}, ())
    epochs = connection.exec_driver_sql(_TAKE, (worker, numbers)).all()
    away = {
        row.number: row.away_since_us
        for row in free
        if row.away_since_us is not None and now_us - row.away_since_us > _FREE_US
    }
    if away:
        _add_restarts(connection, away, now_us, grace_us)
    return Taken(dict(map(tuple, epochs)), _read_restarts(connection, numbers))


def _add_restarts(connection: Connection, away: Mapping[int, int], now_us: int, grace_us: int) -> None:
    """Adds a restart of each slot, or one of the whole site if nobody had any slot."""
    if len(away) == SLOTS:
        since_us = min(away.values())
        connection.exec_driver_sql(_ADD_RESTARTS, (now_us, [None], [since_us]))
        away = dict.fromkeys(away, since_us)
    else:
        connection.exec_driver_sql(_ADD_RESTARTS, (now_us, list(away), list(away.values())))
    moved_us = now_us + grace_us
    connection.exec_driver_sql(_MOVE_DEADLINES, (moved_us, list(away), list(away.values())))


def _read_restarts(connection: Connection, slots: list[int]) -> list[Restart]:
    return [Restart(*row) for row in connection.exec_driver_sql(_RESTARTS, (slots,))]


def _end(connection: Connection, worker: int, beats: int) -> bool:
    with _transaction(connection):
        row = connection.exec_driver_sql(_LOCK_SILENT, (worker, beats)).one_or_none()
        if row is not None:
            connection.exec_driver_sql(_END, (worker,))
            connection.exec_driver_sql(_FREE_ALL, (row.beat_us, worker))
            return True
    connection.exec_driver_sql(_END_SESSIONS, (worker, beats))
    return False
