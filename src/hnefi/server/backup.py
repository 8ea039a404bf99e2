"""Backs up a database while games are played, and restores it."""

import contextlib
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from sqlalchemy.exc import SQLAlchemyError

from hnefi.files import sync, write_atomically
from hnefi.server.store import database
from hnefi.server.store.lock import DatabaseLock, StoreError
from hnefi.server.verification import Progress, Verification, interruptible, read_error, verify

METRICS_FILE = "hnefi_backup.prom"
"""The file in a folder of backups that tells when the last verified one was made."""

_NAME = re.compile(r"games-\d{8}T\d{6}Z\.backup")
_NAME_FORMAT = "games-%Y%m%dT%H%M%SZ.backup"
_METRICS = (
    ("verified_timestamp_seconds", "When the last backup without damage was made."),
    ("newest_event_timestamp_seconds", "When the newest event in it happened."),
    ("games", "The number of games in it."),
    ("events", "The number of events in it."),
    ("bytes", "Its size."),
)


def back_up(url: str, target: Path, on_progress: Progress = lambda *_: None) -> Verification:
    """Copies a consistent snapshot of a SQLite file, and verifies the copy. Games may be played meanwhile.

    The copy stays if a game in it is damaged: one game must not prevent all backups.

    Raises:
        StoreError: `backup_by_postgres`, `file_exists`, `no_database`, `bad_database`.
        OSError: If the copy cannot be written.
    """
    source = _file_of(url)
    if target.exists():
        raise StoreError.of_facts("file_exists", path=target)
    with _errors_of(source, target), _new_file(target) as partial:
        with contextlib.closing(_open(source)) as connection, interruptible(connection):
            connection.execute("VACUUM INTO ?", (str(partial),))
        return verify(partial, on_progress)


def restore(
    source: Path,
    url: str,
    *,
    replaces: bool = False,
    allows_damage: bool = False,
    on_progress: Progress = lambda *_: None,
) -> tuple[Verification, Path | None]:
    """Replaces a database by a copy; no server may be using it.

    Args:
        source: The copy; also a database that was set aside, with its WAL.
        replaces: Whether an existing database may be replaced; it is renamed to `….before`, `….before-2`, ….
        allows_damage: Whether the copy may have damaged games.

    Returns:
        What is in the copy, and where the old database is; None if there was none.

    Raises:
        StoreError: `backup_by_postgres`, `file_exists`, `no_database`, `bad_database`, `backup_damaged`,
            `database_in_use`.
        OSError: If the database cannot be written.
    """
    target = _file_of(url, must_exist=False)
    found = verify(source, on_progress)
    if found.damage and not allows_damage:
        raise StoreError.of_facts("backup_damaged", path=source, count=len(found.damage))
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = DatabaseLock(target)
    try:
        if target.exists() and not replaces:
            raise StoreError.of_facts("file_exists", path=target)
        with _errors_of(source, target), _new_file(target) as partial:
            _copy(source, partial)
            _change_owner(partial, target.with_name(f"{target.name}.lock"))
            sync(partial)
            aside = _set_aside(target)
    finally:
        lock.release()
    return found, aside


def verify_upgrade(source: Path, on_progress: Progress = lambda *_: None) -> Verification:
    """Verifies a backup as this version will see it: a copy is migrated, and each game of it replayed.

    The copy lies in a temporary folder, which `TMPDIR` names; it needs twice the space of the backup there.

    Raises:
        StoreError: `no_database`, `bad_database`, `database_version`, `database_no_room`.
        OSError: If the copy cannot be written.
    """
    if not source.is_file():
        raise StoreError.of_facts("no_database", path=source)
    with tempfile.TemporaryDirectory(prefix="hnefi-") as folder:
        copy = Path(folder) / "games.db"
        with _errors_of(source, copy):
            _copy(source, copy)
            with database.connected(database.open_writer(database.sqlite_url(copy))) as connection:
                database.migrate(connection)
        return verify(copy, on_progress)


# --- Folders of backups ---------------------------------------------------------------------------------


def backup_path(target: Path) -> Path:
    """Returns the file of a new backup: the target, or in a folder a name with the time."""
    return target / datetime.now(UTC).strftime(_NAME_FORMAT) if target.is_dir() else target


