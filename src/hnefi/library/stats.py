"""Statistics of a library, by variant and by player."""

from collections import Counter
from dataclasses import dataclass

from hnefi.library.openings import Results
from hnefi.library.query import Query, selected
from hnefi.library.store import Library


@dataclass(frozen=True, slots=True)
class VariantStats:
    """Statistics of the games of a variant.

    Attributes:
        variant: Its id.
        results: The counts by result.
        plies: The average number of plies.
        reasons: The counts by reason; the empty reason means unknown.
    """

    variant: str
    results: Results
    plies: float
    reasons: Counter[str]


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """Statistics of the games of a player.

    Attributes:
        name: The name in its first spelling.
        attacking: The results with the attackers.
        defending: The results with the defenders.
    """

    name: str
    attacking: Results
    defending: Results

    @property
    def games(self) -> int:
        """The number of games."""
        return self.attacking.games + self.defending.games

    @property
    def share(self) -> float | None:
        """The player's points per game with a known result, None without such games."""
        won = self.attacking.attackers + self.defending.defenders
        drawn = self.attacking.draws + self.defending.draws
        known = self.games - self.attacking.unknown - self.defending.unknown
        return (won + drawn / 2) / known if known else None


def variant_stats(library: Library, query: Query | None = None) -> list[VariantStats]:
    """Returns the statistics by variant, most games first.

    Raises:
        LibraryError: If it cannot be read.
    """
    results: dict[str, Counter[str]] = {}
    reasons: dict[str, Counter[str]] = {}
    plies: Counter[str] = Counter()
    with library.reading() as connection:
        where, values = selected(connection, query or Query())
        rows = connection.execute(
            "SELECT rules.variant, result, reason, count(*), sum(plies) FROM games"
            f" JOIN rules ON rules.id = games.rules WHERE {where} GROUP BY 1, 2, 3",
            values,
        ).fetchall()
    for variant, result, reason, games, total in rows:
        results.setdefault(variant, Counter())[result] += games
        reasons.setdefault(variant, Counter())[reason] += games
        plies[variant] += total
    found = [
        VariantStats(one, Results.of(counts), plies[one] / counts.total(), reasons[one])
        for one, counts in results.items()
    ]
    return sorted(found, key=lambda one: (-one.results.games, one.variant))


def player_stats(library: Library, query: Query | None = None, limit: int = 50) -> list[PlayerStats]:
    """Returns the statistics by player, most games first. Names are compared case-insensitively.

    Raises:
        LibraryError: If it cannot be read.
    """
    counts: dict[str, tuple[str, Counter[str], Counter[str]]] = {}
    with library.reading() as connection:
        where, values = selected(connection, query or Query())
        for place, column in enumerate(("attackers", "defenders"), 1):
            rows = connection.execute(
                f"SELECT {column}, result, count(*) FROM games WHERE {column} != '' AND {where}"
                " GROUP BY 1, 2",
                values,
            )
            for name, result, games in rows:
                known = counts.setdefault(name.casefold(), (name, Counter(), Counter()))
                known[place][result] += games  # type: ignore[index]
    found = [PlayerStats(name, Results.of(one), Results.of(two)) for name, one, two in counts.values()]
    return sorted(found, key=lambda one: (-one.games, one.name))[:limit]
