"""The speed of the search: positions a second, how deep it comes, and what a second thread is worth."""

import json
import os
import time
from typing import NamedTuple

from benchmarks import kernel
from hnefi import Rules
from hnefi._core import Game, Report, Searcher

ROUNDS = 3
_TABLE_MIB = 64
_RATE_MS = 1000
_LOOKS_MS = (1000, 5000)


class Board(NamedTuple):
    """A game that is searched from its start.

    Attributes:
        name: The variant, or `eleven`.
        least: Positions a second that one thread should visit.
        depths: What a prototype written for this game reached after one and five seconds, if there was one.
        shared: The depth that one and two threads are compared at.
    """

    name: str
    least: int
    depths: tuple[int, int] | None
    shared: int


BOARDS = (
    Board("ard-ri-globe", 4_000_000, (13, 16), 15),
    Board("brandub-globe", 4_000_000, (8, 10), 12),
    Board("brandub-breyer", 4_000_000, (9, 11), 12),
    Board("gwezboell-globe", 3_000_000, None, 10),
    Board("tablut-geoludie", 3_000_000, (7, 10), 9),
    Board("eleven", 2_000_000, None, 7),
)


class Depth(NamedTuple):
    """How deep one game is searched.

    Attributes:
        rate: Positions that one thread visits in a second of the processor.
        reached: The depths after one and five seconds of one thread, in plies.
        alone_ms: The time of one thread to the depth `Board.shared`.
        together_ms: The time of two.
    """

    board: Board
    rate: float
    reached: tuple[int, ...]
    alone_ms: float
    together_ms: float

    @property
    def is_met(self) -> bool:
        return self.rate >= self.board.least

    @property
    def speedup(self) -> float:
        return self.alone_ms / self.together_ms

    def as_json(self) -> dict[str, object]:
        return self.board._asdict() | {
            "rate": round(self.rate),
            "reached": self.reached,
            "alone_ms": self.alone_ms,
            "together_ms": self.together_ms,
            "speedup": round(self.speedup, 2),
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


def time_ms(game: Game, threads: int, depth: int) -> float:
    """Gives the time in which so many threads reach a depth: the median of several rounds."""

    def once() -> float:
        searcher = Searcher(_TABLE_MIB, threads)
        begin = time.perf_counter()
        searcher.analyse(game, depth=depth)
        return 1e3 * (time.perf_counter() - begin)

    return sorted(once() for _ in range(ROUNDS))[ROUNDS // 2]


def measure() -> list[Depth]:
    """Measures every board; about two minutes."""
    return [look(board) for board in BOARDS]


def look(board: Board) -> Depth:
    game = start(board.name)
    depths = tuple(reached(game, limit) for limit in _LOOKS_MS)
    return Depth(board, rate(game), depths, time_ms(game, 1, board.shared), time_ms(game, 2, board.shared))


def show(depths: list[Depth]) -> None:
    print("\nThe search from the start; depths in plies after 1 and 5 s, in brackets those of a prototype")
    print(f"{'game':<16} {'M positions/s':>13} {'1 s':>8} {'5 s':>8} {'two threads, speedup':>22}")
    for one in depths:
        before = one.board.depths
        cells = [f"{ply} ({old})" for ply, old in zip(one.reached, before or ("–", "–"), strict=True)]
        mark = "ok" if one.is_met else "MISSED"
        speedup = f"{one.speedup:.2f} to {one.board.shared} plies"
        limit = f"≥ {one.board.least / 1e6:.0f}  {mark}"
        print(
            f"{one.board.name:<16} {one.rate / 1e6:>13.1f} {cells[0]:>8} {cells[1]:>8} {speedup:>22}  {limit}"
        )
    if (os.cpu_count() or 1) < 2:
        print("One processor only: the speedup of two threads means nothing here.")
