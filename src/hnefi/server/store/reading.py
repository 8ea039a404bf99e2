"""Reading from the store of games, in a few threads."""

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Row, and_, func, or_, select
from sqlalchemy.exc import SQLAlchemyError

from hnefi.server.events import ClockReading, Event, Restart, read_body
from hnefi.server.processor_time import metered
from hnefi.server.store import database, schema
from hnefi.server.store.open_games import read_challenges, read_live_games
from hnefi.server.store.processes import ClockSample, Other, present_elsewhere, read_clock, read_others
from hnefi.server.store.rows import (
    Challenge,
    ClassroomRow,
    Counts,
    Link,
    NotSaved,
    PartialGame,
    Seat,
    StoredGame,
)

T = TypeVar("T")
_READERS = 2
_LONGEST_LIST = 200
_MOST_EXPIRED = 500


class StoreReader:
    """Games in a database, to read."""

    def __init__(self, url: str) -> None:
        """Creates it for a database that exists; it connects when it reads.

        Args:
            url: `sqlite:///…` or `postgresql://…`.
        """
        self._engine: Engine = database.open_reader(url, _READERS)
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="hnefi-reader")

    async def load(self, game: str) -> StoredGame | None:
        """Loads a game; None if there is no such game."""
        found = await self.load_many((game,))
        return found[0] if found else None

    async def load_many(self, games: Sequence[str]) -> list[StoredGame]:
        """Loads games with one query for each table, which takes a third of the time of loading each.

        Raises:
            ValueError: If an event of one of them cannot be read.
        """
        return await self._read(lambda connection: _load(connection, games))

    async def load_parts(self, games: Sequence[str]) -> list[PartialGame]:
        """Loads what can be read of damaged games."""
        return await self._read(lambda connection: _load_parts(connection, games))

    async def games_of(self, visitor: str) -> list[Seat]:
        """Lists the seats of a visitor, those of the newest games first."""
        return await self._read(lambda connection: _games_of(connection, visitor))

    async def load_since(self, game: str, seq: int) -> StoredGame | None:
        """Loads a game with the events after a number only; None if there is no such game.

        Raises:
            ValueError: If an event cannot be read.
        """
        found = await self._read(lambda connection: _load(connection, (game,), seq))
        return found[0] if found else None

    async def deadlines(self, before_us: int) -> list[tuple[str, int]]:
        """Lists the games whose running clock reaches zero before a time, with that moment."""
        game = schema.game.c
        found = select(game.id, game.due_us).where(game.due_us < before_us)
        return await self._read(
            lambda connection: [(row.id, row.due_us) for row in connection.execute(found)]
        )

    async def waiting_for_computer(self, before_us: int) -> bool:
        """Checks whether there is a game in which the computer is to move and no process chooses a move."""
        found = select(schema.game.c.id).where(schema.game.c.computer_us < before_us).limit(1)
        return await self._read(lambda connection: connection.execute(found).first() is not None)

    async def challenges(self, now_us: int, limit: int, visitor: str | None = None) -> list[Challenge]:
        """Lists the open challenges at a time, those of a visitor if one is given; the newest first."""
        return await self._read(lambda connection: read_challenges(connection, now_us, limit, visitor))

    async def live_games(self, since_us: int, limit: int) -> list[tuple[str, int]]:
        """Lists the games that began as open challenges and have had an event since a time.

        Each is an id and the number of the last event.
        """
        return await self._read(lambda connection: read_live_games(connection, since_us, limit))

    async def classroom(self, code: str) -> ClassroomRow | None:
        """Returns a class by its code; None if there is none."""
        found = select(schema.classroom).where(schema.classroom.c.code == code)
        row = await self._read(lambda connection: connection.execute(found).one_or_none())
        return None if row is None else ClassroomRow(row.code, row.revision, row.changed_us, row.body)

    async def last_events(self, games: Collection[str]) -> dict[str, int]:
        """Returns the numbers of the last events of games; those that do not exist are missing."""
        event = schema.event.c
        found = select(event.game, func.max(event.seq).label("seq")).where(event.game.in_(games))
        rows = await self._read(lambda connection: connection.execute(found.group_by(event.game)).all())
        return {row.game: row.seq for row in rows}

    async def restarts(self) -> list[Restart]:
        """Lists the restarts of the server since the oldest game was created, in order."""
        found = select(schema.restart).order_by(schema.restart.c.id)
        return await self._read(
            lambda connection: [Restart(row.away_since_us, row.back_us) for row in connection.execute(found)]
        )

    async def find_link(self, secret: str) -> Link | None:
        """Returns a link by the hash of its secret; None if there is none."""
        found = select(schema.link).where(schema.link.c.secret == secret)
        row = await self._read(lambda connection: connection.execute(found).one_or_none())
        return None if row is None else Link(row.secret, row.game, row.player, row.until_us)

    async def last_beat(self) -> int | None:
        """Returns when a process was alive last; None if there was never one."""
        beat = select(func.max(schema.process.c.beat_us))
        return await self._read(lambda connection: connection.execute(beat).scalar())

    async def database_clock(self) -> ClockSample:
        """Reads the clock of a PostgreSQL."""
        return await self._read(read_clock)

    async def others(self, me: int) -> list[Other]:
        """Lists the processes besides this one."""
        return await self._read(lambda connection: read_others(connection, me))

    async def present_elsewhere(self, me: int, games: Collection[str]) -> dict[str, dict[int, Counts]]:
        """Returns how many connections each other process has to games."""
        return await self._read(lambda connection: present_elsewhere(connection, me, games))

    async def clock_readings(self) -> list[ClockReading]:
        """Lists all readings of the clock of the machine, in order."""
        found = select(schema.clock).order_by(schema.clock.c.id)
        return await self._read(
            lambda connection: [
                ClockReading(row.at_us, row.machine_us, row.expected_us) for row in connection.execute(found)
            ]
        )

    async def expired(
        self, before_us: Mapping[str, int], marked_before_us: int | None = None, limit: int = _MOST_EXPIRED
    ) -> list[str]:
        """Lists games that nobody follows, without an event since a time, given for each status.

        Args:
            before_us: The times.
            marked_before_us: Lists those that were marked before a time; None for those without a mark.
            limit: How many to list at most.
        """
        return await self._read(lambda connection: _expired(connection, before_us, marked_before_us, limit))

    async def oldest_game(self) -> int | None:
        """Returns when the oldest game was created, None if there are no games."""
        oldest = select(func.min(schema.game.c.made_us))
        return await self._read(lambda connection: connection.execute(oldest).scalar())

    async def last_event(self) -> int | None:
        """Returns the time of the last event. It reads all events."""
        last = select(func.max(schema.event.c.t_us))
        return await self._read(lambda connection: connection.execute(last).scalar())

    async def size_bytes(self) -> int:
        """Returns the size of the database, without its write-ahead log."""
        return await self._read(database.size_bytes)

    def close(self) -> None:
        """Closes its connections."""
        self._readers.shutdown()
        self._engine.dispose()

    async def _read(self, read: Callable[[Connection], T]) -> T:
        def run() -> T:
            try:
                with self._engine.connect() as connection:
                    return read(connection)
            except SQLAlchemyError as error:
                raise NotSaved(str(error)) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, metered(run))


