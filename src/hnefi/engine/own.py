"""The engine of Hnefi: a search in the compiled core, with a prover of forced wins beside it."""

from dataclasses import replace

from hnefi._core import Report, Searcher
from hnefi.engine.analysis import Analysis, AnalysisLine, Calibration, Score, Tell
from hnefi.engine.base import ThinkingEngine
from hnefi.engine.choosing import seen_at_a_glance
from hnefi.engine.job import Job
from hnefi.engine.proving import Prover
from hnefi.engine.weights import Weights, weights_for
from hnefi.errors import EngineError
from hnefi.pieces import Side

__all__ = ["Engine"]

_FORGETFUL_MIB = 1
# For less it is not worth while to begin a proof.
_LEAST_TO_PROVE_MS = 500


class Engine(ThinkingEngine):
    """Plays and analyses any game by any valid rules.

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
        """Makes an engine.

        Args:
            threads: How many threads search, 1 to 256; the prover is one more.
            table_mib: Memory of the transposition table, 1 to 65536 MiB.
            weights: Weights of the evaluation; those for the rules of each game if None.
            proves: Whether forced wins are looked for beside the search, in analyses that neither nodes nor
                depth limit (those give the same every time) and that have half a second or more.
        """
        super().__init__()
        self._searcher = Searcher(table_mib, threads)
        self._forgetful = Searcher(_FORGETFUL_MIB, 1)
        self._weights = weights
        self._proves = proves

    @property
    def name(self) -> str:
        """What it is called."""
        return "Hnefi"

    @property
    def _own_weights(self) -> Weights | None:
        return self._weights

    def forget(self) -> None:
        """Forgets everything remembered of games before; waits for an analysis that is going on."""
        self._searcher.clear()

    def _interrupt(self) -> None:
        self._searcher.stop()
        self._forgetful.stop()

    def _think(self, job: Job, tell: Tell) -> Analysis:
        weights = self._weights or weights_for(job.game.rules)
        prover = Prover(job, self._interrupt) if self._is_to_prove(job) else None
        searcher = self._forgetful if job.forgets else self._searcher
        if job.forgets:
            searcher.clear()

        def known(report: Report) -> Analysis:
            found = _analysis(report, weights.calibration)
            return found if prover is None else prover.complete(found)

        def on_report(report: Report) -> None:
            # A stop that came before the search had begun would be lost.
            if job.is_stopped or (prover and prover.has_settled):
                searcher.stop()
            tell(known(report))

        try:
            report = searcher.analyse(
                job.game,
                depth=1 if job.is_stopped else job.limit.depth,
                nodes=job.limit.hurried_nodes,
                time_ms=job.limit.budget_ms,
                lines=job.lines,
                moves=job.moves,
                weights=weights.text,
                on_report=on_report,
            )
        except ValueError as error:
            raise EngineError("bad_weights", f"weights: {error}", {"path": "-", "why": str(error)}) from error
        finally:
            if prover is not None:
                prover.stop()
        found = known(report)
        return found if found.lines else _at_a_glance(job, found, weights)

    def _is_to_prove(self, job: Job) -> bool:
        budget = job.limit.budget_ms
        is_open = job.limit.nodes is None and job.limit.depth is None
        is_open = is_open and (budget is None or budget >= _LEAST_TO_PROVE_MS)
        return self._proves and is_open and not job.moves and not job.is_stopped


def _at_a_glance(job: Job, found: Analysis, weights: Weights) -> Analysis:
    """Judges moves by the boards after them, where a search was stopped before it had any line."""
    side = job.game.turn
    assert side is not None
    sign = 1 if side is Side.ATTACKERS else -1
    seen = seen_at_a_glance(job.game, job.moves or job.game.legal_moves(), weights)
    best = sorted(seen, key=lambda candidate: -candidate.value)[: job.lines]
    lines = (AnalysisLine(Score(sign * one.value, weights.calibration), (one.move,)) for one in best)
    return replace(found, lines=tuple(lines))


def _analysis(report: Report, calibration: Calibration) -> Analysis:
    lines = tuple(
        AnalysisLine(Score(line.score, calibration, line.win_in), line.moves)
        for line in report.lines
        if line.moves
    )
    return Analysis(lines, report.depth, report.deepest, report.nodes, report.time_ms)
