"""The writer thread: commits writes in batches, and acknowledges them after the commit."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from hnefi.server.store import database
from hnefi.server.store.checks import check_connection, check_file, damage_error
from hnefi.server.store.lock import DatabaseLock, StoreError
from hnefi.server.store.rows import UNCHANGED, Conflict, NotSaved, Write, event_row

if TYPE_CHECKING:
    from hnefi.server.store.notices import Sender

_log = logging.getLogger(__name__)
_BATCH = 512
_GAP_S, _SHARED_GAP_S = 0.006, 0.010
"""The least time between the beginnings of two commits, alone and beside other processes.

A commit of ten writes takes hardly longer than that of a single one, so waiting for more pays off. A write
after a pause does not wait."""

# Plain SQL: nearly everything the server writes is this statement.
_ADD_EVENT = "INSERT INTO event (game, seq, t_us, actor, message, body) VALUES (?, ?, ?, ?, ?, ?)"
_ADD_IF_FREE = (
    "INSERT INTO event (game, seq, t_us, actor, message, body) SELECT * FROM unnest"
    "(%s::text[], %s::int[], %s::bigint[], %s::int[], %s::text[], %s::text[])"
    " ON CONFLICT DO NOTHING RETURNING game, seq"
)


class _Refused(Conflict):
    """Some writes of a batch were refused, since other processes were faster.

    Attributes:
        writes: Their numbers in the batch.
        others_are_stored: Whether the other writes of the batch are stored, or were rolled back.
    """

    def __init__(self, writes: set[int], *, others_are_stored: bool) -> None:
        super().__init__("another process was faster")
        self.writes, self.others_are_stored = writes, others_are_stored


class _LostBeforeCommit(NotSaved):
    """The connection was lost before the commit: nothing is stored.

    PostgreSQL ends one whose process did not go on with its transaction for a second.
    """


@dataclass(slots=True)
class _Waiting:
    write: Write
    future: "asyncio.Future[None]"
    error: BaseException | None = None


class Writer:
    """Writes in its own thread, over the only connection of this process that may write.

    Attributes:
        process: The id of this process if others are told what it has committed; None while it is alone.
        events: The events that were added to games since the start, without those that begin one.
        failed: The writes that failed since then.
        is_failing: Whether the last write failed.
    """

    def __init__(self, url: str, *, observe: Callable[[int, float], None] | None = None) -> None:
        """Opens the database, migrates its tables, and starts the thread.

        `observe` is called after every commit with its number of writes and its duration in seconds.

        Raises:
            SQLAlchemyError: If it cannot be opened.
            StoreError: `database_in_use`, if another server has the file; `database_linked`,
                `database_empty`, `database_damaged`, `database_not_durable`, `database_pooled`,
                `database_version`, if it must not be used.
        """
        self._file = database.sqlite_file(url)
        self._lock = DatabaseLock(self._file)
        try:
            check_file(self._file, self._lock)
        except BaseException:
            self._lock.release()
            raise
        self._engine = database.open_writer(url)
        self._observe = observe
        self.process: int | None = None
        self._url = url
        self._sender: Sender | None = None
        self.events = self.failed = 0
        self._queue: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._connection: Connection | None = None
        self.is_failing = False
        try:
            self._migrate()
            self._lock.is_making = False
        except BaseException as error:
            self._drop_connection()
            self._engine.dispose()
            self._lock.release()
            if (damage := damage_error(error, self._file)) is not None:
                raise damage from error
            raise
        self._thread = threading.Thread(target=self._run, name="hnefi-writer", daemon=True)
        self._thread.start()

    @property
    def queued(self) -> int:
        """How many writes wait for the next commit."""
        return self._queue.qsize()

    def submit(self, write: Write) -> "asyncio.Future[None]":
        """Queues a write. The future is done after the commit, or has `Conflict` or `NotSaved`."""
        waiting = _Waiting(write, asyncio.get_running_loop().create_future())
        self._queue.put(waiting)
        return waiting.future

    def close(self) -> None:
        """Commits what is queued, and ends the thread."""
        self._queue.put(None)
        self._thread.join()
        self._engine.dispose()
        self._lock.release()

    def _run(self) -> None:
        begin = -_SHARED_GAP_S
        while batch := self._next_batch(begin + (_GAP_S if self.process is None else _SHARED_GAP_S)):
            begin = time.perf_counter()
            self._commit(batch)
            self.events += sum(len(one.write.events) for one in batch if one.error is None)
            self.failed += sum(isinstance(one.error, NotSaved) for one in batch)
            if self._observe is not None:
                self._observe(len(batch), time.perf_counter() - begin)
            _acknowledge(batch)
            self._tell_others(batch)
        self._drop_connection()
        if self._sender is not None:
            self._sender.close()

    def _next_batch(self, not_before: float) -> list[_Waiting]:
        """Waits for a write, and returns it with all others that are queued by then."""
        first = self._queue.get()
        if first is None:
            return []
        if (early_s := not_before - time.perf_counter()) > 0:
            time.sleep(early_s)
        batch = [first]
        while len(batch) < _BATCH and not self._queue.empty():
            another = self._queue.get()
            if another is None:
                self._queue.put(None)
                break
            batch.append(another)
        return batch

    def _commit(self, batch: Sequence[_Waiting]) -> None:
        try:
            self._write_patiently([waiting.write for waiting in batch])
        except _Refused as error:
            for number in error.writes:
                batch[number].error = Conflict(str(error))
            rest = [one for number, one in enumerate(batch) if number not in error.writes]
            if rest and not error.others_are_stored:
                self._commit(rest)
        except Exception as error:
            is_refusal = isinstance(error, IntegrityError)
            if isinstance(error, (SQLAlchemyError, OSError, StoreError, NotSaved)) and not is_refusal:
                self._fail(batch, error)
            elif len(batch) == 1:
                batch[0].error = Conflict(str(error)) if is_refusal else error
            else:
                # One of them is refused, or its function is faulty: commit them one by one.
                for waiting in batch:
                    self._commit([waiting])

    def _fail(self, batch: Sequence[_Waiting], error: Exception) -> None:
        if not self.is_failing:
            _log.error("commit failed: %s", error)
        self.is_failing = True
        for waiting in batch:
            waiting.error = error if isinstance(error, NotSaved) else NotSaved(str(error))

    def _write_patiently(self, writes: Sequence[Write]) -> None:
        """Writes, a second time if the connection was lost before the commit."""
        try:
            self._write_all(writes)
        except _LostBeforeCommit:
            self._write_all(writes)

    def _write_all(self, writes: Sequence[Write]) -> None:
        connection = self._connected()
        if self._file is None and all(write.is_one_event for write in writes):
            # One statement is a transaction of its own: it stores what is free, and names it.
            try:
                _add_events(connection, writes, is_transaction=True)
                self.is_failing = False
            except (SQLAlchemyError, OSError, NotSaved):
                self._drop_connection()
                raise
            return
        is_ready = False
        try:
            database.begin(connection)
            # In one order, games before events: two processes that wait for each other would wait for ever.
            writes_by_game = sorted(writes, key=lambda write: write.game)
            for write in writes_by_game:
                if write.work is not None:
                    write.work(connection)
            _set_deadlines(connection, writes_by_game)
            _add_events(connection, writes)
            is_ready = True
            connection.exec_driver_sql("COMMIT")
            self.is_failing = False
        except BaseException as error:
            is_lost = not is_ready and _is_lost(connection)
            self._roll_back(connection, keep=isinstance(error, (IntegrityError, Conflict)))
            if is_lost:
                raise _LostBeforeCommit(str(error)) from error
            raise

    def _tell_others(self, batch: Sequence[_Waiting]) -> None:
        """Sends notices of what was committed."""
        if self.process is not None:
            from hnefi.server.store import notices

            if self._sender is None:
                self._sender = notices.Sender(self._url)
            written = (waiting.write for waiting in batch if waiting.error is None)
            self._sender.send(notices.notices_of(self.process, written))

    def _connected(self) -> Connection:
        if self._connection is None:
            connection = self._engine.connect()
            try:
                self._lock.hold(connection)
                check_connection(connection, self._file)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _migrate(self) -> None:
        """Migrates the tables; processes of an older version must not use them meanwhile or after that."""
        if self._file is None:
            with self._engine.connect() as connection:
                self._lock.do_alone(
                    connection,
                    lambda: database.migrate(connection),
                    is_needed=lambda: database.is_older(connection),
                )
        database.migrate(self._connected())

    def _roll_back(self, connection: Connection, *, keep: bool) -> None:
        """Rolls back; a connection that failed is not used again."""
        try:
            connection.exec_driver_sql("ROLLBACK")
        except SQLAlchemyError:
            keep = False
        if not keep:
            self._drop_connection()

    def _drop_connection(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(DBAPIError):
                connection.invalidate()
            connection.close()


def _is_lost(connection: Connection) -> bool:
    """Checks whether a connection is known to be lost, also by a statement of the driver's own."""
    return connection.invalidated or getattr(connection.connection.driver_connection, "closed", False)


