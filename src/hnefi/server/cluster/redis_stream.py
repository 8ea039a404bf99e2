"""Streams of jobs in Valkey or Redis."""

import contextlib
import logging
import time
from collections.abc import Iterator, Sequence
from typing import Any

from hnefi.server.cluster.messages import site_prefix
from hnefi.server.cluster.redis_bus import connection_pool, redis_errors
from hnefi.server.cluster.streams import Entry, EntryId, StreamError
from hnefi.workers.searches import SearchKind

__all__ = ["RedisStream"]

_log = logging.getLogger(__name__)

_GROUP = "engines"
_FIELD = "job"
_MAX_LENGTH = 10_000
_NAMES = {SearchKind.OPPONENT: "jobs:play", SearchKind.ANALYSIS: "jobs:analysis"}


class RedisStream:
    """Streams with a consumer group, created when they are first used, also after a restart of the server."""

    def __init__(self, url: str, site: str) -> None:
        """Creates the object; connections are opened when they are needed.

        Args:
            url: The URL of the server.
            site: The name of the site, which the database keeps; part of the names of the streams.

        Raises:
            BusError: `missing_extra`, `bad_bus_url`.
        """
        pool = connection_pool(url)
        from redis.asyncio import Redis

        self._redis: Any = Redis(connection_pool=pool)
        self._errors = redis_errors()
        self._keys = {kind: f"{site_prefix(site)}{name}" for kind, name in _NAMES.items()}
        self._kinds = {key.encode(): kind for kind, key in self._keys.items()}
        self._ahead_ms: float | None = None
        """The clock of the server less the monotonic one of this process."""
        self._is_forbidden = False

    async def add(self, kind: SearchKind, job: bytes) -> EntryId:
        """Adds a job."""
        with self._translated():
            entry = await self._redis.xadd(
                self._keys[kind], {_FIELD: job}, maxlen=_MAX_LENGTH, approximate=True
            )
        return EntryId(kind, entry.decode())

    async def remove(self, entry: EntryId) -> None:
        """Removes a job, whether it was taken or not."""
        with self._translated():
            await self._redis.xdel(self._keys[entry.kind], entry.text)

    async def missing(self, entries: Sequence[EntryId]) -> set[EntryId]:
        """Returns those jobs that were finished or removed, or got lost with the server."""
        with self._translated():
            pipeline = self._redis.pipeline(transaction=False)
            for entry in entries:
                pipeline.xrange(self._keys[entry.kind], entry.text, entry.text)
            found = await pipeline.execute()
        return {entry for entry, rows in zip(entries, found, strict=True) if not rows}

    async def take(self, consumer: str, wait_s: float) -> list[Entry]:
        """Waits for the next job; those for opponents come first. Rarely there are two, one of each kind."""
        with self._translated():
            await self._read_clock()
            for key in self._keys.values():
                if entries := await self._read(consumer, {key: ">"}, None):
                    return entries
            return await self._read(consumer, dict.fromkeys(self._keys.values(), ">"), int(wait_s * 1000))

    async def take_over(self, consumer: str, idle_s: float) -> list[Entry]:
        """Takes a job that another consumer took, and has not kept for this time."""
        with self._translated():
            await self._read_clock()
            for kind, key in self._keys.items():
                _, rows, *_ = await self._redis.xautoclaim(
                    key, _GROUP, consumer, int(idle_s * 1000), "0-0", count=1
                )
                if rows:
                    return self._entries(kind, rows)
        return []

    async def keep(self, consumer: str, entries: Sequence[EntryId]) -> None:
        """Shows that a consumer still carries out these jobs."""
        with self._translated():
            await self._read_clock(is_new=True)
            for kind, key in self._keys.items():
                if texts := [entry.text for entry in entries if entry.kind is kind]:
                    await self._redis.xclaim(key, _GROUP, consumer, 0, texts, justid=True)

    async def finish(self, entry: EntryId) -> None:
        """Acknowledges and removes a job."""
        with self._translated():
            pipeline = self._redis.pipeline(transaction=False)
            pipeline.xack(self._keys[entry.kind], _GROUP, entry.text)
            pipeline.xdel(self._keys[entry.kind], entry.text)
            await pipeline.execute()

    async def close(self) -> None:
        """Closes the connections."""
        with contextlib.suppress(*self._errors):
            await self._redis.aclose(close_connection_pool=True)

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        """Raises a `StreamError` for every error of the server or the connection.

        A missing right is logged the first time: somebody has to grant it.
        """
        from redis.exceptions import NoPermissionError

        try:
            yield
        except self._errors as error:
            if isinstance(error, NoPermissionError) and not self._is_forbidden:
                self._is_forbidden = True
                _log.error("the bus does not permit searches: %s", error)
            raise StreamError(f"{type(error).__name__}: {error}") from error

    async def _read(self, consumer: str, streams: dict[str, str], block_ms: int | None) -> list[Entry]:
        from redis.exceptions import ResponseError

        try:
            found = await self._redis.xreadgroup(_GROUP, consumer, streams, count=1, block=block_ms)
        except ResponseError as error:
            if not str(error).startswith("NOGROUP"):
                raise
            await self._create_groups()
            found = await self._redis.xreadgroup(_GROUP, consumer, streams, count=1, block=block_ms)
        return [entry for key, rows in found or () for entry in self._entries(self._kinds[key], rows)]

    async def _create_groups(self) -> None:
        """Creates the groups, which read from the beginning: jobs may be there already."""
        from redis.exceptions import ResponseError

        for key in self._keys.values():
            try:
                await self._redis.xgroup_create(key, _GROUP, id="0", mkstream=True)
            except ResponseError as error:
                if not str(error).startswith("BUSYGROUP"):
                    raise

    async def _read_clock(self, *, is_new: bool = False) -> None:
        """Reads the clock of the server, if that was not done before or is to be done anew."""
        if is_new or self._ahead_ms is None:
            seconds, microseconds = await self._redis.time()
            self._ahead_ms = seconds * 1000 + microseconds / 1000 - time.monotonic() * 1000

    def _entries(self, kind: SearchKind, rows: Sequence[Any]) -> list[Entry]:
        assert self._ahead_ms is not None
        now_ms = time.monotonic() * 1000 + self._ahead_ms
        entries = []
        for number, fields in rows:
            text = number.decode()
            # The server gives later ids than its clock when that was set back.
            age_ms = max(now_ms - int(text.partition("-")[0]), 0.0)
            entries.append(Entry(EntryId(kind, text), (fields or {}).get(_FIELD.encode(), b""), age_ms))
        return entries
