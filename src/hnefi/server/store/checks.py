"""Checks of a database before it is used: empty or damaged files, unsafe settings, connection poolers."""

import contextlib
import errno
import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from hnefi.errors import shorten
from hnefi.server.store.lock import DatabaseLock, StoreError

_LARGEST_AT_START = 256 * 1024 * 1024
"""A larger SQLite file is checked with its backups: this one takes half a second."""

_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REFUSALS = {
    sqlite3.SQLITE_CANTOPEN: ("cannot_read", errno.EACCES),
    sqlite3.SQLITE_READONLY: ("cannot_write", errno.EACCES),
    sqlite3.SQLITE_FULL: ("cannot_write", errno.ENOSPC),
}
_FULL = 2


def check_file(file: Path | None, lock: DatabaseLock) -> None:
    """Checks a SQLite file before it is opened; notes that it is being created if there is none.

    Raises:
        StoreError: `database_empty`, `database_damaged`.
    """
    if file is None:
        return
    if not file.exists():
        lock.is_making = True
    elif file.stat().st_size == 0 and not lock.is_making:
        raise StoreError.of_facts("database_empty", path=file, folder=file.parent)
    elif not lock.is_making and (damage := _find_damage(file)) is not None:
        raise damage


def _find_damage(file: Path) -> StoreError | None:
    """Searches a SQLite file for damaged pages; None if there are none, or if it is large.

    It finds pages that cannot belong to the tables and a file that was cut off, but no text that was changed
    within a page: that is found when the game is loaded.
    """
    if file.stat().st_size > _LARGEST_AT_START:
        return None
    try:
        with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        return damage_error(error, file)
    return None if found == "ok" else _damaged(file, found)


def sqlite_code(error: BaseException) -> int:
    """Returns the code of an error that SQLite reported, without the extension; 0 for any other error."""
    code: int = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)
    return code & 0xFF


def damage_error(error: BaseException, file: Path | None) -> StoreError | None:
    """Returns the error of a damaged file if SQLite reported one, None for any other error."""
    if file is None or sqlite_code(error) not in _DAMAGE:
        return None
    return _damaged(file, getattr(error, "orig", None) or error)


def refusal_of_system(error: BaseException, path: object) -> StoreError | None:
    """Returns the error of a file that the system keeps from SQLite, None for any other error."""
    code, number = _REFUSALS.get(sqlite_code(error), ("", 0))
    return StoreError.of_facts(code, path=path, why=os.strerror(number)) if code else None


def _damaged(file: Path, why: object) -> StoreError:
    reason = shorten(why, 200, collapses_spaces=True)
    return StoreError.of_facts("database_damaged", path=file, folder=file.parent, why=reason)


def check_connection(connection: Connection, file: Path | None) -> None:
    """Checks that a commit over the writing connection survives a loss of power.

    Raises:
        StoreError: `database_not_durable`.
    """
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("PRAGMA synchronous").scalar()
        if found != _FULL:
            raise StoreError.of_facts("database_not_durable", path=file, why=f"synchronous = {found}")


def check_postgres(connection: Any) -> None:
    """Prepares a new connection to PostgreSQL, whatever the defaults of the role and of the database are.

    Raises:
        StoreError: `database_pooled`, if it leads to a connection pooler. The lock against migrations
            would belong to a connection that the pooler may give to somebody else.
    """
    cursor = connection.cursor()
    pid = cursor.execute("SELECT pg_backend_pid()").fetchone()[0]
    if pid != connection.info.backend_pid:
        raise StoreError.of_facts("database_pooled", host=connection.info.host, port=connection.info.port)
    (found,) = cursor.execute("SHOW synchronous_commit").fetchone()
    if found != "remote_apply":
        cursor.execute("SET synchronous_commit TO on")
    # A process that is stopped in a transaction must not keep others from the games it has locked.
    cursor.execute("SET idle_in_transaction_session_timeout = '1s'")
    cursor.close()
    connection.commit()
