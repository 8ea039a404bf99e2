"""Runs of test suites: which positions an engine solves."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hnefi._core import Move
from hnefi.engine.analysis import Analysis
from hnefi.engine.interface import EngineLike
from hnefi.engine.limits import Limit
from hnefi.engine.native import Engine
from hnefi.formats.suite import SuiteEntry


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """The answer of an engine to one position: its last analysis, which has no line if the game is over."""

    entry: SuiteEntry
    analysis: Analysis
    solution: Analysis | None = None
    """The first analysis from which on the best move solves the position; None if the last one does not."""

    @property
    def move(self) -> Move | None:
        """The move of the engine."""
        return self.analysis.best.move if self.analysis.best else None

    @property
    def is_solved(self) -> bool:
        """Whether the move solves the position."""
        return self.solution is not None


def run_suite(engine: EngineLike, entries: Iterable[SuiteEntry], limit: Limit) -> Iterator[SuiteResult]:
    """Analyses the positions of a test suite one after the other, the native engine with an empty table each.

    >>> from hnefi import Engine
    >>> from hnefi.formats import parse_suite
    >>> suite = parse_suite("brandub-globe 7/7/4t2/7/1K5/7/t6 d am b3-c3; dm 3;")
    >>> with Engine(table_mib=1) as engine:
    ...     [result.is_solved for result in run_suite(engine, suite.entries, Limit(nodes=1_000))]
    [True]
    """
    for entry in entries:
        if isinstance(engine, Engine):
            engine.clear_table()
        last, solution = Analysis(is_final=True), None
        with engine.analyse(entry.new_game(), limit, lines=1) as stream:
            for last in stream:
                is_solved = last.best is not None and entry.is_solved_by(last.best.move)
                solution = (solution or last) if is_solved else None
        yield SuiteResult(entry, last, solution)
