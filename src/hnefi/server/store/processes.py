"""The processes of the server in the database: who is alive, who is connected where, who takes what over.

Functions that write run in a transaction of a commit (`Store.change`), the others on connections that read.
On SQLite there is one process, which has the file alone.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import NamedTuple

from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql

from hnefi.server.events import Restart
from hnefi.server.store import schema
from hnefi.server.store.rows import Conflict, Counts

SILENT_US = 2_500_000
"""A process without a beat for so long counts as dead, and others take over its games."""

CLAIM_US = 5_000_000
"""For how long a process may keep others from what it has claimed without a sign of life."""

CHANNEL = "hnefi"
"""Where processes on PostgreSQL send their notices (`hnefi.server.store.notices`)."""

_START_LOCK = 0x686E656670

process, present, game = schema.process, schema.present, schema.game
_CLOCK = (
    "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS clock_us,"
    " last.id AS reading, last.at_us - last.machine_us AS lead_us,"
    " (SELECT max(beat_us) FROM process WHERE NOT has_ended) AS beat_us"
    " FROM (SELECT) AS one LEFT JOIN (SELECT * FROM clock ORDER BY id DESC LIMIT 1) AS last ON true"
)


@dataclass(frozen=True, slots=True)
class ClockSample:
    """What the clock of the database showed between two moments of the monotonic clock of this process.

    Attributes:
        sent_ns: The monotonic clock before the question.
        received_ns: The monotonic clock after the answer.
        database_us: The clock of the database, in microseconds since 1970.
        reading: The id of the last row of `clock`, 0 if there is none.
        lead_us: How far the time of the site is ahead of the clock of the database, by that row.
        beat_us: The time of the site when a process was alive last; None if none is.
    """

    sent_ns: int
    received_ns: int
    database_us: int
    reading: int = 0
    lead_us: int = 0
    beat_us: int | None = None


class Other(NamedTuple):
    """Another process.

    Attributes:
        beat_us: When it was alive last.
        has_ended: Whether it has ended, or was taken for dead.
        here: Who is connected to it, as JSON.
    """

    id: int
    beat_us: int
    has_ended: bool
    here: str


class Silent(NamedTuple):
    """A process that is taken for dead.

    Attributes:
        beat_us: When it was alive last.
        games: The games with a running clock whose players were connected to it, with these players.
    """

    id: int
    beat_us: int
    games: dict[str, list[int]]


def begin(connection: Connection, now_us: int, grace_us: int) -> int:
    """Adds a process, and a restart of the site if no other one is alive; returns the id of the process.

    After a restart the side to move has `grace_us` of extra time.
    """
    is_postgres = connection.dialect.name == "postgresql"
    if is_postgres:  # two processes that start together must not both be the first
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(%s)", (_START_LOCK,))
    last_us = connection.execute(select(func.max(process.c.beat_us))).scalar()
    is_alive = and_(~process.c.has_ended, process.c.beat_us >= now_us - SILENT_US)
    has_others = is_postgres and bool(connection.execute(select(process.c.id).where(is_alive)).first())
    if has_others:
        connection.execute(delete(process).where(process.c.has_ended))
    else:
        if last_us is not None:
            _add_restart(connection, Restart(last_us, now_us), grace_us)
        connection.execute(delete(present))
        connection.execute(delete(process))
    added = insert(process).values(beat_us=now_us, has_ended=False, here="").returning(process.c.id)
    me: int = connection.execute(added).scalar_one()
    if is_postgres:
        # With the commit: who was alone tells others from now on what it commits.
        connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, f"[{me}]"))
    return me


def _add_restart(connection: Connection, restart: Restart, grace_us: int) -> None:
    """Adds a restart, and moves all deadlines as it moves all clocks; nobody chooses a move any more."""
    connection.execute(insert(schema.restart).values(**asdict(restart)))
    later_us = restart.back_us - restart.away_since_us + grace_us
    due_us, computer_us = game.c.due_us, game.c.computer_us
    connection.execute(update(game).where(due_us.is_not(None)).values(due_us=due_us + later_us))
    connection.execute(update(game).where(computer_us.is_not(None)).values(computer_us=0))


def beat(connection: Connection, me: int, now_us: int, here: str) -> None:
    """Notes that this process is alive, and who is connected to it.

    Raises:
        Conflict: If others have taken it for dead, and its games over.
    """
    is_mine = and_(process.c.id == me, ~process.c.has_ended)
    if connection.execute(update(process).where(is_mine).values(beat_us=now_us, here=here)).rowcount != 1:
        raise Conflict("this process was silent for so long that others have taken over its games")


def end(connection: Connection, me: int, now_us: int, searches: Iterable[str]) -> None:
    """Notes that this process ends; others take over its searches at once."""
    connection.execute(delete(present).where(present.c.process == me))
    connection.execute(
        update(process).where(process.c.id == me).values(beat_us=now_us, has_ended=True, here="")
    )
    keep_computer_moves(connection, searches, now_us)


def read_others(connection: Connection, me: int) -> list[Other]:
    """Returns the other processes."""
    columns = process.c.id, process.c.beat_us, process.c.has_ended, process.c.here
    return [Other(*row) for row in connection.execute(select(*columns).where(process.c.id != me))]


def claim_silent(connection: Connection, me: int, now_us: int) -> list[Silent]:
    """Claims the processes that are silent, unless another one has just done so."""
    is_free = or_(process.c.claimed_us.is_(None), process.c.claimed_us < now_us - CLAIM_US)
    found = (
        select(process.c.id)
        .where(process.c.id != me, ~process.c.has_ended, process.c.beat_us < now_us - SILENT_US, is_free)
        .with_for_update(skip_locked=True)
    )
    claimed = connection.execute(
        update(process)
        .where(process.c.id.in_(found.scalar_subquery()))
        .values(claimed_us=now_us)
        .returning(process.c.id, process.c.beat_us)
    ).all()
    silent = []
    for row in claimed:
        games = connection.execute(
            select(present)
            .join(game, game.c.id == present.c.game)
            .where(present.c.process == row.id, present.c.first + present.c.second > 0)
            .where(game.c.due_us.is_not(None))
        )
        held = {one.game: [n for n, count in enumerate((one.first, one.second)) if count] for one in games}
        silent.append(Silent(row.id, row.beat_us, held))
    return silent


def bury(connection: Connection, silent: int) -> None:
    """Notes that the games of a process that was silent are taken over."""
    connection.execute(delete(present).where(present.c.process == silent))
    connection.execute(update(process).where(process.c.id == silent).values(has_ended=True, here=""))


def set_present(connection: Connection, me: int, counts: Mapping[str, Counts]) -> None:
    """Notes how many connections this process has to games."""
    gone = [name for name, one in counts.items() if not any(one)]
    if gone:
        connection.execute(delete(present).where(present.c.process == me, present.c.game.in_(gone)))
    rows = [{"game": name, "process": me, **one._asdict()} for name, one in counts.items() if any(one)]
    if rows:
        added = postgresql.insert(present)
        changes = {name: added.excluded[name] for name in Counts._fields}
        connection.execute(
            added.on_conflict_do_update(index_elements=["game", "process"], set_=changes), rows
        )


def present_elsewhere(connection: Connection, me: int, games: Iterable[str]) -> dict[str, dict[int, Counts]]:
    """Returns how many connections each other process has to games."""
    found: dict[str, dict[int, Counts]] = {}
    is_elsewhere = and_(present.c.game.in_(list(games)), present.c.process != me)
    for row in connection.execute(select(present).where(is_elsewhere)):
        found.setdefault(row.game, {})[row.process] = Counts(row.first, row.second, row.spectators)
    return found


def claim_deadline(connection: Connection, name: str, now_us: int) -> int | None:
    """Claims a game that nobody has in memory and whose running clock has run out.

    Returns 0 if this process is to end it; otherwise when to look again, None if no clock runs any more.
    """
    row = connection.execute(
        select(game.c.due_us).where(game.c.id == name).with_for_update(skip_locked=True)
    ).one_or_none()
    if row is None:  # deleted, or another process looks at it
        return now_us + CLAIM_US
    if row.due_us is None or row.due_us > now_us:
        return None if row.due_us is None else int(row.due_us)
    connection.execute(update(game).where(game.c.id == name).values(due_us=now_us + CLAIM_US))
    return 0


def claim_computer_moves(connection: Connection, now_us: int, limit: int) -> list[str]:
    """Claims some games in which the computer is to move and no process chooses a move."""
    free = (
        select(game.c.id)
        .where(game.c.computer_us < now_us)
        .order_by(game.c.computer_us)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    claimed = (
        update(game)
        .where(game.c.id.in_(free.scalar_subquery()))
        .values(computer_us=now_us + CLAIM_US)
        .returning(game.c.id)
    )
    return list(connection.execute(claimed).scalars())


def keep_computer_moves(connection: Connection, games: Iterable[str], until_us: int) -> None:
    """Sets until when this process chooses the computer's moves in games."""
    if games := list(games):
        is_open = and_(game.c.id.in_(games), game.c.computer_us.is_not(None))
        connection.execute(update(game).where(is_open).values(computer_us=until_us))


def read_clock(connection: Connection, monotonic_ns: Callable[[], int] = time.monotonic_ns) -> ClockSample:
    """Reads the clock of a PostgreSQL."""
    sent_ns = monotonic_ns()
    row = connection.exec_driver_sql(_CLOCK).one()
    return ClockSample(sent_ns, monotonic_ns(), row.clock_us, row.reading or 0, row.lead_us or 0, row.beat_us)
