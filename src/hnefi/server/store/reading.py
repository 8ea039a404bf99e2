"""Queries of the store of games, for `Store.read`."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, or_, select

from hnefi.server.events import ClockReading, Event, Restart, read_body
from hnefi.server.store import schema
from hnefi.server.store.rows import Challenge, ClassroomRow, Link, Seat, StoredGame

_LONGEST_LIST = 200
MOST_EXPIRED = 500


def load_many(
    connection: Connection, games: Sequence[str], after: int = 0, *, skips_unreadable: bool = False
) -> list[StoredGame]:
    """Loads games with one query for each table, which takes a third of the time of loading each.

    Only the events after the number `after` are loaded. Those that cannot be read are left out if
    `skips_unreadable`.

    Raises:
        ValueError: If an event of one of them cannot be read.
    """
    game, event, seat = schema.game.c, schema.event.c, schema.seat.c
    found = connection.execute(
        select(game.id, game.invite, game.seed, game.changed_us, game.marked_us, schema.rules.c.tree)
        .join(schema.rules, schema.rules.c.hash == game.rules)
        .where(game.id.in_(games))
    ).all()
    chosen = select(schema.event).where(event.game.in_(games), event.seq > after)
    events = _by_game(connection, chosen.order_by(event.game, event.seq))
    seats = _by_game(connection, select(schema.seat).where(seat.game.in_(games)).order_by(seat.game))
    return [
        StoredGame(
            row.id,
            row.tree,
            _events(events.get(row.id, ()), skips_unreadable=skips_unreadable),
            tuple(Seat(one.game, one.player, one.visitor) for one in seats.get(row.id, ())),
            row.invite,
            row.seed,
            row.changed_us,
            row.marked_us is not None,
        )
        for row in found
    ]


def _by_game(connection: Connection, chosen: Select[Any]) -> dict[str, list[Row[Any]]]:
    # All rows are fetched first: a cursor that an unreadable event leaves open would keep its old snapshot.
    rows = connection.execute(chosen).all()
    return {game: list(group) for game, group in groupby(rows, key=attrgetter("game"))}


def _events(rows: Sequence[Row[Any]], *, skips_unreadable: bool) -> tuple[Event, ...]:
    events = []
    for row in rows:
        try:
            events.append(read_event(row))
        except ValueError:
            if not skips_unreadable:
                raise
    return tuple(events)


def read_event(row: Row[Any]) -> Event:
    """Returns the event of a row.

    Raises:
        ValueError: If it cannot be read, with the reason as its cause.
    """
    try:
        # SQLite stores a text in a column of numbers if it is told to.
        if not isinstance(row.t_us, int) or row.actor not in (None, 0, 1):
            raise ValueError("its time or actor is none")
        return Event(row.seq, row.t_us, row.actor, row.message, read_body(row.body))
    except ValueError as error:
        raise ValueError(f"event {row.seq} cannot be read") from error


def load(connection: Connection, game: str, after: int = 0) -> StoredGame | None:
    """Loads a game, with the events after a number only; None if there is no such game.

    Raises:
        ValueError: If an event cannot be read.
    """
    return next(iter(load_many(connection, (game,), after)), None)


def games_of(connection: Connection, visitor: str) -> list[Seat]:
    """Lists the seats of a visitor, those of the newest games first."""
    rows = connection.execute(
        select(schema.seat)
        .join(schema.game, schema.game.c.id == schema.seat.c.game)
        .where(schema.seat.c.visitor == visitor)
        .order_by(schema.game.c.made_us.desc())
        .limit(_LONGEST_LIST)
    )
    return [Seat(*row) for row in rows]


def deadlines(connection: Connection, before_us: int) -> list[tuple[str, int]]:
    """Lists the games whose running clock reaches zero before a time, with that moment."""
    game = schema.game.c
    found = select(game.id, game.due_us).where(game.due_us < before_us)
    return [(row.id, row.due_us) for row in connection.execute(found)]


def waiting_for_computer(connection: Connection, before_us: int) -> bool:
    """Checks whether there is a game in which the computer is to move and no process chooses a move."""
    found = select(schema.game.c.id).where(schema.game.c.computer_us < before_us).limit(1)
    return connection.execute(found).first() is not None


def challenges(
    connection: Connection, now_us: int, limit: int, visitor: str | None = None
) -> list[Challenge]:
    """Lists the open challenges at a time, the newest first; with a visitor only those of the visitor."""
    game, event, seat = schema.game.c, schema.event.c, schema.seat.c
    wanted = select(game.id, game.made_us, game.open_until_us).where(
        game.status == "waiting", game.open_until_us > now_us
    )
    if visitor is not None:
        wanted = wanted.join(schema.seat, seat.game == game.id).where(seat.visitor == visitor)
    chosen = wanted.order_by(game.made_us.desc(), game.id).limit(limit).subquery()
    rows = connection.execute(
        select(chosen, event.body, seat.visitor)
        .select_from(chosen)
        .join(schema.event, and_(event.game == chosen.c.id, event.seq == 1))
        .join(schema.seat, and_(seat.game == chosen.c.id, seat.player == 0))
        .order_by(chosen.c.made_us.desc(), chosen.c.id)
    )
    return [
        Challenge(*one, frozenset(row.visitor for row in group))
        for one, group in groupby(rows, key=attrgetter("id", "made_us", "open_until_us", "body"))
    ]


def live_games(connection: Connection, since_us: int, limit: int) -> list[str]:
    """Returns the ids of games of open challenges with an event since a time, the newest event first."""
    game, event = schema.game.c, schema.event.c
    last = schema.event.alias()
    newest = (
        select(func.max(last.c.seq)).where(last.c.game == game.id).correlate(schema.game).scalar_subquery()
    )
    found = (
        select(game.id)
        .select_from(schema.game)
        .join(schema.event, and_(event.game == game.id, event.seq == newest))
        .where(game.status == "playing", game.open_until_us.is_not(None), event.t_us >= since_us)
        .order_by(event.t_us.desc())
        .limit(limit)
    )
    return list(connection.execute(found).scalars())


def classroom(connection: Connection, code: str) -> ClassroomRow | None:
    """Returns a class by its code; None if there is none."""
    found = select(schema.classroom).where(schema.classroom.c.code == code)
    row = connection.execute(found).one_or_none()
    return None if row is None else ClassroomRow(*row)


def last_events(connection: Connection, games: Collection[str]) -> dict[str, int]:
    """Returns the numbers of the last events of games; those that do not exist are missing."""
    event = schema.event.c
    found = select(event.game, func.max(event.seq).label("seq")).where(event.game.in_(games))
    return {row.game: row.seq for row in connection.execute(found.group_by(event.game))}


def restarts(connection: Connection) -> list[Restart]:
    """Lists the restarts of the server since the oldest game was created, in order."""
    restart = schema.restart.c
    found = select(restart.away_since_us, restart.back_us).order_by(restart.id)
    return [Restart(*row) for row in connection.execute(found)]


def find_link(connection: Connection, secret: str) -> Link | None:
    """Returns a link by the hash of its secret; None if there is none."""
    found = select(schema.link).where(schema.link.c.secret == secret)
    row = connection.execute(found).one_or_none()
    return None if row is None else Link(*row)


def clock_readings(connection: Connection) -> list[ClockReading]:
    """Lists all readings of the clock of the machine, in order."""
    clock = schema.clock.c
    found = select(clock.at_us, clock.machine_us).order_by(clock.id)
    return [ClockReading(*row) for row in connection.execute(found)]


def last_beat(connection: Connection) -> int | None:
    """Returns when a process was alive last; None if there was never one."""
    return connection.execute(select(func.max(schema.process.c.beat_us))).scalar()


def oldest_game(connection: Connection) -> int | None:
    """Returns when the oldest game was created, None if there are no games."""
    return connection.execute(select(func.min(schema.game.c.made_us))).scalar()


def last_event(connection: Connection) -> int | None:
    """Returns the time of the last event. It reads all events."""
    return connection.execute(select(func.max(schema.event.c.t_us))).scalar()


def expired(
    connection: Connection, before_us: Mapping[str, int], marked_before_us: int | None = None
) -> list[str]:
    """Lists games that nobody follows, without an event since a time, given for each status.

    They are those that were marked before `marked_before_us`; if that is None, those without a mark.
    """
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
    return list(connection.execute(found.limit(MOST_EXPIRED)).scalars())
