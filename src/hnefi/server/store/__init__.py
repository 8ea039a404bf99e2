"""The store of games, in SQLite or PostgreSQL."""

from hnefi.server.store.rows import (
    UNCHANGED,
    Conflict,
    GameRow,
    Link,
    Mark,
    NotSaved,
    Seat,
    StoredGame,
    Write,
)
from hnefi.server.store.store import Store

__all__ = [
    "UNCHANGED",
    "Conflict",
    "GameRow",
    "Link",
    "Mark",
    "NotSaved",
    "Seat",
    "Store",
    "StoredGame",
    "Write",
]
