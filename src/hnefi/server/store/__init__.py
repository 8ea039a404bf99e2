"""The store of games: SQLite beside the server, or PostgreSQL."""

from hnefi.server.store.rows import Conflict, Kept, Link, NewGame, NotSaved, Seat, Write
from hnefi.server.store.store import Expiry, Store

__all__ = ["Conflict", "Expiry", "Kept", "Link", "NewGame", "NotSaved", "Seat", "Store", "Write"]
