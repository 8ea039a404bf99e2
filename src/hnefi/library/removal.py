"""Removes games from a library."""

from hnefi.library.position_index import PositionIndex
from hnefi.library.query import Query, find_games
from hnefi.library.store import Library

_BATCH = 200


def remove_games(library: Library, query: Query) -> int:
    """Removes the games that match a query and returns their number. O(plies · runs) per game.

    Raises:
        LibraryError: If it cannot be written.
    """
    removed = 0
    while True:
        batch = list(find_games(library, query, _BATCH))
        if not batch:
            return removed
        with library.writing() as connection:
            index = PositionIndex(connection)
            for one in batch:
                index.remove(one.id, {key for key, _ in one.game().canonical_line()})
                connection.execute("DELETE FROM games WHERE id = ?", (one.id,))
        removed += len(batch)
