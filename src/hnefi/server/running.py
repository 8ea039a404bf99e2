"""Runs the server under uvicorn, and announces its end to clients."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial

import uvicorn
from fastapi import FastAPI
from sqlalchemy.exc import ArgumentError
from starlette.types import Message, Scope
from uvicorn.server import HANDLED_SIGNALS

from hnefi.errors import HnefiError, shorten
from hnefi.server.app import create_app
from hnefi.server.http.monitoring import TrustedProxies
from hnefi.server.http.protocol import MAX_CONNECTIONS, ConnectionCounts, HttpProtocol
from hnefi.server.logs import configure_logs
from hnefi.server.metrics import Metrics
from hnefi.server.process import Process
from hnefi.server.service import Service, tune_collector
from hnefi.server.settings import Settings
from hnefi.server.sockets.connections import MAX_FRAME
from hnefi.server.sockets.socket import Socket
from hnefi.server.store.checks import refusal_of_system
from hnefi.server.store.database import sqlite_file
from hnefi.server.store.lock import StoreError, shown
from hnefi.server.store.rows import NotSaved
from hnefi.workers.collector import without_collector

_log = logging.getLogger(__name__)

_GRACE_S = 3.0
"""How long running requests may go on when the server stops."""

_SWITCH_S = 0.0005
"""For how long a thread that computes may keep others from running. A move changes threads several times, and
with the 5 ms of Python it was a tenth of a second late while the first description of the API was made."""

_CANCEL_S = 1.0
_POLL_S = 0.02
_BACKLOG = 4_096
_LONGEST_REASON = 300


@contextlib.contextmanager
def _stop_on_signals() -> Iterator[asyncio.Event]:
    """Sets the event at SIGINT and SIGTERM within the block, also while the server starts."""
    stop = asyncio.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in HANDLED_SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Server(uvicorn.Server):
    """A uvicorn server that announces its end on every connection before closing it."""

    def __init__(
        self,
        config: uvicorn.Config,
        service: Service,
        stop: asyncio.Event,
        on_ready: Callable[[], None] | None,
    ) -> None:
        super().__init__(config)
        self._service = service
        self._stop = stop
        self._on_ready = on_ready

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to `run_server`: uvicorn would raise them again at the end."""
        yield

    async def on_tick(self, counter: int) -> bool:
        return self._stop.is_set() or await super().on_tick(counter)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await self._service.start()
        except Exception as error:
            raise _start_error(error, self._service.settings) from error
        await super().startup(sockets)
        if not self._stop.is_set():
            # Its warnings are about requests that clients get wrong: those are counted, and may be many.
            logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
            await self._warm_up()
            tune_collector()
            self._service.watch()
            if self._on_ready is not None:
                self._on_ready()

    async def _warm_up(self) -> None:
        """Sends itself a request: the first one takes some 50 ms longer than all others."""
        scope: Scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/health",
            "query_string": b"",
            "scheme": "http",
            "headers": [(b"host", b"localhost")],
        }

        async def nothing(*_: object) -> Message:
            return {"type": "http.disconnect"}

        assert self.config.loaded_app is not None
        # In a task of its own: the id of the request would stand in the logs of this one.
        await asyncio.gather(self.config.loaded_app(scope, nothing, nothing))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stops listening, closes all connections, and stops the service when no request runs any more."""
        _log.info("stopping")
        for server in self.servers:
            server.close()
        for sock in sockets or ():
            sock.close()
        await self._service.announce_end()
        if not await self._requests_end(_GRACE_S):
            await self._abort_requests()
        await self._service.stop()

    async def _requests_end(self, timeout_s: float) -> bool:
        """Closes idle connections, and waits for requests; returns whether all have ended in time."""
        state, loop = self.server_state, asyncio.get_running_loop()
        end = loop.time() + timeout_s
        while state.connections or state.tasks:
            if loop.time() >= end:
                return False
            # Every time, since connections that were accepted before may be registered only now.
            for connection in list(state.connections):
                connection.shutdown()
            await asyncio.sleep(_POLL_S)
        return True

    async def _abort_requests(self) -> None:
        """Aborts the connections that are left, and cancels their requests."""
        state = self.server_state
        _log.info("aborting %d connections", len(state.connections))
        for connection in list(state.connections):
            connection.transport.abort()
        # Streams end by themselves when their client is gone. Everything else is cancelled.
        await asyncio.sleep(_POLL_S)
        if tasks := list(state.tasks):
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=_CANCEL_S)


def listen(host: str, port: int) -> socket.socket:
    """Opens the port. Browsers can connect from then on; they are answered when the server runs.

    Raises:
        OSError: If the port is in use or not permitted.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_BACKLOG)


