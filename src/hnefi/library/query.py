"""Finds, counts and removes the games of a library by filters and position."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hnefi._core import Position
from hnefi.errors import shorten
from hnefi.library.position_index import PositionIndex
from hnefi.library.store import Library, LibraryError
from hnefi.library.stored_game import COLUMNS, LibraryGame, game_from_row

_FROM = "games JOIN rules ON rules.id = games.rules JOIN sources ON sources.id = games.source"
_PAGE = 500
_REMOVED_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Query:
    """Filters for games; a field that is None or empty does not filter.

    Attributes:
        variant: The id of the variant, with any switches.
        player: A part of the name of either player.
        attackers: A part of the name of the player with the attackers.
        defenders: A part of the name of the player with the defenders.
        result: `attackers`, `defenders`, `draw` or `*`.
        reason: The reason they ended.
        since: The first date, as text: `2019` or `2019-05-31`.
        until: The last date.
        least: The fewest plies.
        most: The most plies.
        source: A part of the path of the file they came from.
        position: A position they reached, or a symmetric image of it.
        ids: Their numbers in the library.
    """

    variant: str | None = None
    player: str | None = None
    attackers: str | None = None
    defenders: str | None = None
    result: str | None = None
    reason: str | None = None
    since: str | None = None
    until: str | None = None
    least: int | None = None
    most: int | None = None
    source: str | None = None
    position: Position | None = None
    ids: Sequence[int] = field(default=())

    @property
    def filters_games(self) -> bool:
        """Whether it filters by more than variant and position."""
        facts = (
            self.player,
            self.attackers,
            self.defenders,
            self.result,
            self.reason,
            self.since,
            self.until,
        )
        return bool(self.ids) or any(
            fact is not None for fact in (*facts, self.least, self.most, self.source)
        )


def find_games(
    library: Library, query: Query, limit: int | None = None, offset: int = 0
) -> Iterator[LibraryGame]:
    """Iterates over the games that match a query, the latest added first.

    Args:
        library: The library.
        query: The filters.
        limit: The maximum number of games; all if None.
        offset: The number of games to skip first.

    Raises:
        LibraryError: If it cannot be read.
    """
    left, before = limit, None
    while left is None or left > 0:
        size = _PAGE if left is None else min(left, _PAGE)
        with library.reading() as connection:
            page = _page(connection, query, size, offset, before)
        yield from page
        if len(page) < size:
            return
        left = None if left is None else left - len(page)
        offset, before = 0, page[-1].id


def find_game(library: Library, number: int) -> LibraryGame:
    """Returns the game with a number.

    Raises:
        LibraryError: `not_in_library`, or if it cannot be read.
    """
    for one in find_games(library, Query(ids=(number,))):
        return one
    facts = {"path": shorten(library.path, 300), "game": str(number)}
    raise LibraryError("not_in_library", f"{facts['path']}: no game {number}", facts)


def _page(
    connection: sqlite3.Connection, query: Query, size: int, offset: int, before: int | None
) -> list[LibraryGame]:
    """Returns the next page of a query; no transaction stays open between pages."""
    where, values = condition(query)
    if before is not None:
        where, values = f"{where} AND games.id < ?", [*values, before]
    if query.position is None:
        text = f"SELECT {COLUMNS} FROM {_FROM} WHERE {where} ORDER BY games.id DESC LIMIT ? OFFSET ?"
        rows = connection.execute(text, (*values, size, offset))
    else:
        # CROSS JOIN keeps SQLite from scanning all games first.
        join = "JOIN" if query.filters_games else "CROSS JOIN"
        reached = PositionIndex(connection).games(
            query.position.canonical_key,
            rules_of(connection, query.variant),
            None if query.filters_games else size + offset,
            before,
        )
        text = (
            f"SELECT {COLUMNS} FROM (SELECT games.id AS id FROM ({reached}) AS found"
            f" {join} games ON games.id = found.game WHERE {where}"
            " ORDER BY games.id DESC LIMIT ? OFFSET ?) AS chosen"
            f" JOIN games ON games.id = chosen.id JOIN rules ON rules.id = games.rules"
            f" JOIN sources ON sources.id = games.source ORDER BY games.id DESC"
        )
        rows = connection.execute(text, (*values, size, offset))
    return [game_from_row(row) for row in rows]


def count_games(library: Library, query: Query) -> int:
    """Counts the games that match a query.

    Raises:
        LibraryError: If it cannot be read.
    """
    with library.reading() as connection:
        index = PositionIndex(connection)
        where, values = condition(query)
        if query.position is None:
            row = connection.execute(f"SELECT count(*) FROM games WHERE {where}", values).fetchone()
            return int(row[0])
        key = query.position.canonical_key
        if query.filters_games:
            return sum(entry.games for entry in index.entries_of(key, where, values))
        rules = rules_of(connection, query.variant)
        return sum(one.games for one in index.entries(key) if not query.variant or one.rules in rules)


def remove_games(library: Library, query: Query) -> int:
    """Removes the games that match a query and returns their number. O(plies · runs) per game.

    Raises:
        LibraryError: If it cannot be written.
    """
    removed = 0
    while True:
        batch = list(find_games(library, query, _REMOVED_AT_ONCE))
        if not batch:
            return removed
        with library.writing() as connection:
            index = PositionIndex(connection)
            for one in batch:
                index.remove(one.id, {key for key, _ in one.game().canonical_line()})
                connection.execute("DELETE FROM games WHERE id = ?", (one.id,))
        removed += len(batch)


def rules_of(connection: sqlite3.Connection, variant: str | None) -> list[int]:
    """Returns the numbers of the rules of a variant with any switches; empty for None.

    For a variant without games, it returns a number that matches nothing.
    """
    if variant is None:
        return []
    found = [int(row[0]) for row in connection.execute("SELECT id FROM rules WHERE variant = ?", (variant,))]
    return found or [-1]


def condition(query: Query) -> tuple[str, list[object]]:
    """Returns the SQL condition on `games` for all filters but the position, with its values."""
    # A year alone includes all its dates.
    until = None if query.until is None else f"{query.until}~"
    filters: tuple[tuple[str, object], ...] = (
        ("games.rules IN (SELECT id FROM rules WHERE variant = ?)", query.variant),
        ("instr(lower(games.attackers), lower(?)) > 0", query.attackers),
        ("instr(lower(games.defenders), lower(?)) > 0", query.defenders),
        ("instr(lower(games.attackers || char(10) || games.defenders), lower(?)) > 0", query.player),
        ("games.result = ?", query.result),
        ("games.reason = ?", query.reason),
        ("games.date >= ?", query.since),
        ("games.date != '' AND games.date < ?", until),
        ("games.plies >= ?", query.least),
        ("games.plies <= ?", query.most),
        ("games.source IN (SELECT id FROM sources WHERE instr(lower(path), lower(?)) > 0)", query.source),
    )
    parts = [(text, value) for text, value in filters if value is not None]
    texts = [text for text, _ in parts]
    if query.ids:
        texts.append(f"games.id IN ({', '.join(str(int(one)) for one in query.ids)})")
    return " AND ".join(texts) or "1", [value for _, value in parts]
