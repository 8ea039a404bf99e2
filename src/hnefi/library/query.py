"""Finds, counts and removes the games of a library by filters and position."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from hnefi._core import Position
from hnefi.errors import VariantError, checked_choice, shorten
from hnefi.library.position_index import Entry, PositionIndex
from hnefi.library.store import Library, LibraryError
from hnefi.library.stored_game import COLUMNS, LibraryGame
from hnefi.record.headers import CLOSED, is_date
from hnefi.variants.finding import variant as find_variant

_PAGE = 500
_REMOVED_AT_ONCE = 200
# Free text without a year in front is an unknown date: null, which no filter matches.
_DATE = "CASE WHEN games.date GLOB '[0-9][0-9][0-9][0-9]*' THEN replace(games.date, '.', '-') END"
_RATING = "rating(games.body, 'attackers'), rating(games.body, 'defenders')"

ORDERS = {
    "id": "games.id",
    "date": _DATE,
    "rating": f"max({_RATING}) + min({_RATING})",
    "plies": "games.plies",
    "attackers": "nullif(casefold(games.attackers), '')",
    "defenders": "nullif(casefold(games.defenders), '')",
}
"""The orders of games, with the SQL of their values; ratings count as the sum of both."""

_NAMES = ("attackers", "defenders")
# The largest number that SQLite holds.
_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Query:
    """Filters for games; a field that is None or empty does not filter.

    Attributes:
        variant: The id or a name of the variant, with any switches, or an id that only games have.
        rules: The hash of the rules, switches applied.
        size: The squares on an edge of the board.
        game_type: The number of the game type at aagenielsen.dk.
        player: A part of the name of either player.
        attackers: A part of the name of the player with the attackers.
        defenders: A part of the name of the player with the defenders.
        result: `attackers`, `defenders`, `draw` or `*`.
        reason: The reason they ended.
        since: The first date, as text: `2019` or `2019-05-31`.
        until: The last date.
        lowest_rating: The lowest rating of either player; games without both ratings do not match.
        highest_rating: The highest rating of either player, likewise.
        source: A part of the path of the file they came from.
        position: A position they reached, or a symmetric image of it.
        ids: Their numbers in the library.

    Raises:
        TypeError: If the variant is no text.
        VariantError: `ambiguous_variant`, with the ids.
        ValueError: If a number is too large, or a date, a result or a reason is none.
    """

    variant: str | None = None
    rules: str | None = None
    size: int | None = None
    game_type: int | None = None
    player: str | None = None
    attackers: str | None = None
    defenders: str | None = None
    result: str | None = None
    reason: str | None = None
    since: str | None = None
    until: str | None = None
    lowest_rating: int | None = None
    highest_rating: int | None = None
    least_plies: int | None = None
    most_plies: int | None = None
    source: str | None = None
    position: Position | None = None
    ids: Sequence[int] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.variant, str | None):
            raise TypeError(f"variant: {type(self.variant)}, expected the id of a variant")
        if self.variant is not None:
            object.__setattr__(self, "variant", _id_of(self.variant))
        for one in fields(self):
            _check_number(one.name, getattr(self, one.name))
        for name, value in (("since", self.since), ("until", self.until)):
            if value is not None and not is_date(value):
                raise ValueError(f"{name}: {shorten(value)}, expected a date such as 2019 or 2019-05-31")
        for name, value in (("result", self.result), ("reason", self.reason)):
            expected = CLOSED[name.title()]
            if value is not None and value not in expected:
                raise ValueError(f"{name}: {shorten(value)}, expected {' | '.join(expected)}")

    @property
    def filters_games(self) -> bool:
        """Whether it filters by more than variant and position."""
        return self != Query(variant=self.variant, position=self.position)


def _id_of(name: str) -> str:
    try:
        return find_variant(name).id
    except VariantError as error:
        if error.code != "unknown_variant":
            raise
        return name.strip().lower()


def _check_number(name: str, value: object) -> None:
    if isinstance(value, int) and abs(value) > _LARGEST:
        raise ValueError(f"{name}: {shorten(value)}, expected {-_LARGEST} to {_LARGEST}")


def find_games(
    library: Library,
    query: Query,
    limit: int | None = None,
    offset: int = 0,
    *,
    order: str = "id",
    is_reversed: bool = False,
) -> Iterator[LibraryGame]:
    """Iterates over the games that match a query, the latest added first.

    Args:
        limit: The maximum number of games; all if None.
        offset: The number of games to skip first.
        order: One of `ORDERS`. Numbers and dates begin with the highest, names with the first; games
            without the value come last.
        is_reversed: Whether the order of the values is reversed.

    Raises:
        LibraryError: If it cannot be read.
        ValueError: If the order is unknown, or a number too large.
    """
    checked_choice("order", order, ORDERS)
    _check_number("limit", limit)
    _check_number("offset", offset)
    if order != "id" or is_reversed:
        yield from _in_order(library, query, (limit, offset), order, is_reversed=is_reversed)
        return
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


def _in_order(
    library: Library, query: Query, bounds: tuple[int | None, int], order: str, *, is_reversed: bool
) -> Iterator[LibraryGame]:
    """Sorts the numbers of the games first; then no transaction stays open between pages."""
    limit, offset = bounds
    value = ORDERS[order]
    is_descending = (order in _NAMES) == is_reversed
    with library.reading() as connection:
        where, values = selected(connection, query)
        rows = connection.execute(
            f"SELECT games.id FROM games WHERE {where} ORDER BY ({value}) IS NULL, ({value})"
            f" {'DESC' if is_descending else 'ASC'}, games.id DESC LIMIT ? OFFSET ?",
            (*values, -1 if limit is None else limit, offset),
        )
        numbers = [int(row[0]) for row in rows]
    for start in range(0, len(numbers), _PAGE):
        some = numbers[start : start + _PAGE]
        with library.reading() as connection:
            found = {one.id: one for one in _page(connection, Query(ids=some), _PAGE, 0, None)}
        yield from (found[number] for number in some if number in found)


def find_game(library: Library, number: int) -> LibraryGame:
    """Returns the game with a number.

    Raises:
        LibraryError: `not_in_library`, or if it cannot be read.
    """
    for one in find_games(library, Query(ids=(number,))):
        return one
    raise LibraryError.of_facts("not_in_library", path=library.path, game=number)


def _page(
    connection: sqlite3.Connection, query: Query, size: int, offset: int, before: int | None
) -> list[LibraryGame]:
    """Returns the next page of a query; no transaction stays open between pages."""
    where, values = condition(query)
    if before is not None:
        where, values = f"{where} AND games.id < ?", [*values, before]
    source = "games"
    if query.position is not None:
        # CROSS JOIN keeps SQLite from scanning all games first.
        join = "JOIN" if query.filters_games else "CROSS JOIN"
        reached = PositionIndex(connection).games(
            query.position.canonical_key,
            rules_of(connection, query.variant),
            None if query.filters_games else size + offset,
            before,
        )
        source = f"({reached}) AS found {join} games ON games.id = found.game"
    text = (
        f"SELECT {COLUMNS} FROM (SELECT games.id AS id FROM {source} WHERE {where}"
        " ORDER BY games.id DESC LIMIT ? OFFSET ?) AS chosen JOIN games ON games.id = chosen.id"
        " JOIN rules ON rules.id = games.rules JOIN sources ON sources.id = games.source"
        " ORDER BY games.id DESC"
    )
    rows = connection.execute(text, (*values, size, offset))
    return [LibraryGame(*row) for row in rows]


def count_games(library: Library, query: Query) -> int:
    """Counts the games that match a query.

    Raises:
        LibraryError: If it cannot be read.
    """
    with library.reading() as connection:
        if query.position is not None:
            return sum(one.games for one in entries_at(connection, query.position, query))
        where, values = condition(query)
        row = connection.execute(f"SELECT count(*) FROM games WHERE {where}", values).fetchone()
        return int(row[0])


def entries_at(connection: sqlite3.Connection, position: Position, query: Query) -> list[Entry]:
    """Counts the moves at a position in the games of a query, whose own position is ignored."""
    index, key = PositionIndex(connection), position.canonical_key
    if query.filters_games:
        return index.entries_of(key, *condition(query))
    rules = rules_of(connection, query.variant)
    return [one for one in index.entries(key) if not rules or one.rules in rules]


def remove_games(library: Library, query: Query) -> int:
    """Removes the games that match a query and returns their number. O(plies · runs) per game.

    Raises:
        LibraryError: If it cannot be written.
    """
    removed = 0
    while batch := list(find_games(library, query, _REMOVED_AT_ONCE)):
        with library.writing() as connection:
            index = PositionIndex(connection)
            for one in batch:
                index.remove(one.id, {key for key, _ in one.game().canonical_line()})
                connection.execute("DELETE FROM games WHERE id = ?", (one.id,))
        removed += len(batch)
    return removed


def rules_of(connection: sqlite3.Connection, variant: str | None) -> list[int]:
    """Returns the numbers of the rules of a variant with any switches; empty for None.

    For a variant without games, it returns a number that matches nothing.
    """
    if variant is None:
        return []
    found = [int(row[0]) for row in connection.execute("SELECT id FROM rules WHERE variant = ?", (variant,))]
    return found or [-1]


def selected(connection: sqlite3.Connection, query: Query) -> tuple[str, list[object]]:
    """Returns the SQL condition on `games` for all filters, with its values."""
    where, values = condition(query)
    if query.position is None:
        return where, values
    reached = PositionIndex(connection).games(
        query.position.canonical_key, rules_of(connection, query.variant)
    )
    return f"games.id IN (SELECT game FROM ({reached})) AND {where}", values


def condition(query: Query) -> tuple[str, list[object]]:
    """Returns the SQL condition on `games` for all filters but the position, with its values."""
    # A year alone includes all its dates.
    until = None if query.until is None else f"{query.until}~"
    of_rules = "games.rules IN (SELECT id FROM rules WHERE {} = ?)"
    # The filters at the end read the body of each game that is left.
    filters: tuple[tuple[str, object], ...] = (
        (of_rules.format("variant"), query.variant),
        (of_rules.format("hash"), query.rules),
        (of_rules.format("json_extract(tree, '$.board.size')"), query.size),
        ("instr(casefold(games.attackers), casefold(?)) > 0", query.attackers),
        ("instr(casefold(games.defenders), casefold(?)) > 0", query.defenders),
        ("instr(casefold(games.attackers || char(10) || games.defenders), casefold(?)) > 0", query.player),
        ("games.result = ?", query.result),
        ("games.reason = ?", query.reason),
        (f"{_DATE} >= ?", query.since),
        (f"{_DATE} < ?", until),
        ("games.plies >= ?", query.least_plies),
        ("games.plies <= ?", query.most_plies),
        (
            "games.source IN (SELECT id FROM sources WHERE instr(casefold(path), casefold(?)) > 0)",
            query.source,
        ),
        ("game_type(games.body) = ?", query.game_type),
        (f"min({_RATING}) >= ?", query.lowest_rating),
        (f"max({_RATING}) <= ?", query.highest_rating),
    )
    parts = [(text, value) for text, value in filters if value is not None]
    texts = [text for text, _ in parts]
    if query.ids:
        texts.append(f"games.id IN ({', '.join(str(int(one)) for one in query.ids)})")
    return " AND ".join(texts) or "1", [value for _, value in parts]
