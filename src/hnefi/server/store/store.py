"""The store of games: one thread writes, a few others read."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from hnefi.server.store import database
from hnefi.server.store.checks import find_damage, is_checked_at_start
from hnefi.server.store.lock import StoreError
from hnefi.server.store.reading import StoreReader
from hnefi.server.store.rows import LeaseLost, Write
from hnefi.server.store.writer import WriteCounts, Writer

if TYPE_CHECKING:
    from hnefi.server.store.lease import Lease

__all__ = ["Store"]

_LATE_S = 2.0


class Store(StoreReader):
    """Games in a database."""

    def __init__(
        self,
        url: str,
        *,
        observe: Callable[[int, float], None] | None = None,
        lease: "Lease | None" = None,
    ) -> None:
        """Opens the database, creating or migrating it if necessary.

        Args:
            url: `sqlite:///…` or `postgresql://…`.
            observe: Called after every commit, as by `Writer`.
            lease: The lease of this game worker, if there are several processes. Every commit checks it, and
                the heartbeat renews it.

        Raises:
            SQLAlchemyError: If it cannot be opened.
            StoreError: If it must not be used; see `Writer`.
        """
        self._file = database.sqlite_file(url)
        # A file that is created now, or was checked before it was opened, has no damage.
        self.is_checked = is_checked_at_start(self._file)
        self._lease = lease
        self._writer = Writer(url, observe=observe, lease=lease)
        super().__init__(url)

    @property
    def counts(self) -> WriteCounts:
        """What was written since the start."""
        return self._writer.counts

    @property
    def queued_writes(self) -> int:
        """How many writes wait for the next commit."""
        return self._writer.queued

    def write(self, write: Write) -> "asyncio.Future[None]":
        """Queues a write; see `Writer.submit`.

        With a lease, the future of a write to a game of another game worker has `LeaseLost`.
        """
        if self._lease is not None and self._lease.refuses(write):
            return _refuse(write)
        return self._writer.submit(write)

    async def can_write(self, now_us: int) -> bool:
        """Checks whether the database writes within two seconds.

        Args:
            now_us: The time, which is written as a heartbeat.
        """
        write = self.write(Write(heartbeat_us=now_us))
        # It may fail after the timeout, when nobody asks any more.
        write.add_done_callback(lambda done: done.cancelled() or done.exception())
        await asyncio.wait({write}, timeout=_LATE_S)
        return write.done() and write.exception() is None

    async def find_damage(self) -> StoreError | None:
        """Searches a large SQLite file for damaged pages; None if there are none.

        That may take minutes. The thread does not keep the process from ending.
        """
        if self._file is None:
            return None
        found: Future[StoreError | None] = Future()
        found.set_running_or_notify_cancel()
        arguments = (self._file, found)
        threading.Thread(target=_search, args=arguments, name="hnefi-check", daemon=True).start()
        return await asyncio.wrap_future(found)

    def close(self) -> None:
        """Commits what is queued, and closes the database."""
        self._writer.close()
        super().close()


def _refuse(write: Write) -> "asyncio.Future[None]":
    refused: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    refused.set_exception(LeaseLost(f"another worker owns the slot of {write.game}"))
    return refused


def _search(file: Path, found: "Future[StoreError | None]") -> None:
    try:
        found.set_result(find_damage(file))
    except OSError as error:
        found.set_exception(error)
