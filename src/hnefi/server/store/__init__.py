"""The store of games, in SQLite or PostgreSQL."""

from hnefi.server.store.rows import Conflict, GameRow, Link, NotSaved, Seat, StoredGame, Write
from hnefi.server.store.store import Expiry, Store

__all__ = ["Conflict", "Expiry", "GameRow", "Link", "NotSaved", "Seat", "Store", "StoredGame", "Write"]
