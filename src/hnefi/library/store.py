"""The database of a library: one SQLite file, which several processes may open at once."""

import errno
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hnefi.closing import Closing
from hnefi.errors import HnefiError
from hnefi.library import header_values
from hnefi.library.position_index import PositionIndex

_APPLICATION = 0x7461666C
_VERSION = 1
_LOCK_TIMEOUT_S = 30.0
_RETRY_S = 0.02

_SCHEMA = """
CREATE TABLE rules (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    variant TEXT NOT NULL,
    switches TEXT NOT NULL,
    tree TEXT NOT NULL
);
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    rules INTEGER NOT NULL REFERENCES rules,
    likeness INTEGER NOT NULL,
    attackers TEXT NOT NULL,
    defenders TEXT NOT NULL,
    date TEXT NOT NULL,
    result TEXT NOT NULL,
    reason TEXT NOT NULL,
    plies INTEGER NOT NULL,
    source INTEGER NOT NULL REFERENCES sources,
    line INTEGER NOT NULL,
    fault TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX games_by_likeness ON games (likeness);
CREATE INDEX games_by_rules ON games (rules, result, reason, plies);
CREATE INDEX games_by_attackers ON games (attackers COLLATE NOCASE);
CREATE INDEX games_by_defenders ON games (defenders COLLATE NOCASE);
"""


class LibraryError(HnefiError):
    """A library that cannot be opened, read or written."""


class Library(Closing):
    """An open library. A context manager that closes it on exit.

    Several processes may read a library while one writes; a second writer waits for up to 30 seconds.

    Attributes:
        path: Its file.
    """

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        """Opens a library.

        Args:
            create: Whether an empty library is created if the file does not exist.

        Raises:
            LibraryError: `no_library`, `cannot_read` for a folder, `not_a_library`, `newer_library`,
                `library_busy`, `library_damaged` or `cannot_write_library`.
        """
        self.path = Path(path)
        if self.path.is_dir():
            raise _error("cannot_read", self.path, why=os.strerror(errno.EISDIR))
        if not create and not self.path.is_file():
            raise _error("no_library", self.path)
        with _library_errors(self.path):
            if create:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.path, timeout=_LOCK_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(create=create)
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self, *, create: bool) -> None:
        run = self._connection.execute
        header_values.register(self._connection)
        application, version, tables = self._read_identity()
        if application != _APPLICATION and not (create and not tables):
            raise _error("not_a_library", self.path)
        if version > _VERSION:
            raise _error("newer_library", self.path, found=str(version), expected=str(_VERSION))
        self._enable_wal()
        # A power failure may lose the last games added, never others; they can be added again.
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA cache_size = -131072")
        run("PRAGMA temp_store = MEMORY")
        run("PRAGMA mmap_size = 4294967296")
        if application != _APPLICATION:
            self._create_tables()

    def _read_identity(self) -> tuple[int, int, int]:
        """Returns application id, schema version and number of tables, from one snapshot."""
        questions = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        with self.reading() as connection:
            connection.execute(questions[-1]).fetchone()
            application, version, tables = (
                connection.execute(question).fetchone()[0] for question in questions
            )
        return application, version, tables

    def _enable_wal(self) -> None:
        """Switches the file to write-ahead logging, so that others can read during writes.

        SQLite does not wait for another process that does the same to a new file, hence the retries.
        """
        deadline = time.monotonic() + _LOCK_TIMEOUT_S
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_RETRY_S)
            else:
                return

    def _create_tables(self) -> None:
        with self.writing() as connection:
            # Another process may have created the tables meanwhile.
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return
            for statement in (*_SCHEMA.split(";\n"), *PositionIndex.SCHEMA):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")

    def close(self) -> None:
        """Closes the library."""
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Opens a write transaction: everything written inside is committed, or nothing.

        Raises:
            LibraryError: `library_busy`, `library_damaged` or `cannot_write_library`.
        """
        with _library_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Opens a read transaction: everything read inside is from one snapshot.

        Raises:
            LibraryError: `library_busy` or `library_damaged`.
        """
        with _library_errors(self.path):
            self._connection.execute("BEGIN")
            try:
                yield self._connection
            finally:
                self._connection.execute("ROLLBACK")

    def count(self) -> int:
        """Counts the games."""
        with self.reading() as connection:
            found: int = connection.execute("SELECT count(*) FROM games").fetchone()[0]
        return found

    def check(self) -> list[str]:
        """Returns the problems of the file, empty if it is sound. Complexity is O(n)."""
        with self.reading() as connection:
            report = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
        return [] if report == ["ok"] else report


@contextmanager
def _library_errors(path: Path) -> Iterator[None]:
    """Converts errors of the database to a LibraryError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        is_busy = "locked" in str(error) or "busy" in str(error)
        raise _error("library_busy" if is_busy else "cannot_write_library", path, why=error) from error
    except sqlite3.DatabaseError as error:
        if "closed database" in str(error):
            raise _error("library_closed", path) from error
        is_other = "not a database" in str(error)
        raise _error("not_a_library" if is_other else "library_damaged", path, why=error) from error
    except UnicodeError as error:
        # The messages of SQLite about a damaged file may be invalid text.
        raise _error("library_damaged", path, why=error) from error
    except OSError as error:
        raise _error("cannot_write_library", path, why=error) from error


def _error(code: str, path: Path, **facts: object) -> LibraryError:
    return LibraryError.of_facts(code, **{"path": path, "why": "", **facts})
