"""Queries for games that everybody may find: open challenges, and those that began as one."""

from sqlalchemy import Connection, and_, func, select

from hnefi.server.store import schema
from hnefi.server.store.rows import Challenge


def read_challenges(
    connection: Connection, now_us: int, limit: int, visitor: str | None = None
) -> list[Challenge]:
    """Returns the open challenges, the newest first.

    Args:
        connection: The connection.
        now_us: The time.
        limit: How many to return at most.
        visitor: Returns only those of this visitor; None for all.
    """
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
    ).all()
    makers: dict[str, set[str]] = {}
    for row in rows:
        makers.setdefault(row.id, set()).add(row.visitor)
    return [
        Challenge(row.id, row.made_us, row.open_until_us, row.body, frozenset(makers.pop(row.id)))
        for row in rows
        if row.id in makers
    ]


def read_live_games(connection: Connection, since_us: int, limit: int) -> list[tuple[str, int]]:
    """Returns the games that began as open challenges and have had an event since a time.

    Returns:
        Their ids and the numbers of their last events; that with the newest event first.
    """
    game, event = schema.game.c, schema.event.c
    last = schema.event.alias()
    newest = (
        select(func.max(last.c.seq)).where(last.c.game == game.id).correlate(schema.game).scalar_subquery()
    )
    found = (
        select(game.id, event.seq)
        .select_from(schema.game)
        .join(schema.event, and_(event.game == game.id, event.seq == newest))
        .where(game.status == "playing", game.open_until_us.is_not(None), event.t_us >= since_us)
        .order_by(event.t_us.desc())
        .limit(limit)
    )
    return [(row.id, row.seq) for row in connection.execute(found)]
