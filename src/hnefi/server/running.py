"""Runs the server under uvicorn, and announces its end to clients."""

import contextlib
import logging
import socket
from collections.abc import Callable

import uvicorn
from sqlalchemy.engine import make_url
from starlette.types import Message, Scope

from hnefi.errors import HnefiError, shorten
from hnefi.server.app import create_app
from hnefi.server.logs import configure_logs
from hnefi.server.service import Service, tune_collector
from hnefi.server.settings import Settings
from hnefi.server.sockets.connections import MAX_FRAME
from hnefi.server.sockets.socket import Socket
from hnefi.server.store.lock import StoreError, store_error

__all__ = ["listen", "run_server"]

_SHUTDOWN_S = 5
_BACKLOG = 4_096


class _Server(uvicorn.Server):
    """A uvicorn server that announces its end on every connection before closing it."""

    def __init__(self, config: uvicorn.Config, service: Service, on_ready: Callable[[], None] | None) -> None:
        super().__init__(config)
        self._service = service
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            logging.getLogger("uvicorn.error").setLevel(logging.WARNING)
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
        await self.config.loaded_app(scope, nothing, nothing)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._service.announce_end()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """Opens the port. Browsers can connect from then on; they are answered when the server runs.

    Raises:
        OSError: If the port is in use or not permitted.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family, backlog=_BACKLOG)


def run_server(
    settings: Settings,
    listening: socket.socket | None = None,
    *,
    trusted_proxies: str = "",
    on_ready: Callable[[], None] | None = None,
) -> None:
    """Runs the server until it is stopped.

    Args:
        settings: Its settings.
        listening: The socket it listens on, if it is open already.
        trusted_proxies: The addresses of proxies whose `X-Forwarded` headers are trusted.
        on_ready: Called once it answers.

    Raises:
        HnefiError: If it cannot start: `database_in_use`, or `server_not_started` with the reason.
    """
    configure_logs()
    app = create_app(settings)
    sock = listening or listen(settings.host, settings.port)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws=Socket,
        ws_max_size=MAX_FRAME,
        timeout_graceful_shutdown=_SHUTDOWN_S,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=trusted_proxies,
        server_header=False,
    )
    server = _Server(config, app.state.service, on_ready)
    # Errors at the start are raised, and need no log.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    with contextlib.suppress(
        KeyboardInterrupt, SystemExit
    ):  # Ctrl-C; and a failed start, which is raised below
        server.run(sockets=[sock])
    if (failure := app.state.service.failure) is not None:
        raise failure if isinstance(failure, HnefiError) else _not_started(failure, settings) from failure


def _not_started(failure: Exception, settings: Settings) -> StoreError:
    why = getattr(failure, "orig", None) or failure
    path = make_url(settings.url).render_as_string()
    return store_error("server_not_started", path=path, why=shorten(why, 200))
