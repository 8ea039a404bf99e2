"""Games out of a library."""

from hnefi.library.position_index import PositionIndex
from hnefi.library.query import Query, find_games
from hnefi.library.store import Library

__all__ = ["remove_games"]

_TOGETHER = 200


def remove_games(library: Library, query: Query) -> int:
    """Removes the games that are as asked, and tells how many. Complexity is O(plies · runs) for each.

    Raises:
        LibraryError: If it cannot be written.
    """
    gone = 0
    while True:
        some = list(find_games(library, query, _TOGETHER))
        if not some:
            return gone
        with library.writing() as connection:
            index = PositionIndex(connection)
            for one in some:
                index.remove(one.id, {key for key, _ in one.game().canonical_line()})
                connection.execute("DELETE FROM games WHERE id = ?", (one.id,))
        gone += len(some)
