"""What is checked before a database is used: links, empty and damaged files, durability."""

import asyncio
import os
import random
import sqlite3
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hnefi.server.store import checks, database
from hnefi.server.store.database import sqlite_file, sqlite_url
from hnefi.server.store.lock import StoreError
from hnefi.server.store.store import Store
from tests.server.serving import execute
from tests.server.test_store import moved, new, url_in

PAGE = 4096


@cache
def filled(games: int) -> bytes:
    """Returns a database with some games."""

    async def scenario(folder: Path) -> bytes:
        games_store = Store(url_in(folder)).open()
        for number in range(games):
            await new(games_store, f"game{number}")
            await asyncio.gather(*(moved(games_store, f"game{number}", seq) for seq in range(2, 30)))
        games_store.close()
        return (folder / "games.db").read_bytes()

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, scenario(Path(folder))).result()


def fill(folder: Path, games: int = 40) -> Path:
    """Writes a database with some games, and returns the file."""
    (folder / "games.db").write_bytes(filled(games))
    return folder / "games.db"


def refusal(url: str) -> StoreError:
    with pytest.raises(StoreError) as caught:
        Store(url).open().close()
    return caught.value


@pytest.mark.skipif(sys.platform == "win32", reason="links are those of POSIX")
def test_a_second_server_is_refused_under_every_url_and_through_every_link(tmp_path: Path) -> None:
    folder, other = tmp_path / "a b", tmp_path / "other"
    folder.mkdir()
    other.mkdir()
    first = Store(url_in(folder)).open()
    file, symbolic, hard = folder / "games.db", other / "symbolic.db", other / "games.db"
    symbolic.symlink_to(file)
    (tmp_path / "folder").symlink_to(folder)
    for url in (
        sqlite_url(symbolic),
        f"sqlite:///file:{symbolic}?uri=true",
        f"sqlite:///file:{tmp_path}/a%2520b/games.db?uri=true",
        f"sqlite:///{os.path.relpath(file)}",
        url_in(tmp_path / "folder"),
    ):
        assert sqlite_file(url) == file.resolve()
        assert refusal(url).code == "database_in_use", url
    hard.hardlink_to(file)
    assert refusal(sqlite_url(hard)).code == "database_linked"
    first.close()
    assert refusal(sqlite_url(file)).code == "database_linked"
    hard.unlink()
    Store(sqlite_url(symbolic)).open().close()
    assert sqlite_file("sqlite://") is sqlite_file("postgresql://hnefi@/hnefi") is None


def test_an_empty_file_is_no_new_site_unless_a_server_was_killed_while_it_created_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "games.db"
    with monkeypatch.context() as patch:
        patch.setattr("hnefi.server.store.database.migrate", killed)
        with pytest.raises(KeyboardInterrupt):
            Store(url_in(tmp_path)).open()
    os.truncate(file, 0)
    Store(url_in(tmp_path)).open().close()
    os.truncate(file, 0)
    assert refusal(url_in(tmp_path)).code == "database_empty"
    assert file.stat().st_size == 0
    file.unlink()
    Store(url_in(tmp_path)).open().close()


def test_nothing_is_added_to_the_database_of_another_program(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "games.db")) as other:
        other.execute("CREATE TABLE customer (name TEXT)")
    found = refusal(url_in(tmp_path))
    assert (found.code, found.parameters["why"]) == ("bad_database", "no tables of Hnefi")
    with closing(sqlite3.connect(tmp_path / "games.db")) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("customer",)]


def damage(file: Path) -> None:
    """Overwrites a page in the middle, the root of no table."""
    page = file.stat().st_size // PAGE // 2
    with file.open("r+b") as opened:
        opened.seek(page * PAGE)
        opened.write(random.Random(1).randbytes(PAGE))


def cut(file: Path) -> None:
    """Cuts the file in half."""
    os.truncate(file, file.stat().st_size // PAGE // 2 * PAGE)


def replace(file: Path) -> None:
    """Replaces the file by a text."""
    file.write_bytes(b"no database at all, but long enough to be looked at" * 400)


def renumber(file: Path) -> None:
    """Numbers the tables as another version does."""
    execute(file, "UPDATE alembic_version SET version_num = '0007'")


HARMS = [(damage, False), (cut, False), (cut, True), (replace, False), (replace, True), (renumber, False)]


@pytest.mark.parametrize(("harm", "is_large"), HARMS)
def test_a_damaged_or_other_file_is_found_at_the_start_and_a_large_one_if_it_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: Any, is_large: bool
) -> None:
    file = fill(tmp_path)
    harm(file)
    before = file.read_bytes()
    if is_large:
        monkeypatch.setattr(checks, "_LARGEST_AT_START", 0)
    error = refusal(url_in(tmp_path))
    if harm is renumber:
        assert error.code == "database_version"
    else:
        assert (error.code, error.parameters["path"]) == ("database_damaged", str(file.resolve()))
    assert file.read_bytes() == before


def test_a_commit_that_is_not_synchronised_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def weaken(_: object, connection: Any) -> None:
        connection.execute("PRAGMA synchronous=NORMAL")

    Store(url_in(tmp_path)).open().close()
    monkeypatch.setattr(database, "_set_pragmas", weaken)
    assert refusal(url_in(tmp_path)).code == "database_not_durable"
