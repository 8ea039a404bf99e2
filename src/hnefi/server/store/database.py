"""Connections to the database, SQLite or PostgreSQL, and its migrations."""

import logging
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.engine import URL, make_url

from hnefi.server.store import schema
from hnefi.server.store.checks import check_postgres
from hnefi.server.store.lock import StoreError, shown

_log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).with_name("migrations")
_REVISIONS = "alembic_version"
_BUSY_MS = 5_000
SILENCE: dict[str, Any] = {
    "connect_timeout": 3,
    "tcp_user_timeout": 3_000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
}
"""Parameters of a connection to PostgreSQL that is cut: after three to five seconds that is an error."""


def sqlite_url(path: Path) -> str:
    """Returns the URL of a SQLite file."""
    return URL.create("sqlite", database=str(path)).render_as_string(hide_password=False)


def sqlite_file(url: str) -> Path | None:
    """Returns the file of a SQLite database, with all symbolic links resolved; None if it has none."""
    parsed = make_url(url)
    name = parsed.database
    if parsed.get_backend_name() != "sqlite" or not name or name == ":memory:":
        return None
    if name.startswith("file:"):
        name = unquote(urlsplit(name).path)
    return Path(name).resolve()


def is_sqlite(url: str) -> bool:
    """Checks whether a URL names a SQLite file."""
    return make_url(url).get_backend_name() == "sqlite"


def open_writer(url: str) -> Engine:
    """Opens the only connection that writes.

    SQLite runs in WAL mode with full synchronisation: a commit survives a loss of power. There must be no
    second writing connection: SQLite before 3.51.3 can damage the WAL when two of them restart it at once.
    """
    if not is_sqlite(url):
        return _open(url, 1, check_postgres)
    if (file := sqlite_file(url)) is not None and not file.exists():
        file.touch(0o600)
    pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "temp_store=MEMORY")
    return _open(url, 1, partial(_set_pragmas, pragmas))


def open_reader(url: str, connections: int = 2) -> Engine:
    """Opens read-only connections."""
    if not is_sqlite(url):
        return _open(url, connections, pool_pre_ping=True)
    return _open(url, connections, partial(_set_pragmas, ("query_only=ON",)))


def _open(
    url: str, connections: int, prepare: Callable[[Any], None] | None = None, *, pool_pre_ping: bool = False
) -> Engine:
    """Opens at most some connections, each of which is prepared first."""
    parsed = make_url(url)
    if is_sqlite(url):
        arguments = {"check_same_thread": False, "timeout": _BUSY_MS / 1000, "cached_statements": 256}
    else:
        arguments = {name: value for name, value in SILENCE.items() if name not in parsed.query}
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
    engine = create_engine(
        parsed,
        isolation_level="AUTOCOMMIT",
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=pool_pre_ping,
        hide_parameters=True,
        connect_args=arguments,
    )
    if prepare is not None:
        event.listen(engine, "connect", lambda connection, _: prepare(connection))
    return engine


@contextmanager
def connected(engine: Engine) -> Iterator[Connection]:
    """Opens the only connection of an engine, which ends with the block."""
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def begin(connection: Connection) -> None:
    """Begins a writing transaction; on SQLite it takes the lock at once."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else "BEGIN")


def is_older(connection: Connection) -> bool:
    """Checks whether there are migrations for a database: its tables are older, or there are none."""
    return version(connection) in (None, *_revisions()[:-1])


def is_known(revision: str | None) -> bool:
    """Checks whether there are tables, of a version that this one can read or migrate."""
    return revision in _revisions()


def unknown_version(found: str | None, path: object) -> StoreError:
    """Returns the error of tables of a version that this one does not know, or of none."""
    if found is None:
        return StoreError.of_facts("bad_database", path=path, why="no tables of Hnefi")
    return StoreError.of_facts("database_version", path=path, found=found, expected=_revisions()[-1])


def migrate(connection: Connection) -> None:
    """Makes or migrates the tables in one transaction; those of a SQLite file are copied before.

    Raises:
        StoreError: `database_version`, if the tables are of no version that this one knows;
            `database_no_room`, if there is no room for the copy.
    """
    found, url = version(connection), connection.engine.url
    # Tables of another program, to which none are added.
    is_foreign = found is None and inspect(connection).get_table_names() != []
    if is_foreign or (found is not None and not is_known(found)):
        raise unknown_version(found, sqlite_file(str(url)) or shown(url))
    if (file := sqlite_file(str(url))) is not None and found in _revisions()[:-1]:
        _copy(connection, file, file.with_name(f"{file.name}.{found}"))
    begin(connection)
    try:
        if found != _revisions()[-1]:
            if connection.dialect.name == "postgresql":
                # Between two statements a slow machine may take longer than is allowed to others.
                connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
            stored = _count(connection) if found is not None else None
            _upgrade(connection, found)
            if stored is not None and _count(connection) != stored:
                # A batch rebuild of `game` on SQLite would delete what hangs on it without an error.
                raise RuntimeError("the migration has deleted games, events or seats")
    except BaseException:
        connection.exec_driver_sql("ROLLBACK")
        raise
    connection.exec_driver_sql("COMMIT")
    if found not in (None, _revisions()[-1]):
        _log.info("the tables were migrated from %s to %s", found, _revisions()[-1])


def _count(connection: Connection) -> list[int]:
    """Counts what no migration may delete."""
    return [
        int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())
        for table in ("game", "event", "seat", "link", "classroom")
    ]


def _copy(connection: Connection, file: Path, target: Path) -> None:
    """Copies a SQLite file, whatever a former try has left there."""
    pages, page_bytes = (
        connection.exec_driver_sql(f"PRAGMA page_{name}").scalar_one() for name in ("count", "size")
    )
    if shutil.disk_usage(file.parent).free < 1.1 * pages * page_bytes:
        raise StoreError.of_facts("database_no_room", path=file)
    target.unlink(missing_ok=True)
    target.touch(0o600)
    connection.exec_driver_sql("VACUUM INTO ?", (str(target),))


def version(connection: Connection) -> str | None:
    """Returns the revision of the tables, None if there are none."""
    if not inspect(connection).has_table(_REVISIONS):
        return None
    found: str | None = connection.exec_driver_sql(
        f"SELECT version_num FROM {_REVISIONS}"
    ).scalar_one_or_none()
    return found


def _upgrade(connection: Connection, found: str | None) -> None:
    # Importing Alembic takes a tenth of a second, and hardly any start has something to migrate.
    from alembic import command
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(MIGRATIONS))
    settings.attributes["connection"] = connection
    if found is None:
        schema.metadata.create_all(connection)
        command.stamp(settings, "head")
    else:
        command.upgrade(settings, "head")


def _revisions() -> list[str]:
    """Returns all revisions, the oldest first: the names of the migrations begin with them."""
    return sorted(path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def _set_pragmas(pragmas: Iterable[str], connection: Any) -> None:
    cursor = connection.cursor()
    for pragma in pragmas:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
