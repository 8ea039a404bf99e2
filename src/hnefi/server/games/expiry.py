"""Expiry: games that nobody has played for long are marked first, and deleted after another week.

Restarts that no game needs any more, old classes and links that have expired are deleted with them.
"""

import logging
from collections.abc import Container, Sequence
from functools import partial

from hnefi.server.events import Restart
from hnefi.server.games.clocks import DAY_US
from hnefi.server.games.replayer import Replayer
from hnefi.server.games.retention import CLASS_DAYS, MARKED_DAYS, Expiry
from hnefi.server.games.set_aside import SetAside
from hnefi.server.games.time import Time
from hnefi.server.store import Store, changes

__all__ = [
    "alive_since_us",
    "delete_classrooms",
    "delete_links",
    "delete_marked",
    "delete_restarts",
    "mark_expired",
]

_log = logging.getLogger(__name__)
_BATCH = 500
_MOST_BATCHES = 40


async def mark_expired(
    store: Store,
    time: Time,
    restarts: Sequence[Restart],
    expiry: Expiry,
    in_use: Container[str],
    set_aside: SetAside,
) -> int:
    """Marks games that have expired, and returns how many.

    Args:
        store: The store of games.
        time: The source of time.
        restarts: The restarts of the server.
        expiry: When games expire.
        in_use: The games in memory, which are left alone.
        set_aside: The damaged games, which are left alone too.
    """
    count = 0
    for _ in range(_MOST_BATCHES):
        now_us = time.now_us()
        found = await store.expired(_before_us(restarts, now_us, expiry), limit=_BATCH)
        games = [game for game in found if game not in in_use and game not in set_aside]
        if games:
            await store.change(partial(changes.mark_games, games=games, t_us=now_us))
        count += len(games)
        if len(found) < _BATCH:
            break
    if count:
        _log.info(
            "%d games have expired: they are deleted after %d more days, unless somebody opens them",
            count,
            MARKED_DAYS,
        )
    return count


async def delete_marked(
    store: Store,
    time: Time,
    restarts: Sequence[Restart],
    expiry: Expiry,
    in_use: Container[str],
    replayer: Replayer,
    set_aside: SetAside,
) -> list[str]:
    """Deletes games that were marked a week ago, and returns them; for the arguments see `mark_expired`.

    Each is replayed before. A damaged one is set aside and loses its mark: nobody could open it to keep it.
    """
    now_us = time.now_us()
    before_us, marked_us = _before_us(restarts, now_us, expiry), alive_since_us(restarts, now_us, MARKED_DAYS)
    games = [game for game in await store.expired(before_us, marked_us) if game not in in_use]
    damaged = await replayer.damaged(games)
    if damaged:
        for game, error in damaged.items():
            set_aside.add(game, error)
        await store.change(partial(changes.mark_games, games=tuple(damaged), t_us=None))
        games = [game for game in games if game not in damaged]
    if games:
        # One that somebody opened meanwhile has lost its mark.
        delete = partial(changes.delete_games, games=tuple(games), marked_before_us=marked_us)
        await store.change(delete)
        _log.info("%d expired games were deleted", len(games))
    return games


async def delete_restarts(store: Store, time: Time) -> None:
    """Deletes the restarts before the oldest game, which nothing depends on: neither a clock nor an expiry.

    Those of the last days stay, for games that are just being created.
    """
    before_us = time.now_us() - MARKED_DAYS * DAY_US
    if (oldest_us := await store.oldest_game()) is not None:
        before_us = min(before_us, oldest_us)
    if any(restart.back_us < before_us for restart in await store.restarts()):
        await store.change(partial(changes.delete_restarts, before_us=before_us))


async def delete_classrooms(store: Store, time: Time, restarts: Sequence[Restart]) -> None:
    """Deletes the classes that nobody has changed for long; for the arguments see `mark_expired`."""
    before_us = alive_since_us(restarts, time.now_us(), CLASS_DAYS)
    await store.change(partial(changes.delete_classrooms, before_us=before_us))


async def delete_links(store: Store, time: Time) -> None:
    """Deletes the links to seats that can be used no more."""
    await store.change(partial(changes.delete_links, before_us=time.now_us()))


def _before_us(restarts: Sequence[Restart], now_us: int, expiry: Expiry) -> dict[str, int]:
    return {status: alive_since_us(restarts, now_us, days) for status, days in expiry.items()}


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
