"""Backups: verified with every damage named, kept in a folder, restored without losing the old database."""

import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, get_args

import pytest

from hnefi.server import backup
from hnefi.server.store.lock import StoreError
from hnefi.server.verification import DamageCode, read_error, verify
from tests.cli_runs import run
from tests.codes import has_code
from tests.server.kills import new_client_game, play_until_killed
from tests.server.serving import RunningServer, execute
from tests.server.test_migrations import ADDED, add_revision
from tests.test_i18n import messages
from tests.timeouts import timeout_s, wait_until

HOSTING = Path(__file__).parents[2] / "hosting"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a server that was killed while four games were played."""
    folder = tmp_path_factory.mktemp("played")
    with RunningServer(folder) as server:
        games = [new_client_game(server, seed) for seed in range(4)]
        asyncio.run(play_until_killed(server, games, 40, server.kill))
    return folder


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """A backup of it."""
    target = tmp_path / "games.backup"
    backup.back_up(f"sqlite:///{folder / 'games.db'}", target)
    return target


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """An empty data folder."""
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


DAMAGED = "UPDATE event SET body = 'x' WHERE seq = 4"


def hnefi(*words: object) -> tuple[int, str]:
    """Runs a command; returns its exit code, and its output or error."""
    code, out, err = run(*map(str, words))
    return code, out or err


def verified(*words: object, code: int = 0) -> dict[str, Any]:
    """Verifies a backup, and returns what the command reports."""
    status, out = hnefi("backup", *words, "--verify", "--json")
    assert status == code, out
    found: dict[str, Any] = json.loads(out)
    return found


def first_game(path: Path) -> str:
    return str(execute(path, "SELECT min(id) FROM game")[0][0])


def test_a_backup_is_verified_and_the_database_with_its_wal(copy: Path, folder: Path) -> None:
    before = copy.read_bytes()
    answer = verified(copy)
    ((events, newest),) = execute(copy, "SELECT count(*), max(t_us) FROM event")
    assert (answer["games"], answer["events"], answer["damage"]) == (4, events, [])
    assert answer["newest"].startswith("20")
    assert verify(copy).newest_us == newest
    assert copy.read_bytes() == before
    assert f"games 4, events {events}" in hnefi("backup", copy, "--verify")[1]
    assert verified("--data", folder)["games"] == 4
    # Games that are marked for deletion are listed.
    assert answer["marked"] == []
    game = first_game(copy)
    execute(copy, "UPDATE game SET marked_us = 1700000000000000 WHERE id = :game", game=game)
    assert verified(copy)["marked"] == [{"game": game, "since": "2023-11-14T22:13:20Z"}]
    assert "1 expired game is marked for deletion" in hnefi("backup", copy, "--verify")[1]


EVENT = "game = :game AND seq = 4"
DAMAGES = {
    "rules_missing": ["UPDATE game SET rules = 'gone' WHERE id = :game"],
    "rules_damaged": [
        "INSERT INTO rules VALUES ('other', '{}')",
        "UPDATE game SET rules = 'other' WHERE id = :game",
    ],
    "no_events": ["DELETE FROM event WHERE game = :game"],
    "event_missing": [f"DELETE FROM event WHERE {EVENT}"],
    "event_unreadable": [f"UPDATE event SET body = '{{\"kind\":' WHERE {EVENT}"],
    "event_impossible": [f'UPDATE event SET body = \'{{"kind":"moved","move":"a1-a2"}}\' WHERE {EVENT}'],
    "event_without_game": ["DELETE FROM game WHERE id = :game"],
}


@pytest.mark.parametrize("code", DAMAGES)
def test_damage_is_named_with_its_game_and_event(copy: Path, code: str) -> None:
    game = first_game(copy)
    for statement in DAMAGES[code]:
        execute(copy, statement, game=game)
    (found,) = verified(copy, code=1)["damage"]
    assert (found["code"], found["game"]) == (code, game)
    if code.startswith("event_") and code != "event_without_game":
        assert found["seq"] == 4
    status, out = hnefi("backup", copy, "--verify")
    assert (status, out.startswith(f"{code}: "), game in out) == (1, True, True)


def test_every_damage_is_named_not_only_the_first(copy: Path) -> None:
    for statement in ("UPDATE event SET t_us = 'x' WHERE seq = 2", DAMAGED):
        execute(copy, statement)
    found = verify(copy).damage
    assert len(found) == 8
    assert {(one.code, one.seq) for one in found} == {("event_unreadable", 2), ("event_unreadable", 4)}


def test_a_file_that_lost_some_bytes_at_its_end_is_damaged(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[:-500])
    found = {(one["code"], one["why"]) for one in verified(copy, code=1)["damage"]}
    assert ("page_damaged", "the file was cut off: 500 bytes of a page are missing") in found


def test_a_damaged_page_is_found(copy: Path) -> None:
    ((page,),) = execute(copy, "SELECT rootpage FROM sqlite_master WHERE name = 'game_by_status'")
    ((size,),) = execute(copy, "PRAGMA page_size")
    with copy.open("r+b") as file:
        file.seek((page - 1) * size + size - 200)
        file.write(b"\xff" * 200)
    assert "page_damaged" in {one.code for one in verify(copy).damage}


def test_every_code_has_a_text() -> None:
    for language in ("en", "fr"):
        texts = messages(language)
        assert all(f"damage.{code}" in texts for code in get_args(DamageCode))


def test_a_backup_is_verified_as_a_newer_version_sees_it(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, temporary = copy.read_bytes(), tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    add_revision(monkeypatch, tmp_path / "migrations", ADDED)
    found = verified(copy, "--upgrade")
    assert (found["revision"], found["games"], found["damage"]) == ("9000", 4, [])
    damaged = tmp_path / "damaged.backup"
    damaged.write_bytes(before)
    execute(damaged, DAMAGED)
    assert hnefi("backup", damaged, "--verify", "--upgrade")[0] == 1
    execute(damaged, "UPDATE alembic_version SET version_num = '9999'")
    status, out = hnefi("backup", damaged, "--verify", "--upgrade")
    assert (status, "9999" in out) == (2, True)
    for words in ((copy, "--upgrade"), ("--verify", "--upgrade")):
        assert hnefi("backup", *words)[0] == 2
    assert copy.read_bytes() == before
    assert [*temporary.iterdir()] == []


def test_databases_of_other_versions_and_other_files_are_refused(copy: Path, tmp_path: Path) -> None:
    execute(copy, "UPDATE alembic_version SET version_num = '0007'")
    with pytest.raises(StoreError, match="0007"):
        verify(copy)
    status, out = hnefi(
        "backup", tmp_path / "other", "--data", copy.parent, "--database", f"sqlite:///{copy}"
    )
    assert (status, out.startswith(f"The games in {copy} were stored by another version")) == (2, True)
    (tmp_path / "noise").write_bytes(random.Random(1).randbytes(8192))
    (tmp_path / "empty").mkdir()
    for name, code, words in (
        ("noise", "bad_database", "not a Hnefi database (it is not a database)."),
        ("nothing", "cannot_read", "cannot be read: there is no such file or folder."),
        ("empty", "no_database", "There are no games in"),
    ):
        error = verified(tmp_path / name, code=2)["error"]
        assert (error["code"], words in error["message"]) == (code, True)
        assert hnefi("restore", tmp_path / name, "--data", tmp_path / "data")[0] == 2
    assert hnefi("backup", tmp_path / "copy", "--data", tmp_path / "data")[0] == 2
    assert not (tmp_path / "data" / "games.db").exists()
    assert not (tmp_path / "copy").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_a_long_check_of_pages_can_be_interrupted(tmp_path: Path) -> None:
    """The statement below would run for hours."""
    ready = tmp_path / "ready"
    endless = (
        "import pathlib, sqlite3, threading\n"
        "from hnefi.server.verification import interruptible\n"
        "connection = sqlite3.connect(':memory:')\n"
        # Later and in a thread: the signal must meet the statement, not a function in Python that it calls.
        f"later = threading.Timer(0.2, pathlib.Path({str(ready)!r}).touch)\n"
        "connection.create_function('ready', 0, later.start)\n"
        "with interruptible(connection):\n"
        "    connection.execute('WITH RECURSIVE n(x) AS (SELECT 1 + coalesce(ready(), 0) UNION ALL"
        " SELECT x + 1 FROM n) SELECT count(*) FROM n')\n"
    )
    process = subprocess.Popen([sys.executable, "-c", endless], stderr=subprocess.PIPE, text=True)
    try:
        wait_until(lambda: ready.exists() or process.poll() is not None, "the statement runs")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=timeout_s())
    finally:
        process.kill()
    assert "KeyboardInterrupt" in err


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A folder with two old backups and a file that is none."""
    shelf = tmp_path / "backups"
    shelf.mkdir()
    for name in ("games-20250101T000000Z.backup", "games-20250102T000000Z.backup", "notes.txt"):
        (shelf / name).write_text("old")
    return shelf