def _acknowledge(batch: Sequence[_Waiting]) -> None:
    """Resolves the futures in their event loop."""
    with contextlib.suppress(RuntimeError):  # the loop is closed
        batch[0].future.get_loop().call_soon_threadsafe(_resolve, batch)


def _resolve(batch: Sequence[_Waiting]) -> None:
    for waiting in batch:
        if waiting.future.done():
            continue
        if waiting.error is None:
            waiting.future.set_result(None)
        else:
            waiting.future.set_exception(waiting.error)


def _add_events(connection: Connection, writes: Sequence[Write], *, is_transaction: bool = False) -> None:
    """Inserts the events of all writes.

    With `is_transaction` they are all of the transaction, which is committed whatever is refused.

    Raises:
        IntegrityError: On SQLite, if one of them is not the next one.
        _Refused: On PostgreSQL, if some of them are not the next ones.
    """
    rows = [event_row(write.game, event) for write in writes for event in write.events]
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_ADD_EVENT, rows)
        return
    columns = tuple(list(column) for column in zip(*sorted(rows, key=itemgetter(0, 1)), strict=True))
    added = _add_if_free(connection, columns)
    if len(added) < len(rows):
        # Of two equal events in a batch the first one is added.
        refused = set[int]()
        for number, write in enumerate(writes):
            for event in write.events:
                if (key := (write.game, event.seq)) not in added:
                    refused.add(number)
                added.discard(key)
        raise _Refused(refused, others_are_stored=is_transaction)


