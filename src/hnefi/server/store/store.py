"""The store of games: one thread writes, a few others read."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine, and_, func, or_, select
from sqlalchemy.exc import SQLAlchemyError

from hnefi.server.events import Event, read_body
from hnefi.server.store import database, schema
from hnefi.server.store.rows import Link, NotSaved, Seat, StoredGame, Write
from hnefi.server.store.writer import Writer

__all__ = ["Expiry", "Store"]

T = TypeVar("T")
_READERS = 2
_LONGEST_LIST = 200
_MOST_EXPIRED = 500
_US_PER_DAY = 86_400 * 1_000_000

Expiry = dict[str, int]
"""After how many days without an event a game is deleted, by its status."""


class Store:
    """Games in a database."""

    def __init__(self, url: str, *, observe: Callable[[int, float], None] | None = None) -> None:
        """Opens the database, creating or migrating it if necessary.

        Args:
            url: `sqlite:///…` or `postgresql://…`.
            observe: Called after every commit, as by `Writer`.
        """
        self._writer = Writer(url, observe=observe)
        self._engine: Engine = database.open_reader(url, _READERS)
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="hnefi-reader")

    def write(self, write: Write) -> "asyncio.Future[None]":
        """Queues a write; see `Writer.submit`."""
        return self._writer.submit(write)

    async def load(self, game: str) -> StoredGame | None:
        """Loads a game; None if there is no such game."""
        return await self._read(lambda connection: _load(connection, game))

    async def games_of(self, visitor: str) -> list[Seat]:
        """Lists the seats of a visitor, those of the newest games first."""
        return await self._read(lambda connection: _games_of(connection, visitor))

    async def running(self) -> list[str]:
        """Lists the games that are being played with a clock."""
        found = select(schema.game.c.id).where(
            and_(schema.game.c.status == "playing", schema.game.c.clock != "none")
        )
        return await self._read(lambda connection: list(connection.execute(found).scalars()))

    async def find_link(self, secret: str) -> Link | None:
        """Returns a link by the hash of its secret; None if there is none."""
        found = select(schema.link).where(schema.link.c.secret == secret)
        row = await self._read(lambda connection: connection.execute(found).one_or_none())
        return None if row is None else Link(row.secret, row.game, row.player, row.until_us)

    async def last_heartbeat(self) -> int | None:
        """Returns the time of the last heartbeat."""
        beat = select(func.max(schema.heartbeat.c.t_us))
        return await self._read(lambda connection: connection.execute(beat).scalar())

    async def expired(self, now_us: int, expiry: Expiry) -> list[str]:
        """Lists games that have expired."""
        return await self._read(lambda connection: _expired(connection, now_us, expiry))

    async def is_alive(self) -> bool:
        """Checks whether the database answers."""
        try:
            return await self._read(lambda connection: connection.execute(select(1)).scalar() == 1)
        except NotSaved:
            return False

    def close(self) -> None:
        """Commits what is queued, and closes the database."""
        self._writer.close()
        self._readers.shutdown()
        self._engine.dispose()

    async def _read(self, read: Callable[[Connection], T]) -> T:
        def run() -> T:
            try:
                with self._engine.connect() as connection:
                    return read(connection)
            except SQLAlchemyError as error:
                raise NotSaved(str(error)) from error

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)


def _load(connection: Connection, game: str) -> StoredGame | None:
    game_row = connection.execute(
        select(schema.game, schema.rules.c.tree)
        .join(schema.rules, schema.rules.c.hash == schema.game.c.rules)
        .where(schema.game.c.id == game)
    ).one_or_none()
    if game_row is None:
        return None
    rows = connection.execute(
        select(schema.event).where(schema.event.c.game == game).order_by(schema.event.c.seq)
    )
    events = tuple(Event(row.seq, row.t_us, row.actor, row.message, read_body(row.body)) for row in rows)
    seats = connection.execute(select(schema.seat).where(schema.seat.c.game == game))
    return StoredGame(
        game,
        game_row.tree,
        events,
        tuple(Seat(row.game, row.player, row.visitor) for row in seats),
        game_row.invite,
        game_row.seed,
    )


def _games_of(connection: Connection, visitor: str) -> list[Seat]:
    rows = connection.execute(
        select(schema.seat)
        .join(schema.game, schema.game.c.id == schema.seat.c.game)
        .where(schema.seat.c.visitor == visitor)
        .order_by(schema.game.c.made_us.desc())
        .limit(_LONGEST_LIST)
    )
    return [Seat(row.game, row.player, row.visitor) for row in rows]


def _expired(connection: Connection, now_us: int, expiry: Expiry) -> list[str]:
    """Lists games whose status and last event are older than allowed."""
    game, event = schema.game, schema.event
    old = or_(
        *(
            and_(
                game.c.status == status,
                game.c.changed_us < now_us - days * _US_PER_DAY,
                ~select(event.c.seq)
                .where(and_(event.c.game == game.c.id, event.c.t_us >= now_us - days * _US_PER_DAY))
                .exists(),
            )
            for status, days in expiry.items()
        )
    )
    return list(connection.execute(select(game.c.id).where(old).limit(_MOST_EXPIRED)).scalars())
