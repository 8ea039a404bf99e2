"""The transport of the bus over Valkey or Redis: one connection that subscribes and one that publishes.

It needs the package `redis`, the extra `cluster`, which is imported when a transport is created.
"""

import asyncio
import contextlib
import logging
import math
import os
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from hnefi.errors import shorten
from hnefi.server.cluster.bus import BusError
from hnefi.server.cluster.messages import site_prefix
from hnefi.server.cluster.tasks import end_tasks

__all__ = ["PASSWORD_VARIABLE", "RedisTransport", "bus_error", "connection_pool", "redis_errors", "shown_url"]

_log = logging.getLogger(__name__)

PASSWORD_VARIABLE = "HNEFI_BUS_PASSWORD"
"""The environment variable with the password, if the URL has none."""

_RETRY_S = 0.1
_CONNECT_S, _REPLY_S, _CLOSE_S = 1.0, 2.0, 1.0
_MAX_UNSENT_BYTES = 32 * 1024 * 1024
_CHECK = "check"
"""A channel without readers: the server refuses to publish there if the user may not publish."""


def bus_error(code: str, **facts: object) -> BusError:
    """Creates the error with its facts."""
    parameters = {name: str(value) for name, value in facts.items()}
    return BusError(code, ": ".join((code, *parameters.values())), parameters)


