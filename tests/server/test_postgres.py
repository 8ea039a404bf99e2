"""The store on a real PostgreSQL: the same guarantees as on SQLite."""

import asyncio
import sys
from pathlib import Path

import psycopg
import pytest
from programs import find_program

from hnefi.server.backup import back_up
from hnefi.server.store import database, lock
from hnefi.server.store.lock import StoreError
from hnefi.server.store.rows import NotSaved
from hnefi.server.store.store import Store
from hnefi.server.verification import verify
from tests.codes import has_code
from tests.server.kills import new_client_game, play_until_killed
from tests.server.postgres import execute, running_pgbouncer
from tests.server.serving import RunningServer
from tests.server.test_store import end_connections, moved, new

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is started as on POSIX")


async def test_a_server_that_lost_its_connection_and_lock_to_another_one_writes_nothing(url: str) -> None:
    store = Store(url).open()
    await new(store, "a")
    end_connections(url)
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(f"SELECT pg_advisory_lock({lock._ADVISORY})")
        for _ in range(4):
            with pytest.raises(NotSaved):
                await moved(store, "a", 2)
        other.execute(f"SELECT pg_advisory_unlock({lock._ADVISORY})")
        await moved(store, "a", 2)
    store.close()


def test_tables_are_changed_only_while_no_process_of_another_version_runs(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(url).open()
    # Of the same version there may be several.
    Store(url.replace("127.0.0.1", "localhost")).open().close()
    with pytest.raises(StoreError, check=has_code("backup_by_postgres")):
        back_up(url, Path("nowhere"))
    monkeypatch.setattr(lock, "_HANDOVER_S", 0.3)
    monkeypatch.setattr(database, "is_older", lambda _: True)
    with pytest.raises(StoreError, check=has_code("database_in_use")):
        Store(url).open()
    store.close()


@pytest.mark.parametrize(
    ("found", "set_to"), [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")]
)
def test_commits_are_synchronous_whatever_the_database_says(url: str, found: str, set_to: str) -> None:
    execute(url, f'ALTER DATABASE "{url.rpartition("/")[2]}" SET synchronous_commit TO {found}')
    store = Store(url).open()
    connected = store.writer._connected()
    assert connected.exec_driver_sql("SHOW synchronous_commit").scalar() == set_to
    store.close()


@pytest.mark.deep
@pytest.mark.parametrize("mode", ["transaction", "session"])
def test_a_connection_pooler_is_refused(url: str, mode: str) -> None:
    program = find_program("pgbouncer")
    if program is None:
        pytest.skip("there is no PgBouncer")
    with (
        running_pgbouncer(str(program), url, mode) as pooled,
        pytest.raises(StoreError, check=has_code("database_pooled")),
    ):
        Store(pooled).open()
    Store(url).open().close()


def test_a_database_is_verified_while_games_are_played(url: str, tmp_path: Path) -> None:
    with RunningServer(tmp_path, database=url) as server:
        games = [new_client_game(server, seed) for seed in range(3)]
        asyncio.run(play_until_killed(server, games, 20, lambda: None))
        found = verify(url)
        assert (found.games, found.damage) == (3, [])
        assert found.events > 20
        execute(url, "UPDATE event SET body = 'x' WHERE game = %s AND seq = 4", games[1].id)
        execute(url, "DELETE FROM event WHERE game = %s AND seq = 3", games[2].id)
        named = {(one.code, one.game, one.seq) for one in verify(url).damage}
        assert named == {("event_unreadable", games[1].id, 4), ("event_missing", games[2].id, 3)}
