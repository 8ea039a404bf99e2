"""A lock on the database, so that a second server refuses to start."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from sqlalchemy import Connection
from sqlalchemy.engine import URL, make_url

from hnefi.errors import HnefiError

_ADVISORY = 0x686E656669
_HANDOVER_S, _PAUSE_S = 10.0, 0.1
_MAKING = "making"


class StoreError(HnefiError):
    """A database that cannot be used, backed up or restored."""


def shown(url: URL | str) -> str:
    """Returns a URL as it was given, without its password."""
    return make_url(url).render_as_string().replace("+psycopg", "", 1)


class DatabaseLock:
    """The lock of a running server. The operating system releases it when the process ends."""

    def __init__(self, file: Path | None) -> None:
        """Takes the lock of a SQLite file; `hold` takes the one of PostgreSQL, which processes share.

        A file with several names (hard links) is refused: SQLite would keep a log for each name, and damage
        the file. The caller has followed symbolic links. `file` is None for PostgreSQL.

        Raises:
            StoreError: `database_in_use`, `database_linked`.
        """
        self._file: IO[str] | None = None
        self._was_held = False
        if file is not None:
            if file.exists() and file.stat().st_nlink > 1:
                raise StoreError.of_facts("database_linked", path=file)
            self._file = _locked(file.with_name(f"{file.name}.lock"))

    @property
    def is_making(self) -> bool:
        """Whether the database is being created, or was when a server ended before it was complete."""
        if self._file is None:
            return False
        self._file.seek(0)
        return self._file.read() == _MAKING

    @is_making.setter
    def is_making(self, is_making: bool) -> None:
        if self._file is not None and is_making != self.is_making:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(_MAKING if is_making else "")
            self._file.flush()
            os.fsync(self._file.fileno())

    def hold(self, connection: Connection) -> None:
        """Takes the lock of a connection to PostgreSQL, which all processes share and a migration has alone.

        Raises:
            StoreError: `database_in_use`, if a migration takes longer than 10 seconds.
        """
        if connection.dialect.name != "postgresql":
            return
        until = time.monotonic() + (0.0 if self._was_held else _HANDOVER_S)
        while not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock_shared({_ADVISORY})").scalar():
            _pause(connection, until)
        self._was_held = True

    def do_alone(
        self, connection: Connection, work: Callable[[], None], *, is_needed: Callable[[], bool]
    ) -> None:
        """Does work on a PostgreSQL that no other process uses, unless another one does it first.

        Raises:
            StoreError: `database_in_use`, if others use it for 10 seconds.
        """
        until = time.monotonic() + _HANDOVER_S
        while is_needed():
            if connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_ADVISORY})").scalar():
                try:
                    work()
                finally:
                    connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_ADVISORY})")
            else:
                _pause(connection, until)

    def release(self) -> None:
        """Releases it."""
        if self._file is not None:
            self._file.close()


def _pause(connection: Connection, until: float) -> None:
    if time.monotonic() >= until:
        raise StoreError.of_facts("database_in_use", path=shown(connection.engine.url))
    time.sleep(_PAUSE_S)


def _locked(path: Path) -> IO[str]:
    file = os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), "r+")
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise StoreError.of_facts("database_in_use", path=path.with_suffix("")) from None
    return file
