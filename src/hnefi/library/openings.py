"""The moves played at a position with their results, and opening trees."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Self

from hnefi._core import Game, Move, Position
from hnefi.library.position_index import Entry
from hnefi.library.query import Query, entries_at
from hnefi.library.store import Library
from hnefi.measure import Interval, score_interval


@dataclass(frozen=True, slots=True)
class Results:
    """Counts of games by result.

    >>> Results(6, 2, 2, 1).share
    0.7
    """

    attackers: int = 0
    draws: int = 0
    defenders: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, counts: Counter[str]) -> Self:
        """Returns the results for counts by the result words of records."""
        return cls(counts["attackers"], counts["draw"], counts["defenders"], counts["*"])

    @property
    def games(self) -> int:
        """The number of games."""
        return self.attackers + self.draws + self.defenders + self.unknown

    @property
    def share(self) -> float | None:
        """The attackers' points per game with a known result, None without such games."""
        known = self.games - self.unknown
        return (self.attackers + self.draws / 2) / known if known else None

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval of the attackers' share."""
        return score_interval([self.defenders, self.draws, self.attackers])


@dataclass(frozen=True, slots=True)
class Choice:
    """A move that was played at a position, representing all moves that are equal by symmetry.

    Attributes:
        move: The move, None for games that ended there.
        results: The results of the games with that move.
    """

    move: Move | None
    results: Results


@dataclass(frozen=True, slots=True)
class Opening:
    """A position of an opening tree.

    Attributes:
        move: The move that leads to it, None for the root.
        results: The results of the games that reached it by that move.
        reached: The number of games that reached it in any order of moves: what the choices add up to, if
            none is left out.
        choices: The moves played next, the most frequent first.
        rare: How many moves are left out that fewer than `least_games` games have.
        crowded: How many more moves are left out beyond the `widest`.
    """

    move: Move | None
    results: Results
    reached: int
    choices: tuple["Opening", ...]
    rare: int = 0
    crowded: int = 0


def moves_played(library: Library, position: Position, query: Query | None = None) -> list[Choice]:
    """Returns the moves played at a position or a symmetric image of it, the most frequent first.

    Args:
        query: The games that count; all if None. The query's position is ignored.

    Raises:
        LibraryError: If it cannot be read.
    """
    with library.reading() as connection:
        return _choices(position, entries_at(connection, position, query or Query()))


def _choices(position: Position, entries: Iterable[Entry]) -> list[Choice]:
    counts: dict[int | None, Counter[str]] = {}
    for entry in entries:
        counts.setdefault(entry.move, Counter())[entry.result] += entry.games
    legal = position.legal_moves()
    first: dict[int, Move] = {}
    for number, move in zip(position.canonical_moves(legal), legal, strict=True):
        first.setdefault(number, move)
    choices = [
        Choice(None if number is None else first[number], Results.of(results))
        for number, results in counts.items()
        # Moves that only other rules allow are left out.
        if number is None or number in first
    ]
    return sorted(choices, key=lambda one: (one.move is None, -one.results.games, str(one.move)))


def opening_tree(
    library: Library,
    game: Game,
    query: Query | None = None,
    *,
    depth: int = 4,
    least_games: int = 2,
    widest: int = 8,
) -> Opening:
    """Returns the opening tree from a position.

    Args:
        game: The game up to that position.
        query: The games that count; all if None.
        depth: The depth in plies.
        least_games: The fewest games a move must have been played in.
        widest: The most moves at each position.

    Raises:
        LibraryError: If it cannot be read.
        ValueError: If a number is negative.
    """
    for name, value in (("depth", depth), ("least_games", least_games), ("widest", widest)):
        if value < 0:
            raise ValueError(f"{name}: {value}, expected at least 0")
    return _opening(library, game, query, None, (depth, least_games, widest))


def _opening(
    library: Library, game: Game, query: Query | None, last: Choice | None, bounds: Sequence[int]
) -> Opening:
    depth, least_games, widest = bounds
    played = moves_played(library, game.position, query)
    everything = _sum(one.results for one in played)
    results = last.results if last else everything
    moves = [(one, one.move) for one in played if one.move is not None] if depth else []
    frequent = [(one, move) for one, move in moves if one.results.games >= least_games]
    return Opening(
        last.move if last else None,
        results,
        everything.games,
        tuple(
            _opening(library, game.play(move), query, one, (depth - 1, least_games, widest))
            for one, move in frequent[:widest]
        ),
        len(moves) - len(frequent),
        len(frequent[widest:]),
    )


def _sum(results: Iterable[Results]) -> Results:
    counts = zip(*map(astuple, results), strict=True)
    return Results(*map(sum, counts))
