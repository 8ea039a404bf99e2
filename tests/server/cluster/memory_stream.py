"""Streams of jobs inside the process: tests kill and restart their server, and advance its clock."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from hnefi.server.cluster.streams import Entry, EntryId, StreamError
from hnefi.workers.searches import SearchKind

__all__ = ["MemoryStream"]

_WAIT_S = 0.01


@dataclass
class _Row:
    job: bytes
    added_s: float
    consumer: str | None = None
    kept_s: float = 0.0


class MemoryStream:
    """Streams that every process of a test shares.

    Attributes:
        now_s: The clock of the server.
        most: The highest number of jobs that were in the streams at the same time.
        added: How often a job was added.
    """

    def __init__(self) -> None:
        self.now_s = 0.0
        self.most = self.added = 0
        self._is_running = True
        self._number = 0
        self._rows: dict[EntryId, _Row] = {}
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def waiting(self) -> int:
        """How many jobs nobody has taken."""
        return sum(1 for row in self._rows.values() if row.consumer is None)

    def idle_ms(self, entry: EntryId) -> float:
        """Returns how long nobody has kept a job that was taken."""
        return (self.now_s - self._rows[entry].kept_s) * 1000

    def kill(self) -> None:
        """Ends the server, which keeps nothing."""
        self._is_running = False
        self._rows.clear()
        self._wake()

    def restart(self) -> None:
        """Starts the server again."""
        self._is_running = True
        self._wake()

    def lose_all(self) -> None:
        """Loses all jobs, as by a quick restart."""
        self._rows.clear()

    async def add(self, kind: SearchKind, job: bytes) -> EntryId:
        self._check()
        self._number += 1
        self.added += 1
        entry = EntryId(kind, str(self._number))
        self._rows[entry] = _Row(job, self.now_s)
        self.most = max(self.most, len(self._rows))
        self._wake()
        return entry

    async def remove(self, entry: EntryId) -> None:
        self._check()
        self._rows.pop(entry, None)

    async def missing(self, entries: Sequence[EntryId]) -> set[EntryId]:
        self._check()
        return set(entries) - self._rows.keys()

    async def take(self, consumer: str, wait_s: float) -> list[Entry]:
        for _ in range(2):
            self._check()
            waiting = [(entry, row) for entry, row in self._rows.items() if row.consumer is None]
            if waiting:
                entry, row = min(waiting, key=lambda one: one[0].kind)
                return [self._assign(entry, row, consumer)]
            # `wait_for` of Python 3.11 loses a cancellation that comes together with the event.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(wait_s, _WAIT_S)):
                    await self._changed.wait()
        return []

    async def take_over(self, consumer: str, idle_s: float) -> list[Entry]:
        self._check()
        for entry, row in self._rows.items():
            if row.consumer is not None and self.now_s - row.kept_s >= idle_s:
                return [self._assign(entry, row, consumer)]
        return []

    async def keep(self, consumer: str, entries: Sequence[EntryId]) -> None:
        self._check()
        for entry in entries:
            if (row := self._rows.get(entry)) is not None:
                row.consumer, row.kept_s = consumer, self.now_s

    async def finish(self, entry: EntryId) -> None:
        await self.remove(entry)

    async def close(self) -> None:
        """Does nothing."""

    def _assign(self, entry: EntryId, row: _Row, consumer: str) -> Entry:
        row.consumer, row.kept_s = consumer, self.now_s
        return Entry(entry, row.job, (self.now_s - row.added_s) * 1000)

    def _check(self) -> None:
        if not self._is_running:
            raise StreamError("the server does not run")

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
