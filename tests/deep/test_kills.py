"""Two hundred kills of a server on which is played: in the middle, while it copies its log back, while it
starts and migrates, on a disk that is full, on one that can only be read. `make check-deep` runs it.
"""

import asyncio
import contextlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hnefi.server.store import database
from tests.server.kills import Table, check, new_table, play_until_killed
from tests.server.serving import RunningServer

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(sys.platform == "win32", reason="kills and limits are those of POSIX"),
]
TABLES = 8


class Siege:
    """A server that is killed again and again, and the games on it."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.server = RunningServer(folder, games_per_hour=10**7, requests_per_minute=10**7, **settings)
        self.tables: list[Table] = []
        self.chance = random.Random(7)
        self.kills = 0
        self.start_s = 1.0

    def play(self, *, fresh: bool = True) -> None:
        """Plays on all tables, until the kill; new ones take the place of those that are finished."""
        missing = TABLES - sum(not table.is_over for table in self.tables) if fresh else 0
        self.tables += [new_table(self.server, len(self.tables) + number) for number in range(missing)]
        alive = [table for table in self.tables if not table.is_over]
        moves = self.chance.randrange(10, 150)
        asyncio.run(play_until_killed(self.server, alive, moves, self.server.kill))
        self.kills += 1

    def start(self) -> None:
        """Starts the server, and notes how long that takes."""
        begin = time.monotonic()
        self.server.start()
        self.start_s = time.monotonic() - begin

    def kill_while_starting(self) -> None:
        """Starts the server and kills it before it is ready, mostly when it opens its games."""
        self.server.begin()
        time.sleep(self.start_s * self.chance.triangular(0.3, 1.1, 0.9))
        self.server.kill()
        self.kills += 1

    def check(self) -> int:
        return check(self.folder, self.tables)


def test_a_hundred_kills_in_the_middle_of_play(tmp_path: Path) -> None:
    siege = Siege(tmp_path, checkpoint_pages=12)
    for _ in range(100):
        siege.server.start()
        siege.play()
        siege.check()
    assert siege.kills == 100
    assert siege.check() > 5_000
    unanswered = sum(table.unanswered for table in siege.tables)
    print(f"{siege.check()} acknowledged moves, {unanswered} asked again")
    assert unanswered > 20


def test_sixty_kills_while_it_starts(tmp_path: Path) -> None:
    siege = Siege(tmp_path)
    for round_ in range(60):
        if round_ % 4 == 0:
            siege.start()
            siege.play()
        siege.kill_while_starting()
        siege.check()
    siege.server.start()
    siege.server.kill()


def test_twenty_kills_while_it_migrates(tmp_path: Path) -> None:
    """Each time a database of the first revision, with games in it, is brought up to date, and killed."""
    chance = random.Random(3)
    made = _old_database(tmp_path / "old")
    for number in range(20):
        folder = tmp_path / f"{number}"
        shutil.copytree(tmp_path / "old", folder)
        server = RunningServer(folder)
        server.begin()
        until = time.monotonic() + chance.uniform(0.5, 1.8)
        while time.monotonic() < until and not (folder / "games.db-wal").exists():
            time.sleep(0.001)
        time.sleep(chance.uniform(0.0, 0.03))
        server.kill()
        assert _version(folder) in ("0001", "0002")
        assert _games(folder) == made
        server.start()
        server.kill()
        assert _version(folder) == "0002"
        assert _games(folder) == made


def _old_database(folder: Path) -> int:
    folder.mkdir()
    engine = database.open_writer(database.sqlite_url(folder / "games.db"))
    with engine.connect() as connection:
        database.migrate(connection, "0001")
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("INSERT INTO rules VALUES ('h', '{}')")
        rows = [(f"g{number}",) for number in range(20_000)]
        connection.exec_driver_sql("INSERT INTO game VALUES (?, 'h', 'over', 'none', 1, 1, NULL, NULL)", rows)
        connection.exec_driver_sql("COMMIT")
    engine.dispose()
    return len(rows)


def _version(folder: Path) -> str:
    with contextlib.closing(sqlite3.connect(folder / "games.db")) as connection:
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def _games(folder: Path) -> int:
    with contextlib.closing(sqlite3.connect(folder / "games.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM game").fetchone()[0])


def test_ten_kills_on_a_full_disk(tmp_path: Path) -> None:
    siege = Siege(tmp_path)
    siege.server.start()
    siege.play()
    for _ in range(10):
        siege.server.settings["largest_file"] = 120_000
        siege.server.start()
        siege.play(fresh=False)
        siege.check()
        siege.server.settings.pop("largest_file")
        siege.server.start()
        siege.play()
        siege.check()
    assert sum(table.refused for table in siege.tables) > 0


def test_ten_kills_on_a_disk_that_can_only_be_read(tmp_path: Path) -> None:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", tmp_path], check=False).returncode:
        pytest.skip("this user cannot mount")
    try:
        siege = Siege(tmp_path)
        for _ in range(10):
            siege.server.start()
            siege.play()
            siege.check()
            subprocess.run(["mount", "-o", "remount,ro", tmp_path], check=True)
            with pytest.raises(RuntimeError, match="server_not_started"):
                siege.server.start()
            subprocess.run(["mount", "-o", "remount,rw", tmp_path], check=True)
        assert siege.check() > 100
    finally:
        subprocess.run(["umount", "-l", tmp_path], check=False)