def test_the_newest_backups_of_a_folder_are_kept(folder: Path, shelf: Path) -> None:
    (shelf / ".games-20250103T000000Z.backup.partial").write_text("interrupted")
    status, out = hnefi("backup", shelf, "--keep", 2, "--data", folder)
    assert status == 0, out
    newest = backup.find_backup(shelf)
    second, first, *others = sorted(path.name for path in shelf.iterdir())
    assert (second, first) == ("games-20250102T000000Z.backup", newest.name)
    assert {*others} == {"notes.txt", backup.METRICS_FILE}
    metrics = (shelf / backup.METRICS_FILE).read_text()
    assert "\nhnefi_backup_games 4\n" in metrics
    assert f"\nhnefi_backup_bytes {newest.stat().st_size}\n" in metrics
    assert verified(shelf)["file"] == str(newest)


def test_a_damaged_backup_is_kept_and_deletes_no_other(copy: Path, shelf: Path, data: Path) -> None:
    copy.rename(data / "games.db")
    execute(data / "games.db", DAMAGED)
    status, out = hnefi("backup", shelf, "--keep", 1, "--data", data)
    assert (status, out.count("event_unreadable")) == (1, 4)
    assert len([*shelf.glob("games-*.backup")]) == 3
    assert not (shelf / backup.METRICS_FILE).exists()
    # Whoever accepts the damage has backups again. Its name is the second in which it was made.
    max(shelf.glob("games-*.backup")).unlink()
    status, out = hnefi("backup", shelf, "--keep", 1, "--data", data, "--allow-damage")
    assert (status, out.count("Deleted: ")) == (0, 2)
    assert (shelf / backup.METRICS_FILE).exists()


