"""The store of games, in SQLite or PostgreSQL."""

from hnefi.server.store.reading import StoreReader
from hnefi.server.store.rows import (
    LEFT_TO_OTHERS_US,
    UNCHANGED,
    Challenge,
    ClassroomRow,
    Conflict,
    Counts,
    GameRow,
    Link,
    NotSaved,
    PartialGame,
    Seat,
    StoredGame,
)
from hnefi.server.store.store import Store

__all__ = [
    "LEFT_TO_OTHERS_US",
    "UNCHANGED",
    "Challenge",
    "ClassroomRow",
    "Conflict",
    "Counts",
    "GameRow",
    "Link",
    "NotSaved",
    "PartialGame",
    "Seat",
    "Store",
    "StoreReader",
    "StoredGame",
]
