"""A filled database goes through an added revision: every row and every live game is as before."""

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from hnefi.server.games.clocks import SECOND_US
from hnefi.server.games.set_aside import rules_of
from hnefi.server.games.state import fold
from hnefi.server.store import changes, database, reading, schema
from hnefi.server.store.database import sqlite_url
from hnefi.server.store.lock import StoreError
from hnefi.server.store.rows import ClassroomRow
from hnefi.server.store.store import Store
from tests.codes import has_code
from tests.server.harness import ANA, ATTACKERS, FakeClock, RoomsHarness, do, settle
from tests.server.harness import request as wish
from tests.server.serving import ROOT
from tests.server.test_clocks import move, timed

ADDED = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "9000", "0009", None, None


def upgrade():
    op.add_column("game", sa.Column("added", sa.Text))
    op.create_table("addition", sa.Column("id", sa.Integer, primary_key=True))
"""
REBUILT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "9000", "0009", None, None


def upgrade():
    with op.batch_alter_table("game") as game:
        game.alter_column("clock", nullable=True)
"""


def site(url: str, time: FakeClock) -> RoomsHarness:
    """Returns a process on a database, whose computer finds no move."""
    one = RoomsHarness(url, time)
    one.computer.failures = 10**6
    return one


async def fill(url: str, time: FakeClock) -> list[str]:
    """Fills a database with what may be going on; returns the games."""
    async with site(url, time) as one:
        live = await timed(one, kind="fischer", initial_s=600, increment_s=5)
        slow = await timed(one, kind="days", days=3)
        for room in (live, slow):
            await move(room)
        await do(slow, ATTACKERS, "offer_takeback")
        computer, _ = await one.games.create(
            wish(opponent="computer", level=1, side="defenders", clock={"kind": "days", "days": 1}), ANA
        )
        waiting, _ = await one.games.create(wish(side="lot", open=True), ANA)
        await one.games.create_link(live.id, ANA)
        row = ClassroomRow("kobuda", 1, time.now_us(), "{}")
        await one.store.change(changes.write_classroom, row=row)
    time._now_us += 90 * SECOND_US  # an outage
    async with site(url, time):
        pass
    return [live.id, slow.id, computer.id, waiting.id]


def rows(url: str) -> dict[str, list[Any]]:
    """Reads what every table had in the first revision, but the processes."""
    engine = database.open_writer(url)
    with engine.connect() as connection:
        found = {
            table.name: sorted(
                map(tuple, connection.execute(text(f"SELECT {', '.join(table.c.keys())} FROM {table.name}"))),
                key=repr,
            )
            for table in schema.metadata.sorted_tables
            if table.name not in ("process", "restart")
        }
    engine.dispose()
    return found


def states(url: str, games: list[str]) -> list[Any]:
    """Returns status, clocks, deadline and offers of each game."""
    engine = database.open_reader(url)
    with engine.connect() as connection:
        stored = {one.id: one for one in reading.load_many(connection, games)}
        restarts = reading.restarts(connection)
    engine.dispose()
    found = [fold(stored[game].events, rules_of(stored[game], {}), restarts) for game in games]
    return [
        (one.status, one.legs[-1].clocks if one.legs else None, one.deadline_us, one.offers) for one in found
    ]


def add_revision(monkeypatch: pytest.MonkeyPatch, folder: Path, content: str) -> None:
    """Adds a revision to those that there are."""
    shutil.copytree(database.MIGRATIONS, folder)
    (folder / "versions" / "9000_added.py").write_text(content, encoding="utf-8")
    monkeypatch.setattr(database, "MIGRATIONS", folder)


def newer_sources(folder: Path) -> str:
    """Copies the sources, with a revision that was added to the tables; returns their folder."""
    shutil.copytree(ROOT / "src" / "hnefi", folder / "hnefi")
    versions = folder / "hnefi" / "server" / "store" / "migrations" / "versions"
    (versions / "9000_added.py").write_text(ADDED, encoding="utf-8")
    return str(folder)


async def test_a_filled_database_goes_through_an_added_revision(
    any_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, is_sqlite = any_url, any_url.startswith("sqlite")
    time = FakeClock()
    games = await fill(url, time)
    before, known = rows(url), states(url, games)
    assert [one[2] is not None for one in known] == [True, True, True, False]
    add_revision(monkeypatch, tmp_path / "migrations", ADDED)
    Store(url).open().close()
    assert rows(url) == before
    assert states(url, games) == known
    if is_sqlite:
        assert rows(sqlite_url(tmp_path / "games.db.0009")) == before
    # The computer plays the move that it had not found before, though nobody has opened its game.
    async with site(url, time) as one:
        one.computer.failures = 0
        while not ((room := one.rooms.loaded.get(games[2])) and room.state.leg.ply_count):
            await settle()
    engine = database.open_reader(url)
    with engine.connect() as connection:
        assert database.version(connection) == "9000"
    engine.dispose()


def test_a_revision_that_would_delete_events_is_rolled_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite a rebuild of the table of games deletes what hangs on it, without an error."""
    url = sqlite_url(tmp_path / "games.db")
    asyncio.run(fill(url, FakeClock()))
    before = rows(url)
    add_revision(monkeypatch, tmp_path / "migrations", REBUILT)
    with pytest.raises(RuntimeError, match="deleted"):
        Store(url).open()
    monkeypatch.undo()
    assert rows(url) == before


def test_without_room_for_a_copy_nothing_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = sqlite_url(tmp_path / "games.db")
    Store(url).open().close()
    add_revision(monkeypatch, tmp_path / "migrations", ADDED)
    usage = shutil.disk_usage(tmp_path)._replace(free=1_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(StoreError, check=has_code("database_no_room")):
        Store(url).open()
    assert not (tmp_path / "games.db.0009").exists()