def _add_if_free(connection: Connection, columns: tuple[list[Any], ...]) -> set[tuple[Any, ...]]:
    """Inserts events whose numbers are free, and returns the games and numbers of those.

    Nearly every commit on PostgreSQL is this statement. By the driver itself it takes half of the time.

    Raises:
        Conflict: If one of the games does not exist any more.
        NotSaved: If the statement failed.
    """
    import psycopg

    cursor = connection.info.get("adding")
    if cursor is None:
        driver: Any = connection.connection.driver_connection
        cursor = connection.info["adding"] = driver.cursor(binary=True)
    try:
        return set(cursor.execute(_ADD_IF_FREE, columns, prepare=True).fetchall())
    except psycopg.IntegrityError as error:
        raise Conflict(str(error)) from error
    except psycopg.Error as error:
        raise NotSaved(str(error)) from error


def _set_deadlines(connection: Connection, writes: Sequence[Write]) -> None:
    mark = "?" if connection.dialect.name == "sqlite" else "%s"
    for column in ("due_us", "computer_us"):
        rows = [(getattr(write, column), write.game) for write in writes]
        if rows := [row for row in rows if row[0] != UNCHANGED]:
            connection.exec_driver_sql(f"UPDATE game SET {column} = {mark} WHERE id = {mark}", rows)