def run_server(
    settings: Settings, listening: socket.socket | None = None, *, on_ready: Callable[[], None] | None = None
) -> None:
    """Runs the server until it is stopped.

    It listens on a socket of its own, unless one is open already. `on_ready` is called once it answers.

    Raises:
        HnefiError: If it cannot start: `database_in_use`, or `server_not_started` with the reason.
    """
    configure_logs(settings.log_level, as_json=settings.log_format == "json")
    sys.setswitchinterval(_SWITCH_S)
    # `tune_collector` enables it when the server is ready.
    with without_collector(), _stop_on_signals() as stop:
        app = create_app(settings)
        sock = listening or listen(settings.host, settings.port)
        server = _Server(_config(app, settings), app.state.service, stop, on_ready)
        server.run(sockets=[sock])


def run_engines(settings: Settings, on_ready: Callable[[], None]) -> None:
    """Runs a process without pages, which chooses moves of the computer for others, until it is stopped.

    The settings have a PostgreSQL that the others use. `on_ready` is called once it works.

    Raises:
        HnefiError: If it cannot start: `server_not_started` with the reason.
    """
    configure_logs(settings.log_level, as_json=settings.log_format == "json")
    with _stop_on_signals() as stop:
        asyncio.run(_work(settings, stop, on_ready))


async def _work(settings: Settings, stop: asyncio.Event, on_ready: Callable[[], None]) -> None:
    metrics, is_ready = Metrics(), False
    metrics.read({"hnefi_ready": lambda: is_ready})
    if settings.metrics_port is not None:
        metrics.serve(settings.metrics_port)
    process = Process(settings, metrics.committed)
    try:
        await process.start()
    except Exception as error:
        raise _start_error(error, settings) from error
    metrics.read(process.readings)
    is_ready = True
    on_ready()
    while not stop.is_set():
        await asyncio.sleep(_POLL_S)
    is_ready = False
    _log.info("stopping")
    await process.stop()
    await asyncio.to_thread(process.store.close)


def _config(app: FastAPI, settings: Settings) -> uvicorn.Config:
    # A WebSocket begins as an HTTP connection.
    count_refusal = app.state.service.metrics.refused
    proxied = TrustedProxies(app, settings.proxy.strip())  # type: ignore[arg-type]
    counts = ConnectionCounts(
        MAX_CONNECTIONS + settings.sockets_per_address, proxied.trusted_hosts.__contains__
    )
    return uvicorn.Config(
        proxied,
        log_config=None,
        access_log=False,
        http=partial(HttpProtocol, counts=counts, count_refusal=count_refusal),  # type: ignore[arg-type]
        ws=Socket,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        proxy_headers=False,
        server_header=False,
        lifespan="off",
    )


def _start_error(failure: Exception, settings: Settings) -> HnefiError:
    """Returns the error of a start that failed: `server_not_started` with the reason if it has no code."""
    if isinstance(failure, HnefiError):
        return failure
    cause = failure.__cause__ if isinstance(failure, NotSaved) else None
    error = cause or failure
    # The error of the driver has neither the statement nor the link that SQLAlchemy adds.
    why = getattr(error, "orig", None) or error
    if isinstance(why, OSError) and why.filename and why.errno:
        return StoreError.of_facts("cannot_write", path=why.filename, why=os.strerror(why.errno))
    if refused := refusal_of_system(error, sqlite_file(settings.url)):
        return refused
    return StoreError.of_facts(
        "server_not_started",
        path=_shown_database(settings),
        why=shorten(why, _LONGEST_REASON, collapses_spaces=True),
    )


def _shown_database(settings: Settings) -> str:
    """Returns the URL of the database without its password."""
    try:
        return shown(settings.url)
    except (ArgumentError, ValueError):
        return "--database"
