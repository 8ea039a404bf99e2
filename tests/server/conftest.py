"""Fixtures: a server inside the test, whose workers are no processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from hnefi.server.app import create_app
from hnefi.server.settings import Settings
from hnefi.workers import worker
from tests.server.local_workers import LocalWorker

OWN = "http://127.0.0.1:8730"


def settings_in(folder: object, **changes: object) -> Settings:
    return Settings(folder=folder, games_per_hour=100_000, requests_per_minute=1_000_000, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A program's client without a secret."""
    app = create_app(settings_in(tmp_path_factory.mktemp("data")))
    with TestClient(app, base_url=OWN) as client:
        yield client


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL; `url` is a database of its own in it."""
    from tests.server.postgres import running_postgres

    with running_postgres() as url:
        yield url


@pytest.fixture
def url(postgres: str, tmp_path: Path) -> str:
    """A database of its own for each test."""
    import psycopg

    name = f"t{abs(hash(str(tmp_path)))}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return postgres.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture(autouse=True)
def local_workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has workers answer in this process, except in tests with the mark `worker_processes`."""
    if request.node.get_closest_marker("worker_processes") is None:
        monkeypatch.setattr(worker, "Worker", LocalWorker)
