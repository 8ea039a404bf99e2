"""A lock on the database: one server has it, and a second one is told so instead of doing harm."""

import os
import time
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Connection
from sqlalchemy.engine import make_url

from hnefi.errors import HnefiError

__all__ = ["DatabaseLock", "StoreError", "store_error"]

_ADVISORY = 0x686E656669
_HANDOVER_S, _PAUSE_S = 10.0, 0.1


class StoreError(HnefiError):
    """A database that cannot be used, backed up or restored."""


def store_error(code: str, **facts: object) -> StoreError:
    """Makes the error, with its facts."""
    parameters = {name: str(value) for name, value in facts.items()}
    return StoreError(code, f"{code}: {', '.join(parameters.values())}", parameters)


class DatabaseLock:
    """Held as long as a server runs; the system lets go of it when the process ends, however it does."""

    def __init__(self, url: str) -> None:
        """Takes the lock of a database file; that of PostgreSQL is taken by `hold`.

        Raises:
            StoreError: `database_in_use`.
        """
        parsed = make_url(url)
        self._file: IO[str] | None = None
        self._was_held = False
        if parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
            self._file = _locked(Path(f"{parsed.database}.lock"))

    def hold(self, connection: Connection) -> None:
        """Takes the lock that belongs to a connection of PostgreSQL.

        PostgreSQL may notice a little late that a server has ended; the one after it waits for that.

        Raises:
            StoreError: `database_in_use`.
        """
        if connection.dialect.name != "postgresql":
            return
        until = time.monotonic() + (0.0 if self._was_held else _HANDOVER_S)
        while not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({_ADVISORY})").scalar():
            if time.monotonic() >= until:
                raise store_error("database_in_use", path=connection.engine.url.render_as_string())
            time.sleep(_PAUSE_S)
        self._was_held = True

    def release(self) -> None:
        """Lets go of it."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _locked(path: Path) -> IO[str]:
    file = os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), "r+")
    try:
        _lock(file)
    except OSError:
        file.close()
        raise store_error("database_in_use", path=path.with_suffix("")) from None
    return file


def _lock(file: Any) -> None:
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
