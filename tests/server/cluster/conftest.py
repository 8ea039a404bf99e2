"""Fixtures: a temporary PostgreSQL, a database of its own for each test, and engines without processes."""

import itertools
import sys
from collections.abc import Iterator

import psycopg
import pytest

from hnefi.server.cluster import engine_worker, jobs
from tests.server.cluster.game_workers import DatabaseClock
from tests.server.fake_engine import fake_processes
from tests.server.postgres import running_postgres
from tests.timeouts import TIMEOUT_S

_numbers = itertools.count()


@pytest.fixture(scope="package")
def postgres() -> Iterator[str]:
    """A running PostgreSQL, by its URL."""
    if sys.platform == "win32":
        pytest.skip("it is started as on POSIX")
    with running_postgres() as url:
        yield url


@pytest.fixture
def database_url(postgres: str) -> str:
    """The URL of an empty database."""
    name = f"t{next(_numbers)}"
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return postgres.rsplit("/", 1)[0] + f"/{name}"


@pytest.fixture
def clock(database_url: str) -> Iterator[DatabaseClock]:
    """The clock of that database."""
    made = DatabaseClock(database_url)
    yield made
    made.close()


@pytest.fixture
def fake_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that end on demand; engine workers and job streams announce, keep and check on demand."""
    fake_processes(monkeypatch)
    # The clock of the streams is that of the test: an engine worker always looks for jobs of dead ones.
    monkeypatch.setattr(engine_worker, "_LOOK_S", 0.0)
    monkeypatch.setattr(engine_worker, "_BEAT_S", 10.0 * TIMEOUT_S)
    monkeypatch.setattr(jobs, "_CHECK_S", 10.0 * TIMEOUT_S)
