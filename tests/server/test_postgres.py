"""The store on a real PostgreSQL: the same guarantees as on SQLite."""

import asyncio
import sys
from functools import partial
from pathlib import Path

import psycopg
import pytest
from programs import find_program
from sqlalchemy import inspect

from hnefi.server.backup import back_up
from hnefi.server.games.games import Games
from hnefi.server.games.rooms import Rooms
from hnefi.server.messages.views import MessageEncoder
from hnefi.server.store import NotSaved, Store, changes, database, lock, schema
from hnefi.server.store.lock import StoreError
from hnefi.server.verification import verify
from tests.codes import has_code
from tests.server.harness import ANA, BRAN, FakeClock, FirstMoveEngine, request
from tests.server.kills import new_client_game, play_until_killed
from tests.server.postgres import running_pgbouncer
from tests.server.serving import HttpClient, RunningServer
from tests.server.test_store import moved, new, write_with_refusals

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="it is started as on POSIX")


def test_the_migrations_make_the_tables_of_the_schema(url: str) -> None:
    Store(url).open().close()
    engine = database.open_reader(url)
    with engine.connect() as connection:
        found = inspect(connection)
        for game in schema.metadata.sorted_tables:
            columns = {column["name"]: column for column in found.get_columns(game.name)}
            assert set(columns) == set(game.columns.keys())
            for column in game.columns:
                assert columns[column.name]["nullable"] == column.nullable
                assert isinstance(columns[column.name]["type"], type(column.type).__mro__[0])
        assert database.version(connection) == "0008"
    engine.dispose()


END_CONNECTIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


async def test_writes_round_trip_and_a_refused_write_changes_nothing(url: str) -> None:
    store = Store(url).open()
    await write_with_refusals(store)
    await asyncio.gather(*(moved(store, "b", seq) for seq in range(3, 200)))
    kept = await store.load("b")
    assert kept is not None
    assert [event.seq for event in kept.events] == list(range(1, 200))
    assert await store.size_bytes() > 1_000_000
    await store.change(partial(changes.delete_games, games=("b",)))
    assert await store.load("b") is None
    store.close()


async def test_a_lost_connection_is_replaced(url: str) -> None:
    store = Store(url).open()
    await new(store, "a")
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(END_CONNECTIONS)
    with pytest.raises(NotSaved):
        await moved(store, "a", 2)
    await moved(store, "a", 2)
    kept = await store.load("a")
    assert kept is not None
    assert len(kept.events) == 2
    store.close()


async def test_a_server_that_lost_its_connection_and_lock_to_another_one_writes_nothing(url: str) -> None:
    store = Store(url).open()
    await new(store, "a")
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(END_CONNECTIONS)
        other.execute(f"SELECT pg_advisory_lock({lock._ADVISORY})")
        for _ in range(4):
            with pytest.raises(NotSaved):
                await moved(store, "a", 2)
        other.execute(f"SELECT pg_advisory_unlock({lock._ADVISORY})")
        await moved(store, "a", 2)
    store.close()


async def test_games_are_played_and_found_again(url: str) -> None:
    time = FakeClock()
    for round_ in (1, 2):
        store = Store(url).open()
        rooms = Rooms(store, time, FirstMoveEngine(), MessageEncoder())
        games = Games(rooms, store, time)
        await rooms.start()
        if round_ == 1:
            room, invite = await games.create(request(side="lot"), ANA)
            assert invite is not None
            await games.join(room.id, BRAN, invite, "Bran")
            secret, _ = await games.create_link(room.id, BRAN)
            await games.use_link(secret, "c" * 64)
        (found,) = (await games.own_games("c" * 64)).games
        assert found.players_of("c" * 64) == {1}
        old = await store.expired({"playing": time.now_us() + 10**15})
        assert old == [found.id]
        await rooms.stop()
        store.close()


def test_several_processes_share_it_and_none_backs_it_up(url: str) -> None:
    stores = [Store(url).open(), Store(url.replace("127.0.0.1", "localhost")).open()]
    for store in stores:
        store.close()
    with pytest.raises(StoreError, check=has_code("backup_by_postgres")):
        back_up(url, Path("nowhere"))


def test_tables_are_changed_only_while_no_process_of_another_version_runs(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(url).open()
    monkeypatch.setattr(lock, "_HANDOVER_S", 0.3)
    monkeypatch.setattr(database, "is_older", lambda _: True)
    with pytest.raises(StoreError, check=has_code("database_in_use")):
        Store(url).open()
    store.close()


@pytest.mark.parametrize(
    ("found", "set_to"), [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")]
)
def test_commits_are_synchronous_whatever_the_database_says(url: str, found: str, set_to: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit TO {found}')
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
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE event SET body = 'x' WHERE game = %s AND seq = 4", (games[1].id,))
            connection.execute("DELETE FROM event WHERE game = %s AND seq = 3", (games[2].id,))
        named = {(one.code, one.game, one.seq) for one in verify(url).damage}
        assert named == {("event_unreadable", games[1].id, 4), ("event_missing", games[2].id, 3)}


def test_no_acknowledged_move_is_lost_by_a_kill(url: str, tmp_path: Path) -> None:
    server = RunningServer(tmp_path, database=url)
    server.start()
    try:
        games = [new_client_game(server, seed) for seed in range(4)]
        for _ in range(2):
            alive = [game for game in games if not game.is_over]
            asyncio.run(play_until_killed(server, alive, 80, server.kill))
            with psycopg.connect(url) as connection:
                for game in games:
                    rows = connection.execute(
                        "SELECT seq, message, body FROM event WHERE game = %s ORDER BY seq", (game.id,)
                    ).fetchall()
                    assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
                    kept = {str(row[1]).partition(":")[2]: row[0] for row in rows if row[1]}
                    assert {key: kept.get(key) for key in game.acknowledged} == game.acknowledged
            server.start()
        assert sum(len(game.acknowledged) for game in games) > 20
        HttpClient(server.address, games[0].tokens[0]).request("GET", f"/api/games/{games[0].id}")
    finally:
        server.kill()
