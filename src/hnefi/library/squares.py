"""Counts by square: how often pieces moved to it, and were captured on it."""

from collections import Counter
from dataclasses import dataclass, field

from hnefi.library.query import Query, find_games, selected
from hnefi.library.store import Library, LibraryError


@dataclass(slots=True)
class SquareCounts:
    """The counts of some games on boards of one size.

    Attributes:
        size: The squares on an edge of the board, 0 without games.
        games: The number of games.
        entered: The number of moves to each square, by name.
        captured: The number of soldiers captured on each square.
    """

    size: int = 0
    games: int = 0
    entered: Counter[str] = field(default_factory=Counter)
    captured: Counter[str] = field(default_factory=Counter)


def square_counts(library: Library, query: Query | None = None) -> SquareCounts:
    """Plays all games of a query and counts their moves and captures by square.

    Raises:
        LibraryError: `several_boards` if their boards have different sizes, or if it cannot be read.
    """
    query = query or Query()
    with library.reading() as connection:
        where, values = selected(connection, query)
        rows = connection.execute(
            "SELECT json_extract(tree, '$.board.size') FROM rules WHERE id IN"
            f" (SELECT games.rules FROM games WHERE {where}) GROUP BY 1 ORDER BY 1",
            values,
        )
        sizes = [int(row[0]) for row in rows]
    if len(sizes) > 1:
        boards = ", ".join(map(str, sizes))
        raise LibraryError.of_facts("several_boards", path=library.path, sizes=boards)
    counts = SquareCounts(size=sizes[0] if sizes else 0)
    for one in find_games(library, query):
        counts.games += 1
        for ply in one.game().plies:
            counts.entered[ply.move.to_square.name] += 1
            counts.captured.update(square.name for square in ply.captures)
    return counts
