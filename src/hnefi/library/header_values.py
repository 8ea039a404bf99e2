"""Values of headers that queries filter by and that have no column: ratings and the type of a game."""

import json
import re
import sqlite3
import zlib
from collections.abc import Mapping
from functools import lru_cache, partial

from hnefi.errors import RecordError
from hnefi.formats import RawGame
from hnefi.formats.game_types import number_of
from hnefi.record import parse_records

_RATINGS = {
    "attackers": ("AttackersRating", "AttackersElo", "BlackElo"),
    "defenders": ("DefendersRating", "DefendersElo", "WhiteElo"),
}
_NUMBER = re.compile(r"\s*(\d{1,5})(?!\d)", re.ASCII)


def register(connection: sqlite3.Connection) -> None:
    """Adds the SQL functions `rating(body, side)` and `game_type(body)`, null if unknown; `casefold`."""
    add = partial(connection.create_function, deterministic=True)
    add("rating", 2, lambda body, side: rating_of(_headers(body), side))
    add("game_type", 1, lambda body: type_of(_headers(body)))
    # SQLite's own `lower` leaves É as it is.
    add("casefold", 1, str.casefold)


def rating_of(headers: Mapping[str, str], side: str) -> int | None:
    """Returns the rating of a side's player, None if the headers have none.

    >>> rating_of({"AttackersRating": "1532?"}, "attackers"), rating_of({"WhiteElo": "?"}, "defenders")
    (1532, None)
    """
    for name in _RATINGS[side]:
        number = _NUMBER.match(headers.get(name, ""))
        if number:
            return int(number[1])
    return None


def type_of(headers: Mapping[str, str]) -> int | None:
    """Returns the number of the game type, None without one."""
    return number_of(RawGame(tuple(headers.items()), ()))[0] or None


# A row may ask for several values.
@lru_cache(maxsize=2)
def _headers(body: bytes) -> Mapping[str, str]:
    """Returns the headers of a stored game, none if it is damaged: what reads the whole game reports that."""
    try:
        stored = json.loads(zlib.decompress(body))
        return dict(parse_records(stored["record"])[0].headers if "record" in stored else stored["headers"])
    except (zlib.error, ValueError, KeyError, IndexError, TypeError, RecordError):
        return {}
