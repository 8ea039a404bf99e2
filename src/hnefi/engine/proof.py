"""Proof search for forced wins, in a thread beside the search."""

import threading
from collections.abc import Callable
from dataclasses import replace

from hnefi._core import Searcher
from hnefi.engine.analysis import Analysis, AnalysisLine, Score
from hnefi.engine.streams import Job

# Nodes of each attempt: short wins need few, and an unproven position is tried again with more.
_BUDGETS = (20_000, 200_000, 2_000_000, 20_000_000)
_TABLE_MIB = 32
_JOIN_S = 0.001


class ProofSearch:
    """Searches for a forced win of either side while a job runs, the side to move first.

    Attributes:
        is_decisive: Whether a win was proven that makes the rest of the search needless.
    """

    def __init__(self, job: Job, on_decisive: Callable[[], None], threads: int) -> None:
        """Starts the thread.

        Args:
            on_decisive: Called when the rest of the search is needless.
            threads: The threads of the search it runs beside.
        """
        self.is_decisive = False
        self._job = job
        self._on_decisive = on_decisive
        self._threads = threads
        self._proof: AnalysisLine | None = None
        self._is_stopped = False
        self._searcher = Searcher(1, 1)
        self._thread = threading.Thread(target=self._run, name="hnefi-prover", daemon=True)
        self._thread.start()

    def stop(self) -> bool:
        """Stops the thread, and returns whether it has ended: its last positions may take milliseconds."""
        self._is_stopped = True
        self._searcher.stop()
        self._thread.join(_JOIN_S)
        # A stop just before the prover started was lost.
        self._searcher.stop()
        return not self._thread.is_alive()

    def complete(self, analysis: Analysis) -> Analysis:
        """Returns an analysis with the proven score and line."""
        proof, side = self._proof, self._job.game.turn
        if proof is None or side is None:
            return analysis
        if proof.score.winner is not side:
            lines = [
                line if line.score.is_proven else replace(line, score=proof.score) for line in analysis.lines
            ]
        else:
            lines = [line for line in analysis.lines if line.move != proof.move or line.score.is_proven]
            if all(line.move != proof.move for line in lines):
                lines.insert(0, proof)
        lines.sort(key=lambda line: -line.score.value_for(side))
        return replace(analysis, lines=tuple(lines[: self._job.lines]))

    def _run(self) -> None:
        side = self._job.game.turn
        assert side is not None
        open_sides = [side, side.opponent]
        for nodes in _BUDGETS:
            for winner in list(open_sides):
                if self._is_stopped:
                    return
                answer, _, proof = self._searcher.prove(
                    self._job.game, winner, nodes=nodes, table_mib=_TABLE_MIB, beside=self._threads
                )
                if answer == "disproven":
                    open_sides.remove(winner)
                if proof is not None:
                    _, line, longest = proof
                    self._proof = AnalysisLine(Score.proven(winner, longest), tuple(line))
                    if winner is side and self._job.lines == 1:
                        self.is_decisive = True
                        self._on_decisive()
                    return
