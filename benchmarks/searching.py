"""The speed of the search: positions a second, how deep it comes, and what a second thread is worth."""

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
_LOOKS_MS = (1000, 5000)
# What two threads are compared at: positions of each game, and how long one thread needs for them at least.
POSITIONS = 6
SHARED_S = 1.0
LEAST_SPEEDUP = 1.4
_OPENINGS = Openings(plies=6, seed=3)
# A position is even if a search so deep finds nobody further ahead, in hundredths of a soldier.
_EVEN_PLIES = 6
_EVEN = 150


class Board(NamedTuple):
    """A game that is searched from its start.

    Attributes:
        name: The variant, or `eleven`.
        least: Positions a second that one thread should visit.
        depths: What a prototype written for this game reached after one and five seconds, if there was one.
    """

    name: str
    least: int
    depths: tuple[int, int] | None


BOARDS = (
    Board("ard-ri-globe", 4_000_000, (13, 16)),
    Board("brandub-globe", 4_000_000, (8, 10)),
    Board("brandub-breyer", 4_000_000, (9, 11)),
    Board("gwezboell-globe", 3_000_000, None),
    Board("tablut-geoludie", 3_000_000, (7, 10)),
    Board("tablut-kouvia", 3_000_000, None),
    Board("eleven", 2_000_000, None),
)


class Effort(NamedTuple):
    """What a search took.

    Attributes:
        depth: The depth it came to.
        clock: Seconds of the clock.
        processor: Seconds of the processor, of the thread that reports.
    """

    depth: int
    clock: float
    processor: float


class Speedup(NamedTuple):
    """How many times faster two threads are than one: geometric means over the positions of a game.

    Attributes:
        clock: By the clock, which says what is meant on an idle machine only.
        processor: By the time of the thread that reports, which other work disturbs less.
    """

    clock: float
    processor: float


class Depth(NamedTuple):
    """How deep one game is searched.

    Attributes:
        rate: Positions that one thread visits in a second of the processor.
        reached: The depths after one and five seconds of one thread, in plies.
        speedup: What a second thread is worth.
    """

    board: Board
    rate: float
    reached: tuple[int, ...]
    speedup: Speedup

    @property
    def is_met(self) -> bool:
        return self.rate >= self.board.least and self.speedup.clock >= LEAST_SPEEDUP

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
    """Gives the positions that one thread visits in a second of the processor; the best of several rounds.

    The thread that asks is the one that searches, so that other work on the machine counts little.
    """

    def once() -> float:
        searcher = Searcher(_TABLE_MIB, 1)
        begin = time.thread_time()
        nodes = searcher.analyse(game, time_ms=_RATE_MS).nodes
        return nodes / (time.thread_time() - begin)

    return max(once() for _ in range(ROUNDS))


def reached(game: Game, time_ms: int) -> int:
    """Gives the deepest iteration that one thread finishes in a time."""
    found: list[Report] = []
    # Without a limit of its own a search does not spare itself an iteration that may come too late.
    searcher = Searcher(_TABLE_MIB, 1)

    def note(report: Report) -> None:
        found.append(report)
        if report.time_ms >= time_ms:
            searcher.stop()

    searcher.analyse(game, time_ms=2 * time_ms, on_report=note)
    return max((report.depth for report in found if report.time_ms <= time_ms), default=0)


def positions(game: Game) -> Iterator[Game]:
    """Gives the start, and even positions after openings that are always the same."""
    yield game
    searcher = Searcher(_TABLE_MIB, 1)
    for moves in _OPENINGS.draw(game.rules):
        after = game
        for move in moves:
            after = after.play(move)
        line = searcher.analyse(after, depth=_EVEN_PLIES).lines[0]
        if abs(line.score) < _EVEN:
            yield after


def alone(game: Game) -> Effort | None:
    """Gives what one thread needs for the first iteration that ends late enough; None if a proof ends it."""
    found: list[Effort] = []
    searcher = Searcher(_TABLE_MIB, 1)
    clock, processor = time.perf_counter(), time.thread_time()

    def note(report: Report) -> None:
        found.append(Effort(report.depth, time.perf_counter() - clock, time.thread_time() - processor))
        if found[-1].processor >= SHARED_S:
            searcher.stop()

    searcher.analyse(game, on_report=note)
    return found[-1] if found[-1].processor >= SHARED_S else None


def together(game: Game, depth: int) -> Effort:
    """Gives what two threads need to the same depth."""
    searcher = Searcher(_TABLE_MIB, 2)
    clock, processor = time.perf_counter(), time.thread_time()
    searcher.analyse(game, depth=depth)
    return Effort(depth, time.perf_counter() - clock, time.thread_time() - processor)


def speedup(game: Game) -> Speedup:
    """Measures what a second thread is worth; over several positions, since two never search twice alike."""
    ratios = []
    found = ((position, alone(position)) for position in positions(game))
    long = ((position, one) for position, one in found if one is not None)
    for position, one in itertools.islice(long, POSITIONS):
        for _ in range(ROUNDS):
            two = together(position, one.depth)
            ratios.append(Speedup(one.clock / two.clock, one.processor / two.processor))
    return Speedup(*(statistics.geometric_mean(ratio) for ratio in zip(*ratios, strict=True)))


def measure() -> list[Depth]:
    """Measures every board; about eight minutes."""
    return [look(board) for board in BOARDS]


def look(board: Board) -> Depth:
    game = start(board.name)
    depths = tuple(reached(game, limit) for limit in _LOOKS_MS)
    return Depth(board, rate(game), depths, speedup(game))


def show(depths: list[Depth]) -> None:
    print("\nThe search from the start; depths in plies after 1 and 5 s, in brackets those of a prototype")
    head = f"{'game':<16} {'M positions/s':>19} {'1 s':>8} {'5 s':>8}"
    print(f"{head} {'two threads: clock':>20} {'processor':>10}")
    for one in depths:
        before = one.board.depths
        cells = [f"{ply} ({old})" for ply, old in zip(one.reached, before or ("–", "–"), strict=True)]
        limit = f"≥ {one.board.least / 1e6:.0f}, {LEAST_SPEEDUP}  {'ok' if one.is_met else 'MISSED'}"
        rate, worth = f"{one.rate / 1e6:.1f}", one.speedup
        print(
            f"{one.board.name:<16} {rate:>19} {cells[0]:>8} {cells[1]:>8} {worth.clock:>20.2f} "
            f"{worth.processor:>10.2f}  {limit}"
        )
    if (os.cpu_count() or 1) < 2:
        print("One processor only: the speedup of two threads means nothing here.")
