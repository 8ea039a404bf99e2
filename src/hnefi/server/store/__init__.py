"""The store of games, in SQLite or PostgreSQL."""

from hnefi.server.store.reading import StoreReader
from hnefi.server.store.rows import (
    SLOTS,
    UNCHANGED,
    Challenge,
    ClassroomRow,
    Conflict,
    GameRow,
    LeaseLost,
    Link,
    Mark,
    NoTables,
    NotSaved,
    PartialGame,
    Seat,
    StoredGame,
    Write,
    slot_of,
)
from hnefi.server.store.store import Store

__all__ = [
    "SLOTS",
    "UNCHANGED",
    "Challenge",
    "ClassroomRow",
    "Conflict",
    "GameRow",
    "LeaseLost",
    "Link",
    "Mark",
    "NoTables",
    "NotSaved",
    "PartialGame",
    "Seat",
    "Store",
    "StoreReader",
    "StoredGame",
    "Write",
    "slot_of",
]
