"""The process of `hnefi serve --role engine`: an engine worker, without HTTP and without games.

It reads the name of the site from the database once, and from then on needs only the bus.
"""

import asyncio
import logging
import secrets
import signal
import sys
from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.exc import OperationalError, ProgrammingError

from hnefi.server.cluster.bus import Bus
from hnefi.server.cluster.engine_worker import EngineWorker
from hnefi.server.cluster.messages import AnyMessage
from hnefi.server.cluster.redis_bus import RedisTransport
from hnefi.server.cluster.redis_stream import RedisStream
from hnefi.server.logs import configure_logs
from hnefi.server.settings import Settings
from hnefi.server.store import database, schema

__all__ = ["run_engine_worker"]

_log = logging.getLogger(__name__)

_RETRY_S = 1.0
_ADDRESS_BYTES = 9


def run_engine_worker(settings: Settings, *, on_ready: Callable[[], None] | None = None) -> None:
    """Runs an engine worker until SIGTERM or SIGINT; its jobs are then carried out by others.

    Args:
        settings: Its settings, with a bus.
        on_ready: Called once it takes jobs.

    Raises:
        BusError: `missing_extra`, `bad_bus_url`, `bus_unreachable`.
    """
    configure_logs(settings.log_level, as_json=settings.log_format == "json")
    work = _run(settings, on_ready)
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop

        uvloop.run(work)


async def _run(settings: Settings, on_ready: Callable[[], None] | None) -> None:
    """Takes jobs until a signal; further signals change nothing."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    if sys.platform != "win32":
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
    working, stopping = loop.create_task(_work(settings, on_ready)), loop.create_task(stop.wait())
    await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    for task in (working, stopping):
        task.cancel()
    await asyncio.wait((working,))
    if not working.cancelled():
        working.result()


async def _work(settings: Settings, on_ready: Callable[[], None] | None) -> None:
    """Takes jobs until it is cancelled."""
    assert settings.bus is not None
    site = await _site_name(settings.url)
    address = f"e:{secrets.token_urlsafe(_ADDRESS_BYTES)}"
    stream = RedisStream(settings.bus, site)
    bus = Bus(RedisTransport(settings.bus, site), address)
    worker = EngineWorker(stream, bus.send, address, settings.engine_workers, settings.engine_worker_mib)

    def receive(sender: str, message: AnyMessage, _text: str | None) -> None:
        worker.receive(sender, message)

    try:
        await bus.start((), receive)
        await worker.start()
        _log.info("engine worker %s takes jobs, %s at the same time", address, settings.engine_workers)
        if on_ready is not None:
            on_ready()
        await worker.wait()
    finally:
        await worker.stop()
        await bus.stop()
        await stream.close()
        _log.info("engine worker %s has ended", address)


async def _site_name(url: str) -> str:
    """Returns the name of the site, once a game worker has created the database."""
    is_logged = False
    while True:
        try:
            return await asyncio.to_thread(_read_site_name, url)
        except (OperationalError, ProgrammingError) as error:
            if not is_logged:
                is_logged = True
                _log.warning("waiting for the database: %s", str(error.orig).strip().partition("\n")[0])
            await asyncio.sleep(_RETRY_S)


def _read_site_name(url: str) -> str:
    engine = database.open_reader(url, 1)
    try:
        with engine.connect() as connection:
            return str(connection.execute(select(schema.site.c.name)).scalar_one())
    finally:
        engine.dispose()