def find_backup(source: Path) -> Path:
    """Returns a backup: the file, or the newest one in a folder.

    Raises:
        StoreError: `no_database` if a folder has none.
        OSError: If there is no such file or folder.
    """
    source.stat()
    if not source.is_dir():
        return source
    if not (found := _backups_in(source)):
        raise StoreError.of_facts("no_database", path=source)
    return found[-1]


def keep_newest(folder: Path, count: int) -> list[Path]:
    """Deletes all backups in a folder but the newest ones, and returns the deleted ones.

    Only files whose name `backup_path` made are deleted, and what interrupted backups left.
    """
    old = _backups_in(folder)[:-count]
    for path in [*old, *folder.glob(".games-*Z.backup.partial")]:
        path.unlink()
    return old


def write_metrics(backup: Path, found: Verification) -> None:
    """Writes when a verified backup was made, in the format of Prometheus, beside it.

    Raises:
        OSError: If it cannot be written.
    """
    newest_s = (found.newest_us or 0) / 1_000_000
    values = (time.time(), newest_s, found.games, found.events, backup.stat().st_size)
    lines = []
    for (name, text), value in zip(_METRICS, values, strict=True):
        metric = f"hnefi_backup_{name}"
        lines += [f"# HELP {metric} {text}\n", f"# TYPE {metric} gauge\n", f"{metric} {value:.0f}\n"]
    write_atomically(backup.with_name(METRICS_FILE), "".join(lines))


def _backups_in(folder: Path) -> list[Path]:
    """Lists the backups of a folder, the newest last."""
    return sorted(path for path in folder.iterdir() if _NAME.fullmatch(path.name))


# --- Files ----------------------------------------------------------------------------------------------


def _file_of(url: str, *, must_exist: bool = True) -> Path:
    if not database.is_sqlite(url):
        raise StoreError.of_facts("backup_by_postgres")
    path = database.sqlite_file(url)
    assert path is not None
    if must_exist and not path.is_file():
        raise StoreError.of_facts("no_database", path=path)
    return path


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)


def _copy(source: Path, target: Path) -> None:
    """Copies a database, with what is in its WAL."""
    with contextlib.closing(_open(source)) as old, contextlib.closing(sqlite3.connect(target)) as new:
        old.backup(new)


@contextlib.contextmanager
def _errors_of(source: Path, target: Path) -> Iterator[None]:
    """Turns errors of a database, and of its copy within the block, into that of the file they concern."""
    try:
        yield
    except StoreError as error:
        # It names the copy, which is gone by now.
        raise StoreError.of_facts(error.code, **{**error.parameters, "path": source}) from error
    except (sqlite3.Error, SQLAlchemyError) as error:
        raise read_error(error, source, target) from error


@contextlib.contextmanager
def _new_file(target: Path) -> Iterator[Path]:
    """Creates an empty file, which gets the name of the target when the block has ended without an error."""
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    partial.touch(0o600, exist_ok=False)
    try:
        yield partial
        sync(partial)
        partial.rename(target)
        # Some systems cannot flush a folder.
        with contextlib.suppress(OSError):
            sync(target.parent)
    finally:
        partial.unlink(missing_ok=True)


def _change_owner(*paths: Path) -> None:
    """Changes the owner of files that root made to that of their folder, as whom the server runs."""
    if os.name == "posix" and os.geteuid() == 0:
        for path in paths:
            owner = path.parent.stat()
            os.chown(path, owner.st_uid, owner.st_gid)


def _set_aside(target: Path) -> Path | None:
    """Renames a database that is replaced, with its WAL; returns its new name, None if there was none."""
    before, number = target.with_name(f"{target.name}.before"), 1
    while before.exists():
        number += 1
        before = target.with_name(f"{target.name}.before-{number}")
    # A WAL without its database would be taken for that of the new one.
    for suffix in ("-wal", "-shm"):
        beside = Path(f"{target}{suffix}")
        if beside.exists():
            beside.replace(Path(f"{before}{suffix}"))
    if not target.exists():
        return None
    target.replace(before)
    return before
