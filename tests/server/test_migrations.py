"""A filled database goes through an added revision as it was; so by the commands of docs/guide/upgrade.md."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from hnefi.server.backup import back_up
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
from tests.server.kills import ClientGame, new_client_game, play_until_killed
from tests.server.serving import ROOT, HttpClient, RunningServer, environment, execute, free_port
from tests.server.test_clocks import move, timed
from tests.server.test_serve import events_of
from tests.timeouts import timeout_s, wait_until

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
    with database.connected(database.open_writer(url)) as connection:
        return {
            table.name: sorted(
                map(tuple, connection.execute(text(f"SELECT {', '.join(table.c.keys())} FROM {table.name}"))),
                key=repr,
            )
            for table in schema.metadata.sorted_tables
            if table.name not in ("process", "restart")
        }


def states(url: str, games: list[str]) -> list[Any]:
    """Returns status, clocks, deadline and offers of each game."""
    with database.connected(database.open_reader(url)) as connection:
        stored = {one.id: one for one in reading.load_many(connection, games)}
        restarts = reading.restarts(connection)
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
    with database.connected(database.open_reader(url)) as connection:
        assert database.version(connection) == "9000"


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


PAGE = ROOT / "docs" / "guide" / "upgrade.md"
OLD_REVISION = "0009"


class Site:
    """A site in a temporary folder, which stands for `/`; its service is a process of this test."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.data = root / "var" / "lib" / "hnefi"
        self.backup = root / "srv" / "backup" / "before-upgrade.backup"
        for folder in (self.data, root / "srv" / "backup"):
            folder.mkdir(parents=True)
        for version in ("old", "new"):
            program = root / "opt" / f"hnefi-{version}" / "bin" / "hnefi"
            program.parent.mkdir(parents=True)
            command = f'"{sys.executable}" -c "from hnefi.cli import main; main()" "$@" --lang en'
            sources = f"{newer_sources(self.root / 'sources')}:" if version == "new" else ""
            program.write_text(f'#!/bin/sh\nPYTHONPATH="{sources}$PYTHONPATH" exec {command}\n')
            program.chmod(0o755)
        (root / "opt" / "hnefi").symlink_to(root / "opt" / "hnefi-old")

    @property
    def version(self) -> str:
        """The version that the link leads to."""
        return (self.root / "opt" / "hnefi").readlink().name

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def run(self, block: str) -> list[str]:
        """Runs a block of the page line by line; returns the output of each line."""
        return [self._run_line(line) for line in block.splitlines()]

    def _run_line(self, line: str) -> str:
        if line.startswith("systemctl "):
            {"start": self.start, "stop": self.stop}[line.split()[1]]()
            return ""
        line = line.replace("127.0.0.1:8730", f"127.0.0.1:{self.port}")
        line = re.sub(r"(?<=\s)/(opt|var|srv)/", rf"{self.root}/\1/", f" {line}").strip()
        words = ["sh", "-ec", line]
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, timeout=timeout_s(), env=environment()
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def start(self) -> None:
        """Starts the service, as `systemctl start` does: without waiting until it is ready."""
        program = self.root / "opt" / "hnefi" / "bin" / "hnefi"
        words = [str(program), "serve", "--port", str(self.port), "--data", str(self.data)]
        with (self.root / "log").open("ab") as log:
            self.process = subprocess.Popen(words, stdout=log, stderr=log, env=environment())

    def stop(self) -> None:
        """Stops the service."""
        assert self.process is not None
        self.process.terminate()
        assert self.process.wait(timeout_s()) == 0

    def seq(self, game: ClientGame) -> int:
        """Returns the number of the last event of a game."""
        view = HttpClient(self.address, game.tokens[0]).request("GET", f"/api/games/{game.id}")
        return int(view["seq"])

    def revision(self) -> str:
        return str(execute(self.data / "games.db", "SELECT version_num FROM alembic_version")[0][0])


def blocks() -> list[str]:
    """Returns the blocks of the page that are run."""
    return re.findall(r"^```sh\n(.*?)\n```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Site, list[ClientGame]]:
    """A site with a database of the old revision, and the games in it."""
    if sys.platform == "win32" or shutil.which("curl") is None:
        pytest.skip("needs a shell and curl")
    folder = tmp_path / "played"
    folder.mkdir()
    with RunningServer(folder) as server:
        games = [new_client_game(server, seed) for seed in range(3)]
        asyncio.run(play_until_killed(server, games, 20, lambda: None))
    site = Site(tmp_path / "site")
    back_up(database.sqlite_url(folder / "games.db"), site.data / "games.db")
    return site, games


@pytest.mark.deep
def test_the_commands_of_the_page(played: tuple[Site, list[ClientGame]]) -> None:
    site, games = played
    trial, upgrade, check, compare, roll_back_program, roll_back = blocks()
    assert site.revision() == OLD_REVISION
    before = events_of(site.data / "games.db")
    assert len(before) > 20
    try:
        site.run(trial)
        assert site.revision() == OLD_REVISION
        # With the same tables only the program goes back.
        site.start()
        site.run(check)
        site.run(roll_back_program)
        assert site.version == "hnefi-old"
        site.run(check)
        site.run(upgrade)
        assert site.version == "hnefi-new"
        ready, verified = site.run(check)
        assert json.loads(ready) == {"status": "ok"}
        assert "games 3" in verified
        # What is played after the upgrade is what the roll-back loses.
        ana = HttpClient(site.address)
        wish = {"variant": "brandub-globe", "opponent": "same_device", "side": "attackers"}
        made = ana.request("POST", "/api/games", wish)["game"]
        revisions = [json.loads(line)["revision"] for line in site.run(compare)]
        assert revisions[0] == OLD_REVISION < revisions[1]

        stop, *rest, start = roll_back.splitlines()
        site.run("\n".join([stop, *rest]))
        assert site.version == "hnefi-old"
        assert site.revision() == OLD_REVISION
        assert events_of(site.data / "games.db") == before
        copies = {path.name for path in site.data.glob("games.db.*")}
        assert copies >= {"games.db.before", f"games.db.{OLD_REVISION}"}
        site.run(start)
        site.run(check)
        ana.request("GET", f"/api/games/{made}", expect=404)
        assert {game.id: site.seq(game) for game in games} == {row[0]: row[1] for row in before}
        site.stop()
    finally:
        if site.process is not None and site.process.poll() is None:
            site.process.kill()
            site.process.wait()


@pytest.mark.deep
def test_an_old_version_refuses_a_newer_database(played: tuple[Site, list[ClientGame]]) -> None:
    site, _ = played
    execute(site.data / "games.db", "UPDATE alembic_version SET version_num = '9999'")
    site.start()
    assert site.process is not None
    wait_until(lambda: site.process is None or site.process.poll() is not None, "the server ends")
    assert site.process.returncode == 2
    assert "another version" in (site.root / "log").read_text()
    assert site.revision() == "9999"
