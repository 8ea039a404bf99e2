"""Expiry: games that nobody has played for long are marked first, and deleted after another week.

Restarts that no game needs any more, old classes and links that have expired are deleted with them.
"""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hnefi.server.events import Restart
from hnefi.server.games.clocks import DAY_US
from hnefi.server.games.retention import CLASS_DAYS, EXPIRY, MARKED_DAYS
from hnefi.server.games.set_aside import find_damaged
from hnefi.server.store import changes, reading, schema

if TYPE_CHECKING:
    from hnefi.server.games.rooms import Rooms

_log = logging.getLogger(__name__)
_MOST_BATCHES = 40


async def delete_expired(rooms: "Rooms") -> int:
    """Deletes what was marked a week ago, and marks what has expired; returns how many games it deleted.

    Games in memory and damaged ones are left alone.
    """
    games = await _delete_marked(rooms)
    for game in games:
        rooms.loaded.pop(game, None)
        rooms.deadlines.set_timer(game, None)
    await _mark(rooms)
    await _delete_restarts(rooms)
    now_us = rooms.time.now_us()
    classes_us = alive_since_us(rooms.restarts, now_us, CLASS_DAYS)
    await rooms.store.change(changes.delete_before, schema.classroom.c.changed_us, classes_us)
    await rooms.store.change(changes.delete_before, schema.link.c.until_us, now_us)
    return len(games)


async def _mark(rooms: "Rooms") -> None:
    count = 0
    for _ in range(_MOST_BATCHES):
        now_us = rooms.time.now_us()
        found = await rooms.store.read(reading.expired, _before_us(rooms, now_us))
        games = [game for game in found if game not in rooms.loaded and game not in rooms.set_aside]
        if games:
            await rooms.store.change(changes.mark_games, games, now_us)
        count += len(games)
        if len(found) < reading.MOST_EXPIRED:
            break
    if count:
        _log.info("%d games have expired: unless opened, they are deleted in %d days", count, MARKED_DAYS)


async def _delete_marked(rooms: "Rooms") -> list[str]:
    """Deletes games that were marked a week ago, and returns them.

    Each is replayed before. A damaged one is set aside and loses its mark: nobody could open it to keep
    it.
    """
    now_us = rooms.time.now_us()
    marked_us = alive_since_us(rooms.restarts, now_us, MARKED_DAYS)
    found = await rooms.store.read(reading.expired, _before_us(rooms, now_us), marked_us)
    games = [game for game in found if game not in rooms.loaded]
    damaged = await find_damaged(rooms.store, games)
    if damaged:
        for game, error in damaged.items():
            rooms.set_aside.note(game, error)
        await rooms.store.change(changes.mark_games, tuple(damaged), None)
    # One that somebody opened meanwhile stays.
    games = [game for game in games if game not in damaged and game not in rooms.loaded]
    if games:
        games = await rooms.store.change(changes.delete_games, tuple(games), marked_us)
        _log.info("%d expired games were deleted", len(games))
    return games


async def _delete_restarts(rooms: "Rooms") -> None:
    """Deletes the restarts before the oldest game: neither a clock nor an expiry depends on them.

    Those of the last days stay, for games that are just being created.
    """
    before_us = rooms.time.now_us() - MARKED_DAYS * DAY_US
    if (oldest_us := await rooms.store.read(reading.oldest_game)) is not None:
        before_us = min(before_us, oldest_us)
    if any(restart.back_us < before_us for restart in await rooms.store.read(reading.restarts)):
        await rooms.store.change(changes.delete_before, schema.restart.c.back_us, before_us)


def _before_us(rooms: "Rooms", now_us: int) -> dict[str, int]:
    return {status: alive_since_us(rooms.restarts, now_us, days) for status, days in EXPIRY.items()}


def alive_since_us(restarts: Sequence[Restart], now_us: int, days: int) -> int:
    """Returns since when the server was alive for a number of days; the time it was away does not count."""
    left_us, until_us = days * DAY_US, now_us
    for restart in reversed(restarts):
        alive_us = until_us - restart.back_us
        if alive_us >= left_us:
            break
        left_us -= alive_us
        until_us = restart.away_since_us
    return until_us - left_us
