"""Benchmark of the search: positions a second, depth in a given time, and the speedup of two threads."""

import itertools
import json
import os
import statistics
import time
from collections.abc import Iterator
from typing import NamedTuple

from benchmarks import kernel
from hnefi import Rules
from hnefi._core import Game, Report, Searcher
from hnefi.lab.openings import Openings

ROUNDS = 3
_TABLE_MIB = 64
_RATE_MS = 1000
_TIMES_MS = (1000, 5000)
# The comparison of two threads with one: positions of each game, and the least time of one thread for each.
POSITIONS = 20
MIN_SINGLE_THREAD_S = 1.0
# The least speedup of a game, and of all games in the geometric mean.
MIN_SPEEDUP = 1.5
MIN_MEAN_SPEEDUP = 1.8
_OPENINGS = Openings(plies=6, seed=3)
# A position is even if a search of this depth gives a score within ± this, in hundredths of a soldier.
_EVEN_DEPTH = 6
_EVEN_SCORE = 150


class Board(NamedTuple):
    """A game that is searched from its start position.

    Attributes:
        name: The variant, or `eleven`.
        min_rate: The least positions a second of one thread.
        prototype_depths: The depths of a prototype for this game after one and five seconds, if there was
        one.
    """

    name: str
    min_rate: int
    prototype_depths: tuple[int, int] | None


BOARDS = (
    Board("ard-ri-globe", 4_000_000, (13, 16)),
    Board("brandub-globe", 4_000_000, (8, 10)),
    Board("brandub-breyer", 4_000_000, (9, 11)),
    Board("gwezboell-globe", 3_000_000, None),
    Board("tablut-geoludie", 3_000_000, (7, 10)),
    Board("tablut-kouvia", 3_000_000, None),
    Board("eleven", 2_000_000, None),
)


class SearchTime(NamedTuple):
    """The time of a search.

    Attributes:
        depth: The depth it reached.
        clock: Wall-clock time, in seconds.
        processor: Processor time of the thread that reports, in seconds.
    """

    depth: int
    clock: float
    processor: float


class Speedup(NamedTuple):
    """The speedup of two threads: geometric means over the positions of a game.

    Attributes:
        clock: By wall-clock time, which is valid on an idle machine only.
        processor: By processor time of the thread that reports, which other work disturbs less.
    """

    clock: float
    processor: float


class SearchFigures(NamedTuple):
    """The figures of one game.

    Attributes:
        rate: Positions that one thread visits in a second of processor time.
        reached: The depths of one thread after one and five seconds, in plies.
        speedup: The speedup of two threads.
    """

    board: Board
    rate: float
    reached: tuple[int, ...]
    speedup: Speedup

    @property
    def is_met(self) -> bool:
        return self.rate >= self.board.min_rate and self.speedup.clock >= MIN_SPEEDUP

    def as_json(self) -> dict[str, object]:
        return self.board._asdict() | {
            "rate": round(self.rate),
            "reached": self.reached,
            "speedup": {name: round(value, 2) for name, value in self.speedup._asdict().items()},
            "is_met": self.is_met,
        }


def start(name: str) -> Game:
    tree = kernel.eleven() if name == "eleven" else kernel.rules(name)
    return Game(Rules(json.dumps(tree)))


def rate(game: Game) -> float:
    """Returns the positions that one thread visits in a second of processor time; the best of several rounds.

    The calling thread searches, so that other work on the machine counts little.
    """

    def once() -> float:
        searcher = Searcher(_TABLE_MIB, 1)
        begin = time.thread_time()
        nodes = searcher.analyse(game, time_ms=_RATE_MS).nodes
        return nodes / (time.thread_time() - begin)

    return max(once() for _ in range(ROUNDS))


def reached(game: Game, time_ms: int) -> int:
    """Returns the depth of the last iteration that one thread finishes in a given time."""
    reports: list[Report] = []
    # With exactly this limit, the search would not start an iteration that may come too late.
    searcher = Searcher(_TABLE_MIB, 1)

    def note(report: Report) -> None:
        reports.append(report)
        if report.time_ms >= time_ms:
            searcher.stop()

    searcher.analyse(game, time_ms=2 * time_ms, on_report=note)
    return max((report.depth for report in reports if report.time_ms <= time_ms), default=0)


