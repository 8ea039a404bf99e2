"""The store of games: one thread writes, a few others read."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, Self, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from hnefi.server.processor_time import metered
from hnefi.server.store import database
from hnefi.server.store.rows import NotSaved, Write
from hnefi.server.store.writer import Writer

P = ParamSpec("P")
T = TypeVar("T")
_READERS = 2
_LATE_S = 2.0


class Store:
    """Games in a database.

    Attributes:
        is_shared: Whether other processes may write to it, too: on PostgreSQL.
        writer: Writes to it once it is open.
    """

    def __init__(self, url: str, *, observe: Callable[[int, float], None] | None = None) -> None:
        """Creates it; `open` opens the database.

        `observe` is called after every commit, as by `Writer`. The URL is `sqlite:///…` or `postgresql://…`.
        """
        self._reader = database.open_reader(url, _READERS)
        self._threads = ThreadPoolExecutor(_READERS, thread_name_prefix="hnefi-reader")
        self._observe = observe
        self.url = url
        self.is_shared = not database.is_sqlite(url)
        self.writer: Writer

    def open(self) -> Self:
        """Opens the database, creating or migrating it if necessary; returns the store.

        Raises:
            SQLAlchemyError: If it cannot be opened.
            StoreError: If it must not be used; see `Writer`.
        """
        self.writer = Writer(self.url, observe=self._observe)
        return self

    def submit(self, write: Write) -> "asyncio.Future[None]":
        """Queues a write. The future is done after the commit, or has `Conflict` or `NotSaved`."""
        return self.writer.submit(write)

    async def read(
        self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Runs a query in a thread.

        Raises:
            NotSaved: If the database fails.
        """

        def run() -> T:
            try:
                with self._reader.connect() as connection:
                    return query(connection, *args, **kwargs)
            except SQLAlchemyError as error:
                raise NotSaved(str(error)) from error

        return await asyncio.get_running_loop().run_in_executor(self._threads, metered(run))

    async def change(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Runs a function in the transaction of a commit, and returns its result.

        `work` may run more than once, if that of another write fails.

        Raises:
            Conflict: If it raises that.
            NotSaved: If it could not be stored.
        """
        results = list[T]()
        await self.submit(Write(work=lambda connection: results.append(work(connection, *args, **kwargs))))
        return results[-1]

    async def can_write(self) -> bool:
        """Checks whether the database writes within two seconds."""
        write = self.submit(Write(work=lambda _: None))
        # It may fail after the timeout, when nobody asks any more.
        write.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait({write}, timeout=_LATE_S)
        return write.done() and write.exception() is None

    def close(self) -> None:
        """Commits what is queued, and closes the database."""
        self.writer.close()
        self._threads.shutdown()
        self._reader.dispose()
