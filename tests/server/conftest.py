"""Fixtures: a server inside the test, whose workers are no processes."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import Client
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from hnefi.server.app import create_app
from hnefi.server.service import Service
from hnefi.server.settings import Settings
from hnefi.server.store.database import sqlite_url
from hnefi.server.store.store import Store
from hnefi.workers import worker
from tests.server.harness import RoomsHarness
from tests.server.local_workers import LocalWorker
from tests.server.serving import RunningServer
from tests.timeouts import timeout_s

OWN = "http://127.0.0.1:8730"


UNLIMITED = dict.fromkeys(
    (
        *("games_per_hour", "classes_per_hour", "class_games_per_hour", "class_codes_per_hour"),
        *("requests_per_minute", "reading_ms_per_second"),
    ),
    1_000_000,
)
"""Limits that no test reaches."""


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


def settings_in(folder: object, **changes: object) -> Settings:
    return Settings(folder=folder, **{**UNLIMITED, **changes})  # type: ignore[arg-type]


def client_of(folder: object, **changes: object) -> TestClient:
    """Returns a client of a server with such settings, which runs while the client is entered."""
    return TestClient(App(settings_in(folder, **changes)), base_url=OWN)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A program's client without a secret."""
    with client_of(tmp_path_factory.mktemp("data")) as client:
        yield client


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A browser's client of a server with the limits it has without further settings."""
    with browser_of(tmp_path_factory.mktemp("data")) as client:
        yield client


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server in a process of its own, which closes WebSockets soon."""
    many = {"games_per_hour": 100_000, "requests_per_minute": 1_000_000, "close_s": timeout_s() / 300}
    with RunningServer(tmp_path_factory.mktemp("data"), **many) as server:
        yield server


@pytest.fixture(scope="module")
def remote(running: RunningServer) -> Iterator[Client]:
    """A program's client of it without a secret."""
    with Client(base_url=running.address, timeout=timeout_s()) as client:
        yield client


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[TestClient]:
    """A server without the games of other tests."""
    with client_of(tmp_path) as client:
        yield client


@pytest.fixture
def harness(tmp_path: Path) -> RoomsHarness:
    """Rooms that run during the test."""
    return RoomsHarness(tmp_path)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL; `url` is a database of its own in it."""
    if sys.platform == "win32":
        pytest.skip("system: it is started as on POSIX")
    from tests.server.postgres import running_postgres

    with running_postgres() as url:
        yield url


@pytest.fixture
def url(postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database of its own for each test, whose listeners in this process end soon."""
    from tests.server.postgres import execute

    monkeypatch.setattr("hnefi.server.store.notices._POLL_S", 0.02)
    name = f"t{abs(hash(str(tmp_path)))}"
    execute(postgres, f'CREATE DATABASE "{name}"')
    return postgres.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture(
    params=[
        "sqlite",
        "postgres",
    ]
)
def any_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, on SQLite and on PostgreSQL."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "games.db")
    return str(request.getfixturevalue("url"))


@pytest.fixture
def store(any_url: str) -> Iterator[Store]:
    """A store with tables and nothing in them."""
    opened = Store(any_url).open()
    yield opened
    opened.close()


@pytest.fixture
def fresh_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has classes read anew for every request."""
    monkeypatch.setattr("hnefi.server.class_store._FRESH_S", 0.0)


@pytest.fixture(autouse=True)
def local_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has workers answer in this process, except in tests with the mark `worker_processes`."""
    if request.node.get_closest_marker("worker_processes") is None:
        monkeypatch.setattr(worker, "Worker", LocalWorker)
