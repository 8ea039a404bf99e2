"""Runs a game worker or an engine worker: a process of a site that serves no pages."""

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import Callable

from hnefi.server.logs import configure_logs
from hnefi.server.metrics import Metrics
from hnefi.server.settings import Settings
from hnefi.server.starting import StartStopped, start_error

__all__ = ["run_worker"]

_log = logging.getLogger(__name__)


def run_worker(settings: Settings, on_ready: Callable[[], None]) -> None:
    """Runs a worker until it is stopped.

    Args:
        settings: The settings, with `bus` and the role `games` or `engine`.
        on_ready: Called once it works.

    Raises:
        HnefiError: If it cannot start: `server_not_started` with the reason, `bus_unreachable` …
    """
    configure_logs(settings.log_level, as_json=settings.log_format == "json")
    if sys.platform == "win32":
        asyncio.run(_run(settings, on_ready))
    else:
        import uvloop

        uvloop.run(_run(settings, on_ready))


async def _run(settings: Settings, on_ready: Callable[[], None]) -> None:
    from hnefi.server.cluster.process import ClusterProcess

    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    metrics, is_ready = Metrics(), False
    metrics.read({"hnefi_ready": lambda: is_ready})
    if settings.metrics_port is not None:
        metrics.serve(settings.metrics_port)
    process = ClusterProcess(settings, metrics.committed)

    def on_signal() -> None:
        stop.set()
        process.stop_starting()

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows
            loop.add_signal_handler(number, on_signal)
    try:
        await process.start()
    except StartStopped:
        return
    except Exception as error:
        raise start_error(error, settings) from error
    metrics.read(process.readings)
    is_ready = True
    on_ready()
    await stop.wait()
    is_ready = False
    _log.info("stopping")
    await process.stop()
    await asyncio.to_thread(process.store.close)
