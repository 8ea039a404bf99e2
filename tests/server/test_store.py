"""The store on SQLite and on PostgreSQL: transactions, refused writes, migrations, full disks."""

import asyncio
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from alembic.script import ScriptDirectory
from programs import find_program
from sqlalchemy import Connection, inspect

from hnefi import variant
from hnefi.server import events as e
from hnefi.server.backup import back_up
from hnefi.server.store import changes, database, lock, reading, schema, writer
from hnefi.server.store.lock import StoreError
from hnefi.server.store.rows import UNCHANGED, ClassroomRow, Conflict, GameRow, NotSaved, Seat, Write
from hnefi.server.store.store import Store
from hnefi.server.verification import verify
from tests.codes import has_code
from tests.server.harness import created, load
from tests.server.kills import new_client_game, play_until_killed
from tests.server.postgres import execute, running_pgbouncer
from tests.server.serving import ROOT, RunningServer
from tests.timeouts import timeout_s

RULES = variant("brandub-globe").rules
CREATED = created(name="Zoë – ☃")


async def new(store: Store, game: str) -> None:
    row = GameRow(
        game,
        RULES.hash,
        RULES.to_json(),
        "none",
        [e.Event(1, 1, 0, None, CREATED)],
        [Seat(game, 0, "v" * 64)],
        invite="invite",
        seed="seed",
    )
    await store.change(changes.add_game, new=row)


def moved(
    store: Store, game: str, seq: int, message: str | None = None, due_us: int | None = UNCHANGED
) -> "asyncio.Future[None]":
    return store.submit(Write(game, [e.Event(seq, seq, 0, message, e.Moved(move="d2-c2"))], due_us))


def url_in(folder: Path) -> str:
    return database.sqlite_url(folder / "games.db")


async def events_of(store: Store, game: str) -> list[int]:
    """Returns the numbers of the stored events of a game."""
    return [event.seq for event in (await load(store, game)).events]


async def test_writes_round_trip(store: Store) -> None:
    await new(store, "one")
    await asyncio.gather(*(moved(store, "one", seq) for seq in range(2, 300)))
    kept = await load(store, "one")
    assert await events_of(store, "one") == list(range(1, 300))
    assert kept.events[0].body == CREATED
    assert kept.seats == (Seat("one", 0, "v" * 64),)
    assert (kept.invite, kept.seed) == ("invite", "seed")
    assert await store.read(reading.load, "two") is None
    assert (store.writer.events, store.writer.failed, store.writer.queued) == (298, 0, 0)


async def test_writes_soon_after_a_commit_wait_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    is_resting, may_go_on = threading.Event(), threading.Event()

    def rest(seconds: float) -> None:
        rests.append(seconds)
        is_resting.set()
        may_go_on.wait(timeout_s())

    # No time passes for the thread that writes, and it rests until the test lets it go on.
    monkeypatch.setattr(writer, "time", SimpleNamespace(perf_counter=lambda: 0.0, sleep=rest))
    batches: list[int] = []

    store = Store(url_in(tmp_path), observe=lambda writes, _: batches.append(writes)).open()
    await new(store, "one")
    second = moved(store, "one", 2)
    assert await asyncio.to_thread(is_resting.wait, timeout_s())
    third = moved(store, "one", 3)
    may_go_on.set()
    await asyncio.gather(second, third)
    store.close()
    assert (rests, batches) == ([writer._GAP_S], [1, 2])


async def test_one_refused_write_does_no_harm_to_its_batch(store: Store) -> None:
    await asyncio.gather(*(new(store, name) for name in "abc"))
    writes = [
        moved(store, "a", 2, "m"),
        moved(store, "a", 2),
        moved(store, "b", 2),
        moved(store, "a", 3, "m"),
        moved(store, "c", 2),
        new(store, "a"),
    ]
    results = await asyncio.gather(*writes, return_exceptions=True)
    assert [type(result) for result in results] == [type(None), Conflict] * 3
    assert [await events_of(store, name) for name in "abc"] == [[1, 2]] * 3


