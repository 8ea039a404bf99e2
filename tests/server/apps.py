"""The application in the process of a test, which starts and stops with its client."""

from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from hnefi.server.app import create_app
from hnefi.server.service import Service
from hnefi.server.settings import Settings


class App:
    """An application for a `TestClient`, which starts it. A server starts its service before it listens."""

    def __init__(self, settings: Settings) -> None:
        self._app = create_app(settings)
        self.state, self.routes = self._app.state, self._app.routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return
        service: Service = self.state.service
        await receive()
        await service.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await service.stop()
        await send({"type": "lifespan.shutdown.complete"})


def browser_of(folder: Path, **settings: Any) -> TestClient:
    """Returns a browser's client of a server with the limits it has without further settings."""
    app = App(Settings(folder=folder, hosts=("testserver",), **settings))
    return TestClient(app, follow_redirects=False)
