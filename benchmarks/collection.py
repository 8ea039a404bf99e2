"""Benchmark of a library of games: adding games with all checks, and searching positions.

The games are random games of Brandub (Walker): a stock of different games, each added with many dates. The
exit code is 1 if a figure misses its limit. Run it on an idle machine.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from hnefi import Game, variant
from hnefi.formats import RawGame
from hnefi.library import Adder, Library, Query, count_games, find_games, moves_played
from hnefi.record import variant_headers

_STOCK = 20_000
_MAX_PLIES = 60
_SEARCHES = 200
_MIN_RATE = 2000
_MAX_MS = 100


@dataclass(frozen=True, slots=True)
class LibraryFigures:
    """The figures of a library of some size.

    Attributes:
        games: The number of games.
        positions: The number of rows in the index of positions.
        rate: Games added in a second of processor time.
        size_mib: The size of the file.
        common_ms: The time to count the moves at the start position and to list ten of the games.
        median_ms: The median of the same for positions of random games.
        slowest_ms: The maximum of the same.
    """

    games: int
    positions: int
    rate: float
    size_mib: float
    common_ms: float
    median_ms: float
    slowest_ms: float

    @property
    def is_met(self) -> bool:
        """Whether all figures are within their limits."""
        return self.rate >= _MIN_RATE and max(self.common_ms, self.slowest_ms) <= _MAX_MS


def measure(games: int) -> LibraryFigures:
    """Fills a library with games and searches it."""
    rng = random.Random(1)
    stock = [_played(rng) for _ in range(min(games, _STOCK))]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        seconds = 0.0
        with Library(path, create=True) as library, Adder(library) as adder:
            for one in _raw_games(stock, games):
                started = time.process_time()
                adder.add("games", one)
                seconds += time.process_time() - started
            started = time.process_time()
            adder.flush()
            seconds += time.process_time() - started
        with Library(path) as library:
            times = [_search_ms(library, game) for game in rng.sample(stock, min(len(stock), _SEARCHES))]
            return LibraryFigures(
                games=library.count(),
                positions=_rows(library),
                rate=games / seconds,
                size_mib=path.stat().st_size / 2**20,
                common_ms=_search_ms(library, variant("brandub-walker-7").new_game()),
                median_ms=statistics.median(times),
                slowest_ms=max(times),
            )


def _played(rng: random.Random) -> Game:
    game = variant("brandub-walker-7").new_game()
    while game.outcome is None and game.ply_count < _MAX_PLIES:
        game = game.play(rng.choice(game.legal_moves()))
    return game


def _raw_games(stock: list[Game], games: int) -> Iterator[RawGame]:
    """Iterates over the games of the stock, again and again with other dates and players."""
    rules = variant_headers(variant("brandub-walker-7"))
    moves = [tuple(map(str, game.plies)) for game in stock]
    for number in range(games):
        names = (("Attackers", f"Player {number % 977}"), ("Defenders", f"Player {number % 1009}"))
        yield RawGame((*rules, *names, ("Date", str(number))), moves[number % len(moves)], line=number + 1)


def _search_ms(library: Library, game: Game) -> float:
    """Searches an early position of a game as the explorer and `library search` do; returns milliseconds."""
    while game.ply_count > 8 and game.parent is not None:
        game = game.parent
    query = Query(position=game.position)
    return _clocked_ms(
        lambda: (
            moves_played(library, game.position),
            count_games(library, query),
            list(find_games(library, query, 10)),
        )
    )


def _clocked_ms(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return (time.perf_counter() - started) * 1000


def _rows(library: Library) -> int:
    with library.reading() as connection:
        rows: int = connection.execute("SELECT sum(rows) FROM runs").fetchone()[0]
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collection", description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="how many games")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    figures = measure(arguments.games)
    if arguments.json:
        print(json.dumps(asdict(figures) | {"is_met": figures.is_met}))
    else:
        print(f"{figures.games:,} games, {figures.positions:,} positions, {figures.size_mib:,.0f} MiB")
        print(f"  added {figures.rate:,.0f} a second (≥ {_MIN_RATE})")
        print(
            f"  a position found in {figures.median_ms:.1f} ms, {figures.slowest_ms:.1f} ms at most;"
            f" the start in {figures.common_ms:.1f} ms (≤ {_MAX_MS})"
        )
    return 0 if figures.is_met else 1


if __name__ == "__main__":
    sys.exit(main())