def test_what_may_be_whole_is_not_called_damaged(tmp_path: Path) -> None:
    source, target = tmp_path / "games.db", tmp_path / "copy"
    full = sqlite3.OperationalError("database or disk is full")
    full.sqlite_errorcode = sqlite3.SQLITE_FULL
    found = read_error(full, source, target)
    assert (found.code, found.parameters["path"]) == ("cannot_write", str(target))
    pytest.importorskip("psycopg")
    status, out = hnefi("backup", "--verify", "--database", "postgresql://tafl@127.0.0.1:1/tafl")
    assert (status, out.startswith("postgresql://tafl@127.0.0.1:1/tafl cannot be read: ")) == (2, True)


def test_keep_needs_a_folder_and_excludes_verify(tmp_path: Path) -> None:
    for words in (
        (tmp_path / "file", "--keep", 2, "--data", tmp_path),
        (tmp_path, "--keep", 2, "--verify"),
        ("--data", tmp_path),
        (tmp_path, "--verify"),
    ):
        assert hnefi("backup", *words)[0] == 2, words


def test_the_commands_of_the_systemd_unit_work(folder: Path, tmp_path: Path) -> None:
    unit = (HOSTING / "hnefi-backup.service").read_text("utf-8")
    backups = tmp_path / "hnefi-backups"
    backups.mkdir()
    commands = re.findall(r"^ExecStart=/opt/hnefi/bin/hnefi (.+)$", unit, re.MULTILINE)
    assert len(commands) == 2
    paths = {"/var/lib/hnefi-backups": backups, "/var/lib/hnefi": folder}
    for line in commands:
        status, out = hnefi(*(paths.get(word, word) for word in line.split()))
        assert status == 0, out
    assert len([*backups.glob("games-*.backup")]) == 1
    assert (backups / backup.METRICS_FILE).exists()


def test_restore_keeps_every_old_database_aside(copy: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'data' / 'games.db'}"
    assert backup.restore(copy, url)[1] is None
    with pytest.raises(StoreError, check=has_code("file_exists")):
        backup.restore(copy, url)
    asides = [backup.restore(copy, url, replaces=True)[1] for _ in range(3)]
    names = [aside.name for aside in asides if aside]
    assert names == ["games.db.before", "games.db.before-2", "games.db.before-3"]
    _, out = hnefi("restore", copy, "--replace", "--data", tmp_path / "data")
    assert "games.db.before-4" in out


def test_a_database_that_was_set_aside_is_restored_with_its_wal(folder: Path, data: Path) -> None:
    """The games may be in the WAL only, if the server was killed."""
    for suffix in ("", "-wal"):
        (data / f"games.db.before{suffix}").write_bytes((folder / f"games.db{suffix}").read_bytes())
    (data / "games.db-wal").write_bytes(b"of another database")
    found, aside = backup.restore(data / "games.db.before", f"sqlite:///{data / 'games.db'}")
    assert (found.games, aside) == (4, None)
    again = verify(data / "games.db")
    assert (again.games, again.events) == (found.games, found.events)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="system: only root gives files away")
def test_a_database_restored_by_root_belongs_to_the_owner_of_its_folder(copy: Path, data: Path) -> None:
    """Otherwise the server could not open it."""
    os.chown(data, 12_345, 54_321)
    backup.restore(copy, f"sqlite:///{data / 'games.db'}")
    assert {path.name for path in data.iterdir()} == {"games.db", "games.db.lock"}
    assert {(path.stat().st_uid, path.stat().st_gid) for path in data.iterdir()} == {(12_345, 54_321)}


def test_a_damaged_backup_is_restored_only_if_that_is_wanted(copy: Path, tmp_path: Path) -> None:
    execute(copy, DAMAGED)
    words = ("restore", copy, "--data", tmp_path / "data", "--json")
    _, out = hnefi(*words)
    assert json.loads(out)["error"]["code"] == "backup_damaged"
    assert not (tmp_path / "data" / "games.db").exists()
    status, out = hnefi(*words, "--allow-damage")
    assert status == 0, out
    assert len(json.loads(out)["damage"]) == 4
    told = hnefi(*words[:-1], "--allow-damage", "--replace")[1]
    assert f"Restored to {tmp_path / 'data' / 'games.db'}: games 4," in told
    assert "some of them damaged" in told