def positions(game: Game) -> Iterator[Game]:
    """Iterates over the start position and even positions after fixed openings."""
    yield game
    searcher = Searcher(_TABLE_MIB, 1)
    for moves in _OPENINGS.draw(game.rules):
        after = game
        for move in moves:
            after = after.play(move)
        line = searcher.analyse(after, depth=_EVEN_DEPTH).lines[0]
        if abs(line.score) < _EVEN_SCORE:
            yield after


def single_thread(game: Game) -> SearchTime | None:
    """Returns the time of one thread to the first late enough iteration; None if a proof ends the search."""
    times: list[SearchTime] = []
    searcher = Searcher(_TABLE_MIB, 1)
    clock, processor = time.perf_counter(), time.thread_time()

    def note(report: Report) -> None:
        times.append(SearchTime(report.depth, time.perf_counter() - clock, time.thread_time() - processor))
        if times[-1].processor >= MIN_SINGLE_THREAD_S:
            searcher.stop()

    searcher.analyse(game, on_report=note)
    return times[-1] if times[-1].processor >= MIN_SINGLE_THREAD_S else None


def two_threads(game: Game, depth: int) -> SearchTime:
    """Returns the time of two threads to the same depth."""
    searcher = Searcher(_TABLE_MIB, 2)
    clock, processor = time.perf_counter(), time.thread_time()
    searcher.analyse(game, depth=depth)
    return SearchTime(depth, time.perf_counter() - clock, time.thread_time() - processor)


def speedup(game: Game) -> Speedup:
    """Measures the speedup of two threads over several positions, since searches vary."""
    ratios = []
    candidates = ((position, single_thread(position)) for position in positions(game))
    long = ((position, one) for position, one in candidates if one is not None)
    for position, one in itertools.islice(long, POSITIONS):
        two = two_threads(position, one.depth)
        ratios.append(Speedup(one.clock / two.clock, one.processor / two.processor))
    return Speedup(*(statistics.geometric_mean(ratio) for ratio in zip(*ratios, strict=True)))


def measure() -> list[SearchFigures]:
    """Measures every board; about eight minutes."""
    return [measure_board(board) for board in BOARDS]


def measure_board(board: Board) -> SearchFigures:
    game = start(board.name)
    depths = tuple(reached(game, limit) for limit in _TIMES_MS)
    return SearchFigures(board, rate(game), depths, speedup(game))


def mean_speedup(depths: list[SearchFigures]) -> float:
    """Returns the geometric mean of the games' speedups by wall-clock time."""
    return statistics.geometric_mean(one.speedup.clock for one in depths)


def show(depths: list[SearchFigures]) -> None:
    print(
        "\nSearch from the start position; depths in plies after 1 and 5 s, in brackets those of a prototype"
    )
    head = f"{'game':<16} {'M positions/s':>19} {'1 s':>8} {'5 s':>8}"
    print(f"{head} {'two threads: clock':>20} {'processor':>10}")
    for one in depths:
        before = one.board.prototype_depths
        cells = [f"{ply} ({old})" for ply, old in zip(one.reached, before or ("–", "–"), strict=True)]
        limit = f"≥ {one.board.min_rate / 1e6:.0f}, {MIN_SPEEDUP}  {'ok' if one.is_met else 'MISSED'}"
        rate, worth = f"{one.rate / 1e6:.1f}", one.speedup
        print(
            f"{one.board.name:<16} {rate:>19} {cells[0]:>8} {cells[1]:>8} {worth.clock:>20.2f} "
            f"{worth.processor:>10.2f}  {limit}"
        )
    mean = mean_speedup(depths)
    mark = "ok" if mean >= MIN_MEAN_SPEEDUP else "MISSED"
    print(f"{'mean':<16} {mean:>58.2f} {'':>10}  ≥ {MIN_MEAN_SPEEDUP}  {mark}")
    if (os.cpu_count() or 1) < 2:
        print("One processor only: the speedup of two threads is not meaningful.")
