"""Changes of rows besides events, for `Store.change`: each runs in the transaction of a commit."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, delete, insert, update

from hnefi.server.events import ClockReading
from hnefi.server.store import schema
from hnefi.server.store.rows import ClassroomRow, Conflict, Link

__all__ = [
    "add_link",
    "add_reading",
    "delete_classrooms",
    "delete_games",
    "delete_links",
    "delete_restarts",
    "mark_games",
    "use_link",
    "write_classroom",
]


def add_link(connection: Connection, link: Link) -> None:
    """Adds a link that carries a seat to another device."""
    values = {"secret": link.secret, "game": link.game, "player": link.player, "until_us": link.until_us}
    connection.execute(insert(schema.link).values(**values))


def use_link(connection: Connection, secret: str) -> None:
    """Deletes a link that is used, by the hash of its secret.

    Raises:
        Conflict: If it was used before.
    """
    used = connection.execute(delete(schema.link).where(schema.link.c.secret == secret))
    if used.rowcount != 1:
        raise Conflict("link used before")


def delete_links(connection: Connection, before_us: int) -> None:
    """Deletes the links that ended before a time."""
    connection.execute(delete(schema.link).where(schema.link.c.until_us < before_us))


def mark_games(connection: Connection, games: Sequence[str], t_us: int | None) -> None:
    """Marks games as expired since a time; None takes the mark away."""
    connection.execute(update(schema.game).where(schema.game.c.id.in_(games)).values(marked_us=t_us))


def delete_games(connection: Connection, games: Sequence[str], marked_before_us: int | None = None) -> None:
    """Deletes games with all that hangs on them; with a time, those that were marked before it."""
    chosen = delete(schema.game).where(schema.game.c.id.in_(games))
    if marked_before_us is not None:
        chosen = chosen.where(schema.game.c.marked_us < marked_before_us)
    connection.execute(chosen)


def delete_restarts(connection: Connection, before_us: int) -> None:
    """Deletes the restarts before a time."""
    connection.execute(delete(schema.restart).where(schema.restart.c.back_us < before_us))


def add_reading(connection: Connection, reading: ClockReading) -> None:
    """Adds a reading of the clock of the machine."""
    values = {"at_us": reading.at_us, "machine_us": reading.machine_us, "expected_us": reading.expected_us}
    connection.execute(insert(schema.clock).values(**values))


def write_classroom(connection: Connection, row: ClassroomRow) -> None:
    """Writes the next revision of a class.

    Raises:
        Conflict: If it is not the next one. A new class whose code is taken raises `IntegrityError`.
    """
    classroom = schema.classroom
    if row.revision == 1:
        values = {"revision": 1, "changed_us": row.changed_us, "body": row.body}
        connection.execute(insert(classroom).values(code=row.code, **values))
        return
    is_before = and_(classroom.c.code == row.code, classroom.c.revision == row.revision - 1)
    if row.body:
        values = {"revision": row.revision, "changed_us": row.changed_us, "body": row.body}
        done = connection.execute(update(classroom).where(is_before).values(**values))
    else:
        done = connection.execute(delete(classroom).where(is_before))
    if done.rowcount != 1:
        raise Conflict("the class was changed meanwhile")


def delete_classrooms(connection: Connection, before_us: int) -> None:
    """Deletes the classes that nobody has changed since a time."""
    connection.execute(delete(schema.classroom).where(schema.classroom.c.changed_us < before_us))
