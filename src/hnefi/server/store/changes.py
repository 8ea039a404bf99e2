"""Changes of rows besides events, for `Store.change`: each runs in the transaction of a commit."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Column, Connection, Table, and_, delete, insert, update
from sqlalchemy.dialects import postgresql, sqlite

from hnefi.server.events import ClockReading
from hnefi.server.store import schema
from hnefi.server.store.rows import Change, ClassroomRow, Conflict, GameRow, Link, Seat, event_row


def _insert(connection: Connection, table: Table, values: Sequence[dict[str, object]]) -> None:
    """Adds the rows that are not there yet."""
    insert_new = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    connection.execute(insert_new(table).on_conflict_do_nothing(), values)


def add_game(connection: Connection, new: GameRow) -> None:
    """Adds a game with its rules, first events and seats."""
    _insert(connection, schema.rules, [{"hash": new.rules, "tree": new.tree}])
    values = {one.name: getattr(new, one.name) for one in schema.game.c if hasattr(new, one.name)}
    times = {"made_us": new.events[0].t_us, "changed_us": new.events[-1].t_us}
    connection.execute(insert(schema.game).values(**values, **times))
    names = ("game", "seq", "t_us", "actor", "message", "body")
    rows = [dict(zip(names, event_row(new.id, event), strict=True)) for event in new.events]
    connection.execute(insert(schema.event), rows)
    add_seats(connection, new.seats)


def add_seats(connection: Connection, seats: Sequence[Seat]) -> None:
    """Adds seats; those that a visitor has already stay."""
    _insert(connection, schema.seat, [asdict(seat) for seat in seats])


def close_invite(connection: Connection, name: str) -> None:
    """Notes that the invitation to a game is used up, and its seed published."""
    connection.execute(update(schema.game).where(schema.game.c.id == name).values(invite=None, seed=None))


def set_status(connection: Connection, name: str, status: str, t_us: int, also: Change | None) -> None:
    """Sets the status of a game, which changes at a time, and makes another change as well."""
    chosen = update(schema.game).where(schema.game.c.id == name)
    connection.execute(chosen.values(status=status, changed_us=t_us))
    if also is not None:
        also(connection)


def add_row(connection: Connection, table: Table, row: Link | ClockReading | ClassroomRow) -> None:
    """Adds a row to a table."""
    connection.execute(insert(table).values(**asdict(row)))


def use_link(connection: Connection, secret: str, seats: Sequence[Seat]) -> None:
    """Deletes a link that is used, by the hash of its secret, and adds its seats.

    Raises:
        Conflict: If it was used before.
    """
    used = connection.execute(delete(schema.link).where(schema.link.c.secret == secret))
    if used.rowcount != 1:
        raise Conflict("link used before")
    add_seats(connection, seats)


def mark_games(connection: Connection, games: Sequence[str], t_us: int | None) -> None:
    """Marks games as expired since a time; None takes the mark away."""
    connection.execute(update(schema.game).where(schema.game.c.id.in_(games)).values(marked_us=t_us))


def delete_games(
    connection: Connection, games: Sequence[str], marked_before_us: int | None = None
) -> list[str]:
    """Deletes games with all that hangs on them, and returns them; with a time, those marked before it."""
    chosen = delete(schema.game).where(schema.game.c.id.in_(games))
    if marked_before_us is not None:
        chosen = chosen.where(schema.game.c.marked_us < marked_before_us)
    return list(connection.execute(chosen.returning(schema.game.c.id)).scalars())


def write_classroom(connection: Connection, row: ClassroomRow) -> None:
    """Writes the next revision of a class.

    Raises:
        Conflict: If it is not the next one. A new class whose code is taken raises `IntegrityError`.
    """
    classroom = schema.classroom
    if row.revision == 1:
        add_row(connection, classroom, row)
        return
    is_before = and_(classroom.c.code == row.code, classroom.c.revision == row.revision - 1)
    if row.body:
        done = connection.execute(update(classroom).where(is_before).values(**asdict(row)))
    else:
        done = connection.execute(delete(classroom).where(is_before))
    if done.rowcount != 1:
        raise Conflict("the class was changed meanwhile")


def delete_before(connection: Connection, column: Column[int], before_us: int) -> None:
    """Deletes the rows of a table whose time in a column is before another one."""
    connection.execute(delete(column.table).where(column < before_us))