async def test_a_class_that_was_changed_meanwhile_is_a_conflict_and_no_failure_of_the_store(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    async def changed(revision: int, body: str) -> None:
        row = ClassroomRow("kobuda", revision, 0, body)
        await store.change(changes.write_classroom, row=row)

    await changed(1, "{}")
    await changed(2, '{"by": "one"}')
    with pytest.raises(Conflict):
        await changed(2, '{"by": "another"}')
    kept = await store.read(reading.classroom, "kobuda")
    assert kept is not None
    assert (kept.revision, kept.body) == (2, '{"by": "one"}')
    assert not caplog.records


def make_first_tables(url: str) -> None:
    """Makes the tables of the first revision that was published."""
    statements = (ROOT / "tests" / "server" / "tables_0008.sql").read_text("utf-8")
    if not database.is_sqlite(url):
        statements = statements.replace(" WITHOUT ROWID", "").replace(" id INTEGER", " id SERIAL")
    with database.connected(database.open_writer(url)) as connection:
        for statement in statements.strip().split(";\n"):
            connection.exec_driver_sql(statement)


def test_the_newest_migration_is_the_last_by_name() -> None:
    """A start compares the revision of the tables with it, without Alembic."""
    scripts = ScriptDirectory(str(database.MIGRATIONS))
    newest_first = [script.revision for script in scripts.walk_revisions()]
    assert database._revisions() == newest_first[::-1]


@pytest.mark.parametrize("is_new", [True, False])
def test_the_tables_are_those_of_the_schema(any_url: str, is_new: bool) -> None:
    """Those of a new database are, and those of the first revision after all migrations."""
    if not is_new:
        make_first_tables(any_url)
    for _ in range(2):
        Store(any_url).open().close()
    with database.connected(database.open_reader(any_url)) as connection:
        assert database.version(connection) == "0009"
        found = inspect(connection)
        for table in schema.metadata.sorted_tables:
            columns = {column["name"]: column for column in found.get_columns(table.name)}
            assert {name: (one["nullable"], str(one["type"])) for name, one in columns.items()} == {
                column.name: (column.nullable, str(column.type)) for column in table.columns
            }
            keys = found.get_pk_constraint(table.name)["constrained_columns"]
            assert keys == [column.name for column in table.primary_key]
            assert {one.name for one in table.indexes} <= {
                one["name"] for one in found.get_indexes(table.name)
            }


async def test_a_connection_that_breaks_is_replaced(store: Store) -> None:
    await new(store, "one")
    if store.is_shared:
        end_connections(store.url)
        # Whether the statement that is a transaction of its own was done is not known.
        with pytest.raises(NotSaved):
            await moved(store, "one", 2)
    else:
        connection = store.writer._connection
        assert connection is not None
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.close()
    await moved(store, "one", 2)
    assert await events_of(store, "one") == [1, 2]
    assert (store.writer.events, store.writer.failed) == (1, int(store.is_shared))


async def test_a_write_that_is_held_up_in_its_transaction_is_written_again(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    store, limits = Store(url).open(), ["1ms", "1ms", "0", "1ms", "0"]

    def hold_up(connection: Connection) -> None:
        connection.exec_driver_sql(f"SET LOCAL idle_in_transaction_session_timeout = '{limits.pop(0)}'")
        time.sleep(0.1)
        connection.exec_driver_sql("SELECT 1")

    try:
        with pytest.raises(NotSaved):
            await store.change(hold_up)
        await store.change(hold_up)
        assert [record.levelname for record in caplog.records] == ["ERROR"]
        await store.change(hold_up)
        assert not limits
        assert [record.levelname for record in caplog.records] == ["ERROR"]
    finally:
        store.close()


def end_connections(url: str) -> None:
    """Has PostgreSQL end all connections to a database."""
    ours = "datname = current_database() AND pid <> pg_backend_pid()"
    execute(url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}")


async def test_deleting_a_game_deletes_everything_about_it(store: Store) -> None:
    await new(store, "one")
    await new(store, "two")
    await store.change(changes.delete_games, games=("one",))
    assert await store.read(reading.load, "one") is None
    assert [seat.game for seat in await store.read(reading.games_of, "v" * 64)] == ["two"]


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
    with pytest.raises(StoreError, check=has_code("database_in_use")) as used:
        Store(url).open()
    assert used.value.parameters["path"] == lock.shown(url)
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
