"""Backs up a database while games are played, and restores it."""

import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, create_engine, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from hnefi._core import Rules
from hnefi.errors import shorten
from hnefi.files import sync
from hnefi.server.events import Event, read_body
from hnefi.server.games.state import fold
from hnefi.server.store import database, schema
from hnefi.server.store.lock import DatabaseLock, store_error

__all__ = ["Contents", "back_up", "check", "restore"]


@dataclass(frozen=True, slots=True)
class Contents:
    """The number of games and events of a database."""

    games: int
    events: int


def back_up(url: str, target: Path) -> Contents:
    """Copies a consistent snapshot of a SQLite file, and verifies the copy. Games may be played meanwhile.

    Raises:
        StoreError: `backup_by_postgres`, `file_exists`, `no_database`, `bad_database`.
        OSError: If the copy cannot be written.
    """
    source = _file_of(url)
    if target.exists():
        raise store_error("file_exists", path=target)
    # The copy gets its name only when it is complete.
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        with contextlib.closing(sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("VACUUM INTO ?", (str(partial),))
        contents = check(partial)
        sync(partial)
        partial.rename(target)
    except sqlite3.Error as error:
        raise store_error("bad_database", path=source, why=error) from error
    finally:
        partial.unlink(missing_ok=True)
    return contents


def restore(source: Path, url: str, *, replaces: bool = False) -> Contents:
    """Replaces a database by a copy; no server may be using it.

    Args:
        source: The copy.
        url: The database.
        replaces: Whether an existing database may be replaced; it is renamed to `….before`.

    Raises:
        StoreError: `backup_by_postgres`, `file_exists`, `no_database`, `bad_database`, `database_in_use`.
        OSError: If the database cannot be written.
    """
    target = _file_of(url, must_exist=False)
    if not source.is_file():
        raise store_error("no_database", path=source)
    contents = check(source)
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = DatabaseLock(target)
    try:
        if target.exists():
            if not replaces:
                raise store_error("file_exists", path=target)
            _set_aside(target)
        partial = target.with_name(f".{target.name}.partial")
        shutil.copyfile(source, partial)
        partial.chmod(0o600)
        sync(partial)
        partial.rename(target)
    finally:
        lock.release()
    return contents


def check(path: Path) -> Contents:
    """Verifies a database by replaying every game in it.

    Raises:
        StoreError: `bad_database`, if it is damaged or is not a database of Hnefi.
    """
    url = URL.create("sqlite", database=f"file:{path}", query={"mode": "ro", "uri": "true"})
    engine = create_engine(url)
    try:
        with engine.connect() as connection:
            found = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
            if found != "ok" or database.version(connection) is None:
                raise store_error("bad_database", path=path, why=found)
            trees = {
                row.id: row.tree
                for row in connection.execute(
                    select(schema.game.c.id, schema.rules.c.tree).join(
                        schema.rules, schema.rules.c.hash == schema.game.c.rules
                    )
                )
            }
            events = sum(_replay(connection, game, tree) for game, tree in trees.items())
    except (SQLAlchemyError, ValueError, AssertionError) as error:
        raise store_error(
            "bad_database", path=path, why=shorten(str(error) or type(error).__name__, 200)
        ) from error
    finally:
        engine.dispose()
    return Contents(len(trees), events)


def _replay(connection: Connection, game: str, tree: str) -> int:
    rows = connection.execute(
        select(schema.event).where(schema.event.c.game == game).order_by(schema.event.c.seq)
    )
    events = [Event(row.seq, row.t_us, row.actor, row.message, read_body(row.body)) for row in rows]
    try:
        return fold(events, Rules(tree)).seq
    except ValueError as error:
        raise ValueError(f"game {game}: {error}") from error


def _file_of(url: str, *, must_exist: bool = True) -> Path:
    if not database.is_sqlite(url):
        raise store_error("backup_by_postgres")
    path = database.sqlite_file(url)
    assert path is not None
    if must_exist and not path.is_file():
        raise store_error("no_database", path=path)
    return path


def _set_aside(target: Path) -> None:
    """Renames a database that is replaced, with its WAL."""
    before = target.with_name(f"{target.name}.before")
    for suffix in ("-wal", "-shm"):
        Path(f"{before}{suffix}").unlink(missing_ok=True)
        beside = Path(f"{target}{suffix}")
        if beside.exists():
            beside.rename(Path(f"{before}{suffix}"))
    target.replace(before)