def shown_url(url: str) -> str:
    """Returns the URL of a bus for messages and logs: without user, password and parameters.

    >>> shown_url("rediss://site:secret@bus.example:6380/0?password=secret")
    'rediss://bus.example:6380/0'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def connection_pool(url: str) -> Any:
    """Returns a pool that connects to a bus, for this transport and for streams.

    Raises:
        BusError: `missing_extra`, if the package `redis` is not installed; `bad_bus_url`.
    """
    try:
        from redis.asyncio import ConnectionPool
    except ModuleNotFoundError:
        raise bus_error("missing_extra", package="redis", extra="cluster") from None
    try:
        return ConnectionPool.from_url(
            url,
            password=os.environ.get(PASSWORD_VARIABLE),
            protocol=2,
            socket_connect_timeout=_CONNECT_S,
            socket_timeout=_REPLY_S,
            driver_info=None,
        )
    except ValueError:
        # Without the URL and the error: where the password begins and ends is not known.
        raise bus_error("bad_bus_url") from None


def _start_error(url: str, error: Exception) -> BusError:
    """Returns the error of a first connection that failed."""
    from redis.exceptions import AuthenticationError, NoPermissionError

    why = shorten(error, 200, collapses_spaces=True)
    if isinstance(error, AuthenticationError):
        return bus_error("bus_refused", url=url, why=why.rstrip("."))
    if isinstance(error, NoPermissionError):
        return bus_error("bus_forbidden", url=url, why=why.rstrip("."))
    return bus_error("bus_unreachable", url=url, why=why)


def redis_errors() -> tuple[type[Exception], ...]:
    """Returns what calls of the package `redis` raise when the bus is away or refuses."""
    from redis.exceptions import RedisError

    # uvloop raises RuntimeError when a closed connection is written to.
    return (RedisError, OSError, RuntimeError)


class RedisTransport:
    """Publishes without waiting for replies, and subscribes; connects again by itself."""

    def __init__(self, url: str, site: str) -> None:
        """Creates a transport that is not connected.

        Args:
            url: The URL of the server: `redis://`, or `rediss://` for TLS.
            site: The name of the site, which the database keeps; part of the names of all channels.

        Raises:
            BusError: `missing_extra`, `bad_bus_url`.
        """
        self._pool = connection_pool(url)
        self._url = shown_url(url)
        self._errors = redis_errors()
        self._prefix = site_prefix(site)
        self._channels: dict[bytes, str] = {}
        self._on_data: Callable[[str, bytes], None] = lambda _channel, _data: None
        self._on_reconnected: Callable[[], None] = lambda: None
        self._subscriber: Any = None
        self._publisher: Any = None
        self._out: asyncio.StreamWriter | None = None
        self._task: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None

    async def start(
        self,
        channels: Sequence[str],
        on_data: Callable[[str, bytes], None],
        on_reconnected: Callable[[], None],
    ) -> None:
        """Connects and subscribes; from then on it connects again by itself.

        Raises:
            BusError: `bus_refused`, if the server refuses user or password; `bus_forbidden`, if the user may
                not use a channel or command; `bus_unreachable`.
        """
        self._channels = {f"{self._prefix}{channel}".encode(): channel for channel in channels}
        self._on_data, self._on_reconnected = on_data, on_reconnected
        try:
            await self._connect()
        except self._errors as error:
            await self._drop()
            raise _start_error(self._url, error) from error
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Disconnects, after what was published is sent, if that takes no more than a second."""
        if self._task is not None:
            await end_tasks([self._task])
            self._task = None
        if self._out is not None:
            self._out.close()
            with contextlib.suppress(TimeoutError, *self._errors):
                await asyncio.wait_for(self._out.wait_closed(), _CLOSE_S)
        await self._drop()

    def publish(self, batch: Sequence[tuple[str, bytes]]) -> bool:
        """Publishes to channels in order; returns False without a connection, or if too much is unsent."""
        out = self._out
        if out is None or out.transport.is_closing():
            return False
        if out.transport.get_write_buffer_size() > _MAX_UNSENT_BYTES:
            return False
        commands = [("PUBLISH", f"{self._prefix}{channel}", data) for channel, data in batch]
        try:
            out.writelines(self._publisher.pack_commands(commands))
        except self._errors:
            return False
        return True

    def reconnect(self) -> None:
        """Drops the connections. While it is connecting, it does nothing."""
        for connection in (self._publisher, self._subscriber):
            _abort(connection)

    async def _run(self) -> None:
        """Reads messages forever, and connects again after each loss."""
        is_lost = False
        while True:
            try:
                if self._out is None:
                    await self._connect()
                    is_lost = False
                    _log.info("connected to the bus %s again", self._url)
                    self._on_reconnected()
                await self._read()
            except Exception as error:  # whatever the server sends, the next connection may work
                if not is_lost:
                    is_lost = True
                    _log.warning("the connection to the bus %s is lost: %s", self._url, shorten(error, 200))
            await self._drop()
            await asyncio.sleep(_RETRY_S)

    async def _connect(self) -> None:
        """Opens both connections. The server answers until it is told not to, so that refusals show."""
        self._subscriber = self._pool.make_connection()
        await self._subscriber.connect()
        await self._subscriber.send_command("SUBSCRIBE", *self._channels, check_health=False)
        for _ in self._channels:
            await self._subscriber.read_response()
        self._publisher = self._pool.make_connection()
        await self._publisher.connect()
        await self._publisher.send_command("PUBLISH", f"{self._prefix}{_CHECK}", b"", check_health=False)
        await self._publisher.read_response()
        # To wait for the replies to PUBLISH would take a quarter of the processor time of all processes.
        await self._publisher.send_command("CLIENT", "REPLY", "OFF", check_health=False)
        # Written to directly: the package would wait whenever the server reads slowly.
        self._out = self._publisher._writer
        self._watching = asyncio.get_running_loop().create_task(self._watch(self._publisher))

    async def _watch(self, publisher: Any) -> None:
        """Notices the end of the connection that publishes: nothing is read from it before."""
        with contextlib.suppress(*self._errors):
            await publisher.read_response(timeout=math.inf)
        _abort(self._subscriber)

    async def _read(self) -> None:
        """Passes messages on until the connection is lost."""
        read, channels = self._subscriber.read_response, self._channels
        while True:
            kind, channel, data = await read(timeout=math.inf)
            if kind == b"message":
                self._on_data(channels[channel], data)

    async def _drop(self) -> None:
        """Closes both connections at once."""
        if self._watching is not None:
            await end_tasks([self._watching])
            self._watching = None
        connections = (self._subscriber, self._publisher)
        self._subscriber = self._publisher = self._out = None
        for connection in connections:
            if connection is not None:
                _abort(connection)
                with contextlib.suppress(*self._errors):
                    await connection.disconnect(nowait=True)


def _abort(connection: Any) -> None:
    """Closes a connection without waiting until what was written is sent."""
    writer = None if connection is None else connection._writer
    if writer is not None:
        writer.transport.abort()
