"""The native engine: the search of the compiled core, with a parallel proof search for forced wins."""

import time
from dataclasses import replace

from hnefi._core import Report, Searcher, static_scores
from hnefi.engine.analysis import Analysis, AnalysisLine, Calibration, OnAnalysis, Score
from hnefi.engine.interface import EngineLike
from hnefi.engine.limits import check_number
from hnefi.engine.proof import ProofSearch
from hnefi.engine.streams import Job
from hnefi.engine.weights import Weights, weights_for
from hnefi.errors import EngineError
from hnefi.pieces import Side

_REPEATABLE_TABLE_MIB = 1
MOST_THREADS = 256
MOST_TABLE_MIB = 65_536
# With less time, a proof search is not worth its thread.
_MIN_PROOF_MS = 500


class Engine(EngineLike):
    """The native engine: plays and analyses any game under any valid rules.

    >>> from hnefi import variant
    >>> from hnefi.engine import Limit
    >>> with Engine(table_mib=4) as engine:
    ...     game = variant("brandub-globe").new_game()
    ...     game.is_legal(engine.play(game, Limit(nodes=1_000)))
    True
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        table_mib: int = 64,
        weights: Weights | None = None,
        proves: bool = True,
    ) -> None:
        """Creates an engine.

        Args:
            threads: How many threads search, 1 to 256; the proof search is one more, if a core is idle.
            table_mib: Memory of the transposition table, 1 to 65536 MiB.
            weights: Weights of the evaluation; those for the rules of each game if None.
            proves: Whether a proof search for forced wins runs beside the search. It runs in analyses of half
                a second or more that are limited neither by nodes nor by depth (those are repeatable), on a
                core that is idle, else a tenth of the time.
        """
        super().__init__()
        check_number("threads", threads, 1, MOST_THREADS)
        check_number("table_mib", table_mib, 1, MOST_TABLE_MIB)
        self._searcher = Searcher(table_mib, threads)
        self._repeatable_searcher = Searcher(_REPEATABLE_TABLE_MIB, 1)
        self._threads = threads
        self._weights = weights
        self._proves = proves
        self._ending: list[ProofSearch] = []

    @property
    def name(self) -> str:
        """The name of the engine."""
        return "Hnefi"

    def clear_table(self) -> None:
        """Clears the transposition table; waits for an analysis in progress."""
        self._searcher.clear()

    def close(self) -> None:
        """Stops all searches and closes the engine. May be called twice."""
        super().close()
        while self._ending:
            self._ending = [proof_search for proof_search in self._ending if not proof_search.stop()]

    def _interrupt(self) -> None:
        self._searcher.stop()
        self._repeatable_searcher.stop()

    def _search(self, job: Job, on_analysis: OnAnalysis) -> Analysis:
        began = time.perf_counter()
        weights = self._weights or weights_for(job.game.rules)
        proof_search = ProofSearch(job, self._interrupt, self._threads) if self._should_prove(job) else None
        searcher = self._repeatable_searcher if job.starts_empty else self._searcher
        if job.starts_empty:
            searcher.clear()

        def analysis_of(report: Report) -> Analysis:
            analysis = _analysis(report, weights.calibration)
            return analysis if proof_search is None else proof_search.complete(analysis)

        def left_ms(milliseconds: int | None) -> int | None:
            """Subtracts what the start of the threads took: milliseconds on a busy machine."""
            if milliseconds is None:
                return None
            return max(milliseconds - int(1000 * (time.perf_counter() - began)), 1)

        def on_report(report: Report) -> None:
            # A stop before the search started would be lost.
            if job.is_stopped or (proof_search and proof_search.is_decisive):
                searcher.stop()
            on_analysis(analysis_of(report))

        try:
            report = searcher.analyse(
                job.game,
                depth=1 if job.is_stopped else job.limit.depth,
                nodes=job.limit.time_trouble_nodes,
                time_ms=left_ms(job.limit.budget_ms),
                usual_ms=left_ms(job.limit.usual_ms if job.is_play or job.limit.clock else None),
                lines=job.lines,
                moves=job.moves,
                weights=weights.text,
                on_report=on_report,
            )
        except ValueError as error:
            raise EngineError.of_facts("bad_weights", path="-", why=error) from error
        finally:
            if proof_search is not None:
                self._ending = [search for search in (*self._ending, proof_search) if not search.stop()]
        analysis = analysis_of(report)
        return analysis if analysis.lines else _static_lines(job, analysis, weights)

    def _should_prove(self, job: Job) -> bool:
        budget = job.limit.usual_ms
        is_unlimited = job.limit.nodes is None and job.limit.depth is None
        is_unlimited = is_unlimited and (budget is None or budget >= _MIN_PROOF_MS)
        return self._proves and is_unlimited and not job.moves and not job.is_stopped


def _static_lines(job: Job, analysis: Analysis, weights: Weights) -> Analysis:
    """Adds lines by static evaluation to an analysis that was stopped before it had any line."""
    side = job.game.turn
    assert side is not None
    sign = 1 if side is Side.ATTACKERS else -1
    candidates = static_scores(job.game, job.moves or job.game.legal_moves(), weights.text)
    best = sorted(candidates, key=lambda candidate: -candidate[1])[: job.lines]
    lines = (AnalysisLine(Score(sign * value, weights.calibration), (move,)) for move, value in best)
    return replace(analysis, lines=tuple(lines))


def _analysis(report: Report, calibration: Calibration) -> Analysis:
    lines = tuple(
        AnalysisLine(Score(line.score, calibration, line.win_in), line.moves)
        for line in report.lines
        if line.moves
    )
    return Analysis(lines, report.depth, report.deepest, report.nodes, report.time_ms)