def _load(connection: Connection, games: Sequence[str], after: int = 0) -> list[StoredGame]:
    game = schema.game
    found = connection.execute(
        select(game.c.id, game.c.invite, game.c.seed, game.c.marked_us, schema.rules.c.tree)
        .join(schema.rules, schema.rules.c.hash == game.c.rules)
        .where(game.c.id.in_(games))
    ).all()
    events, seats = _events_of(connection, games, after), _seats_of(connection, games)
    return [
        StoredGame(
            row.id,
            row.tree,
            tuple(map(_event, events.get(row.id, ()))),
            seats.get(row.id, ()),
            row.invite,
            row.seed,
            row.marked_us is not None,
        )
        for row in found
    ]


def _load_parts(connection: Connection, games: Sequence[str]) -> list[PartialGame]:
    game = schema.game.c
    found = connection.execute(select(game.id, game.changed_us).where(game.id.in_(games))).all()
    events, seats = _events_of(connection, games), _seats_of(connection, games)
    return [
        PartialGame(
            row.id,
            row.changed_us,
            tuple(_readable_events(events.get(row.id, ()))),
            seats.get(row.id, ()),
        )
        for row in found
    ]


def _events_of(connection: Connection, games: Sequence[str], after: int = 0) -> dict[str, list[Row[Any]]]:
    event = schema.event
    # All rows are fetched first: a cursor that an unreadable event leaves open would keep its old snapshot.
    return _by_game(
        connection.execute(
            select(event)
            .where(event.c.game.in_(games), event.c.seq > after)
            .order_by(event.c.game, event.c.seq)
        ).all()
    )


def _seats_of(connection: Connection, games: Sequence[str]) -> dict[str, tuple[Seat, ...]]:
    seat = schema.seat
    rows = _by_game(connection.execute(select(seat).where(seat.c.game.in_(games))).all())
    return {
        game: tuple(Seat(one.game, one.player, one.visitor) for one in some) for game, some in rows.items()
    }


def _by_game(rows: Sequence[Row[Any]]) -> dict[str, list[Row[Any]]]:
    sorted_rows: dict[str, list[Row[Any]]] = {}
    for row in rows:
        sorted_rows.setdefault(row.game, []).append(row)
    return sorted_rows


def _event(row: Row[Any]) -> Event:
    try:
        # SQLite stores a text in a column of numbers if it is told to.
        if not isinstance(row.t_us, int) or row.actor not in (None, 0, 1):
            raise ValueError("its time or actor is none")
        return Event(row.seq, row.t_us, row.actor, row.message, read_body(row.body))
    except ValueError as error:
        raise ValueError(f"event {row.seq} cannot be read") from error


def _readable_events(rows: Iterable[Row[Any]]) -> Iterator[Event]:
    for row in rows:
        with contextlib.suppress(ValueError):
            yield _event(row)


def _games_of(connection: Connection, visitor: str) -> list[Seat]:
    rows = connection.execute(
        select(schema.seat)
        .join(schema.game, schema.game.c.id == schema.seat.c.game)
        .where(schema.seat.c.visitor == visitor)
        .order_by(schema.game.c.made_us.desc())
        .limit(_LONGEST_LIST)
    )
    return [Seat(row.game, row.player, row.visitor) for row in rows]


def _expired(
    connection: Connection, before_us: Mapping[str, int], marked_before_us: int | None, limit: int
) -> list[str]:
    game, event = schema.game, schema.event
    old = or_(
        *(
            and_(
                game.c.status == status,
                game.c.changed_us < until_us,
                ~select(event.c.seq)
                .where(and_(event.c.game == game.c.id, event.c.t_us >= until_us))
                .exists(),
            )
            for status, until_us in before_us.items()
        )
    )
    marked_us = game.c.marked_us
    is_listed = marked_us.is_(None) if marked_before_us is None else marked_us < marked_before_us
    is_followed = select(schema.present.c.game).where(schema.present.c.game == game.c.id).exists()
    found = select(game.c.id).where(old).where(is_listed).where(~is_followed)
    return list(connection.execute(found.limit(limit)).scalars())
