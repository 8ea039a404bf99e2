"""Kills a server 200 times during games and checks that no acknowledged event is lost.

It is killed during moves, checkpoints, startup and migrations, on a full disk and on a read-only one.
`make check-deep` runs it.
"""

import asyncio
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hnefi.server.store import database
from tests.server.kills import ClientGame, check, new_client_game, play_until_killed
from tests.server.serving import RunningServer, execute
from tests.server.test_migrations import newer_sources

pytestmark = [
    pytest.mark.deep,
    pytest.mark.skipif(sys.platform == "win32", reason="kills and limits are those of POSIX"),
]
GAMES = 8


class CrashTest:
    """A server that is killed repeatedly, and the games on it."""

    def __init__(self, folder: Path, **settings: object) -> None:
        self.folder = folder
        self.server = RunningServer(folder, games_per_hour=10**7, requests_per_minute=10**7, **settings)
        self.games: list[ClientGame] = []
        self.chance = random.Random(7)
        self.kills = 0
        self.start_s = 1.0

    def play(self, *, fresh: bool = True) -> None:
        """Plays all games until the kill; if `fresh`, finished games are replaced by new ones first."""
        missing = GAMES - sum(not game.is_over for game in self.games) if fresh else 0
        self.games += [new_client_game(self.server, len(self.games) + number) for number in range(missing)]
        alive = [game for game in self.games if not game.is_over]
        moves = self.chance.randrange(10, 150)
        asyncio.run(play_until_killed(self.server, alive, moves, self.server.kill))
        self.kills += 1

    def start(self) -> None:
        """Starts the server and records the time it takes."""
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
        return check(self.folder, self.games)


def test_a_hundred_kills_in_the_middle_of_play(tmp_path: Path) -> None:
    crash_test = CrashTest(tmp_path, checkpoint_pages=12)
    for _ in range(100):
        crash_test.server.start()
        crash_test.play()
        crash_test.check()
    assert crash_test.kills == 100
    assert crash_test.check() > 5_000
    unanswered = sum(game.unanswered for game in crash_test.games)
    print(f"{crash_test.check()} acknowledged moves, {unanswered} messages sent again")
    assert unanswered > 20


def test_sixty_kills_while_it_starts(tmp_path: Path) -> None:
    crash_test = CrashTest(tmp_path)
    for round_ in range(60):
        if round_ % 4 == 0:
            crash_test.start()
            crash_test.play()
        crash_test.kill_while_starting()
        crash_test.check()
    crash_test.server.start()
    crash_test.server.kill()


def test_twenty_kills_while_it_migrates(tmp_path: Path) -> None:
    """Each round migrates a database with games by a version that has one more revision."""
    chance = random.Random(3)
    made = _old_database(tmp_path / "old")
    sources = newer_sources(tmp_path / "sources")
    for number in range(20):
        folder = tmp_path / f"{number}"
        shutil.copytree(tmp_path / "old", folder)
        server = RunningServer(folder)
        server.sources.append(sources)
        server.begin()
        until = time.monotonic() + chance.uniform(0.5, 1.8)
        while time.monotonic() < until and not (folder / "games.db-wal").exists():
            time.sleep(0.001)
        time.sleep(chance.uniform(0.0, 0.03))
        server.kill()
        assert _version(folder) in ("0009", "9000")
        assert _games(folder) == made
        server.start()
        server.kill()
        assert _version(folder) == "9000"
        assert _games(folder) == made


def _old_database(folder: Path) -> int:
    folder.mkdir()
    engine = database.open_writer(database.sqlite_url(folder / "games.db"))
    with engine.connect() as connection:
        database.migrate(connection)
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql("INSERT INTO rules VALUES ('h', '{}')")
        rows = [(f"g{number}",) for number in range(20_000)]
        columns = "(id, rules, status, clock, made_us, changed_us)"
        connection.exec_driver_sql(f"INSERT INTO game {columns} VALUES (?, 'h', 'over', 'none', 1, 1)", rows)
        connection.exec_driver_sql("COMMIT")
    engine.dispose()
    return len(rows)


def _version(folder: Path) -> str:
    return str(execute(folder / "games.db", "SELECT version_num FROM alembic_version")[0][0])


def _games(folder: Path) -> int:
    return int(execute(folder / "games.db", "SELECT count(*) FROM game")[0][0])


def test_ten_kills_on_a_full_disk(tmp_path: Path) -> None:
    crash_test = CrashTest(tmp_path)
    crash_test.server.start()
    crash_test.play()
    for _ in range(10):
        # A stop empties the log of the database: on a disk that is full already no server would start.
        crash_test.server.start()
        crash_test.server.stop()
        crash_test.server.settings["largest_file"] = 400_000
        crash_test.server.start()
        crash_test.play(fresh=False)
        crash_test.check()
        crash_test.server.settings.pop("largest_file")
        crash_test.server.start()
        crash_test.play()
        crash_test.check()
    assert sum(game.refused for game in crash_test.games) > 0


def test_ten_kills_on_a_disk_that_can_only_be_read(tmp_path: Path) -> None:
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", tmp_path], check=False).returncode:
        pytest.skip("this user cannot mount")
    try:
        crash_test = CrashTest(tmp_path)
        for _ in range(10):
            crash_test.server.start()
            crash_test.play()
            crash_test.check()
            subprocess.run(["mount", "-o", "remount,ro", tmp_path], check=True)
            with pytest.raises(RuntimeError, match="the disk is read-only"):
                crash_test.server.start()
            subprocess.run(["mount", "-o", "remount,rw", tmp_path], check=True)
        assert crash_test.check() > 100
    finally:
        subprocess.run(["umount", "-l", tmp_path], check=False)
