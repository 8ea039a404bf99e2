"""The database of a library: one SQLite file, which several programs may have open at once."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from hnefi.errors import HnefiError, shown
from hnefi.library.position_index import PositionIndex

__all__ = ["Library", "LibraryError"]

_APPLICATION = 0x7461666C
_VERSION = 1
_PATIENCE_S = 30.0
_PAUSE_S = 0.02

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


class Library:
    """An open library. A context manager; what was written when it is left is kept.

    Several programs may read one library while one of them writes; a second one that writes waits, for up to
    30 seconds.

    Attributes:
        path: Its file.
    """

    def __init__(self, path: str | Path, *, create: bool = False) -> None:
        """Opens a library.

        Args:
            path: Its file.
            create: Whether an empty one is made where there is none.

        Raises:
            LibraryError: `no_library`, `not_a_library`, `newer_library`, `library_busy`, `library_damaged` or
                `cannot_write_library`.
        """
        self.path = Path(path)
        if not create and not self.path.is_file():
            raise _error("no_library", self.path)
        with _told(self.path):
            if create:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                self.path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare(create=create)
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self, *, create: bool) -> None:
        run = self._connection.execute
        application, version, tables = self._nature()
        if application != _APPLICATION and not (create and not tables):
            raise _error("not_a_library", self.path)
        if version > _VERSION:
            raise _error("newer_library", self.path, found=str(version), expected=str(_VERSION))
        self._log_ahead()
        # A power cut may take the last games added with it, never the others: they can be added again.
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA cache_size = -131072")
        run("PRAGMA temp_store = MEMORY")
        run("PRAGMA mmap_size = 4294967296")
        if application != _APPLICATION:
            self._make()

    def _nature(self) -> tuple[int, int, int]:
        """Returns what says whose file it is, in which form, and whether it has tables, of one moment."""
        questions = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
        with self.reading() as connection:
            connection.execute(questions[-1]).fetchone()
            application, version, tables = (
                connection.execute(question).fetchone()[0] for question in questions
            )
        return application, version, tables

    def _log_ahead(self) -> None:
        """Has changes written to a log first, so that others can read meanwhile; the file remembers it.

        SQLite does not wait by itself for others who do the same to a new file.
        """
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(_PAUSE_S)
            else:
                return

    def _make(self) -> None:
        with self.writing() as connection:
            # Another program may have been faster.
            if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                return
            for statement in (*_SCHEMA.split(";\n"), *PositionIndex.SCHEMA):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes it."""
        self._connection.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Everything written inside is kept as a whole, or not at all.

        Raises:
            LibraryError: `library_busy`, `library_damaged` or `cannot_write_library`.
        """
        with _told(self.path):
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
        """Everything read inside is of one moment, whatever others write meanwhile.

        Raises:
            LibraryError: `library_busy` or `library_damaged`.
        """
        with _told(self.path):
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
        """Returns what is wrong with the file, nothing if it is sound. Complexity is O(n)."""
        with self.reading() as connection:
            told = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(20)")]
        return [] if told == ["ok"] else told


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Has trouble with the database told as trouble with the library."""
    try:
        yield
    except sqlite3.OperationalError as error:
        is_busy = "locked" in str(error) or "busy" in str(error)
        raise _error("library_busy" if is_busy else "cannot_write_library", path, why=str(error)) from error
    except sqlite3.DatabaseError as error:
        is_other = "not a database" in str(error)
        raise _error("not_a_library" if is_other else "library_damaged", path, why=str(error)) from error
    except UnicodeError as error:
        # What a damaged file makes SQLite say need not be a text.
        raise _error("library_damaged", path, why=str(error)) from error
    except OSError as error:
        raise _error("cannot_write_library", path, why=error.strerror or str(error)) from error


def _error(code: str, path: Path, **facts: str) -> LibraryError:
    parameters = {"path": shown(path, 300), "why": "", **facts}
    return LibraryError(code, f"{parameters['path']}: {code} {parameters['why']}".strip(), parameters)
