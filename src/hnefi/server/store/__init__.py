"""The store of games, in SQLite or PostgreSQL."""

from hnefi.server.store.reading import StoreReader
from hnefi.server.store.rows import (
    UNCHANGED,
    Challenge,
    ClassroomRow,
    Conflict,
    Counts,
    GameRow,
    Link,
    NotSaved,
    Seat,
    StoredGame,
    Write,
)
from hnefi.server.store.store import Store

__all__ = [
    "UNCHANGED",
    "Challenge",
    "ClassroomRow",
    "Conflict",
    "Counts",
    "GameRow",
    "Link",
    "NotSaved",
    "Seat",
    "Store",
    "StoreReader",
    "StoredGame",
    "Write",
]
