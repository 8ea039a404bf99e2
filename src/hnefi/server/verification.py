"""Verifies a database: its integrity, and every game by replaying it with its stored rules."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from sqlalchemy import Connection, create_engine, func, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from hnefi._core import Rules
from hnefi.errors import HnefiError, shorten
from hnefi.server.events import Event, Restart
from hnefi.server.games.state import ImpossibleEvent, fold
from hnefi.server.store import database, schema
from hnefi.server.store.checks import refusal_of_system, sqlite_code
from hnefi.server.store.lock import StoreError, shown
from hnefi.server.store.reading import read_event, restarts

DamageCode = Literal[
    "page_damaged",
    "rules_missing",
    "rules_damaged",
    "game_unreadable",
    "no_events",
    "event_missing",
    "event_unreadable",
    "event_impossible",
    "event_without_game",
]
"""The kinds of damage. Programs may rely on them."""

Progress = Callable[[int, int], None]
"""Called with the number of games that are verified, and of all games."""

_MAX_REASON = 200
_MAX_PAGES = 100
_UNREADABLE = (0, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR)
"""What SQLite reports of files that may be whole, and 0 for what PostgreSQL reports."""
_OPCODES = 100_000


@dataclass(frozen=True, slots=True)
class Damage:
    """One damaged part of a database.

    Attributes:
        code: What is wrong.
        game: The game, None if it is the database itself.
        seq: The number of the event, None if it is no single event.
        why: The reason, for operators; not translated.
    """

    code: DamageCode
    game: str | None
    seq: int | None
    why: str


@dataclass(slots=True)
class Verification:
    """What is in a database.

    Attributes:
        revision: The revision of its tables.
        newest_us: When the newest event happened, in microseconds since 1970; None without events.
        marked: The games that have expired and are marked for deletion, with the time in microseconds.
    """

    revision: str
    games: int = 0
    events: int = 0
    newest_us: int | None = None
    damage: list[Damage] = field(default_factory=list)
    marked: list[tuple[str, int]] = field(default_factory=list)


def verify(source: Path | str, on_progress: Progress = lambda *_: None) -> Verification:
    """Verifies a database without changing it; a server may be using it.

    All of it is read in one transaction, as of one moment. `source` is a SQLite file, or the URL of a
    database.

    Raises:
        StoreError: `no_database`, `bad_database`, `database_version`, `cannot_read`.
        KeyboardInterrupt: If it is interrupted, also during a long query of SQLite.
    """
    if isinstance(source, str):
        source = database.sqlite_file(source) or source
    name = source if isinstance(source, Path) else shown(source)
    if isinstance(source, str):
        engine = database.open_reader(source, 1)
    elif source.is_file():
        file = f"file:{quote(str(source))}"
        engine = create_engine(URL.create("sqlite", database=file, query={"mode": "ro", "uri": "true"}))
    else:
        raise StoreError.of_facts("no_database", path=source)
    try:
        with database.connected(engine) as connection, interruptible(connection.connection.driver_connection):
            return _Verifier(connection, name, on_progress).run()
    except SQLAlchemyError as error:
        raise read_error(error, name) from error


def read_error(error: Exception, path: object, target: Path | None = None) -> StoreError:
    """Returns the error of a database that cannot be read, or copied to a target.

    A full disk is no damage of what is copied, and neither is a server that does not answer.
    """
    if refused := refusal_of_system(error, target or path):
        return refused
    code = "cannot_read" if sqlite_code(error) in _UNREADABLE else "bad_database"
    why = shorten(getattr(error, "orig", None) or error, _MAX_REASON, collapses_spaces=True)
    return StoreError.of_facts(code, path=path, why=why)


class _Verifier:
    """Verifies the database of one connection."""

    def __init__(self, connection: Connection, name: object, on_progress: Progress) -> None:
        self._connection = connection
        self._name = name
        self._report = on_progress
        self._is_sqlite = connection.dialect.name == "sqlite"
        self._compiled: dict[str, Rules] = {}
        self._restarts: list[Restart] = []
        self._found = Verification("")

    def run(self) -> Verification:
        """Verifies everything.

        Raises:
            SQLAlchemyError: If it is no database at all.
            StoreError: If there are no tables of Hnefi, or those of another version.
        """
        self._begin()
        if self._is_sqlite:
            self._check_pages()
        try:
            self._check_games()
        except SQLAlchemyError as error:
            # Damaged pages may hide everything else.
            if not self._found.damage or sqlite_code(error) == sqlite3.SQLITE_INTERRUPT:
                raise
            self._add("page_damaged", None, None, getattr(error, "orig", None) or error)
        return self._found

    def _check_games(self) -> None:
        """Checks all games.

        Raises:
            SQLAlchemyError: If the list of games cannot be read.
            StoreError: If there are no tables of Hnefi, or those of another version.
        """
        revision = database.version(self._connection)
        if not database.is_known(revision):
            raise database.unknown_version(revision, self._name)
        self._found.revision = str(revision)
        self._restarts = restarts(self._connection)
        game = schema.game.c
        marked = select(game.id, game.marked_us).where(game.marked_us.is_not(None))
        rows = self._connection.execute(marked.order_by(game.marked_us, game.id))
        self._found.marked = [(row.id, row.marked_us) for row in rows]
        games = self._connection.execute(select(game.id, game.rules)).all()
        rules = self._connection.execute(select(schema.rules.c.hash, schema.rules.c.tree))
        trees = {row.hash: row.tree for row in rules}
        self._report(0, len(games))
        for number, (name, rules_hash) in enumerate(games, 1):
            self._check_game(name, rules_hash, trees.get(rules_hash))
            self._found.games = number
            self._report(number, len(games))
        if self._is_sqlite:  # PostgreSQL enforces the foreign key, and so does restoring a dump
            self._check_orphans()

    def _begin(self) -> None:
        """Begins a transaction that sees one moment of the database."""
        level = "" if self._is_sqlite else " ISOLATION LEVEL REPEATABLE READ READ ONLY"
        self._connection.exec_driver_sql(f"BEGIN{level}")

    def _add(self, code: DamageCode, game: str | None, seq: int | None, why: object) -> None:
        self._found.damage.append(Damage(code, game, seq, shorten(why, _MAX_REASON, collapses_spaces=True)))

    def _check_pages(self) -> None:
        """Checks all pages and indexes of a SQLite file.

        Raises:
            SQLAlchemyError: If it is not a SQLite file.
        """
        try:
            lines = self._connection.exec_driver_sql(f"PRAGMA integrity_check({_MAX_PAGES})").scalars().all()
        except SQLAlchemyError as error:
            if sqlite_code(error) != sqlite3.SQLITE_CORRUPT:
                raise
            lines = [str(error.__cause__)]
        for line in lines:
            if line != "ok":
                self._add("page_damaged", None, None, line)
        file = Path(str(self._name))
        page = self._connection.exec_driver_sql("PRAGMA page_size").scalar_one()
        missing = -file.stat().st_size % page
        # SQLite reads those bytes as zeros. With a log beside the file, its last page may be half written.
        if missing and not Path(f"{file}-wal").exists():
            why = f"the file was cut off: {missing} bytes of a page are missing"
            self._add("page_damaged", None, None, why)

    def _check_game(self, game: str, rules_hash: str, tree: str | None) -> None:
        try:
            rows = self._connection.execute(
                select(schema.event).where(schema.event.c.game == game).order_by(schema.event.c.seq)
            ).all()
        except SQLAlchemyError as error:
            if sqlite_code(error) == sqlite3.SQLITE_INTERRUPT:
                raise
            self._add("game_unreadable", game, None, getattr(error, "orig", None) or error)
            if not self._is_sqlite:
                self._connection.exec_driver_sql("ROLLBACK")
                self._begin()
            return
        self._found.events += len(rows)
        events = self._read_events(game, rows)
        rules = self._rules(game, rules_hash, tree)
        if events is None or rules is None:
            return
        try:
            fold(events, rules, self._restarts)
        except (HnefiError, ValueError, LookupError, AssertionError) as error:
            seq = error.seq if isinstance(error, ImpossibleEvent) else None
            self._add("event_impossible", game, seq, str(error) or type(error).__name__)

    def _read_events(self, game: str, rows: Sequence[Any]) -> list[Event] | None:
        """Returns the events, None if some are damaged or missing."""
        if not rows:
            self._add("no_events", game, None, "0")
            return None
        events, before = list[Event](), len(self._found.damage)
        missing = sorted(set(range(1, rows[-1].seq + 1)) - {row.seq for row in rows})
        for seq in missing:
            self._add("event_missing", game, seq, f"{len(rows)} events, the last one is {rows[-1].seq}")
        for row in rows:
            try:
                events.append(read_event(row))
                self._found.newest_us = max(self._found.newest_us or 0, events[-1].t_us)
            except ValueError as error:
                self._add("event_unreadable", game, row.seq, error.__cause__)
        return events if len(self._found.damage) == before else None

    def _rules(self, game: str, rules_hash: str, tree: str | None) -> Rules | None:
        """Returns the compiled rules of a game, None if they are damaged."""
        if tree is None:
            self._add("rules_missing", game, None, rules_hash)
            return None
        if rules_hash not in self._compiled:
            try:
                rules = Rules(tree)
            except (HnefiError, ValueError) as error:
                self._add("rules_damaged", game, None, error)
                return None
            if rules.hash != rules_hash:
                self._add("rules_damaged", game, None, f"{rules.hash}, not {rules_hash}")
                return None
            self._compiled[rules_hash] = rules
        return self._compiled[rules_hash]

    def _check_orphans(self) -> None:
        """Finds events whose game is missing."""
        event, game = schema.event.c, schema.game.c
        found = (
            select(event.game, func.count(), func.min(event.seq))
            .where(~select(game.id).where(game.id == event.game).exists())
            .group_by(event.game)
        )
        for name, count, seq in self._connection.execute(found).all():
            self._found.events += count
            self._add("event_without_game", name, seq, f"{count} events")


@contextmanager
def interruptible(connection: object) -> Iterator[None]:
    """Lets Ctrl+C interrupt long statements within the block, if the connection is one to SQLite.

    Python runs signal handlers only in Python code, so SQLite calls some now and then. An exception there
    ends the statement with the error "interrupted".

    Raises:
        KeyboardInterrupt: If a statement was interrupted.
    """
    if not isinstance(connection, sqlite3.Connection):
        yield
        return
    connection.set_progress_handler(lambda: 0, _OPCODES)
    try:
        yield
    except (sqlite3.Error, SQLAlchemyError) as error:
        if sqlite_code(error) == sqlite3.SQLITE_INTERRUPT:
            raise KeyboardInterrupt from error
        raise
    finally:
        connection.set_progress_handler(None, 0)
