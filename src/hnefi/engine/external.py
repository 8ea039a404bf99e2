"""Other engines: any program that speaks the Universal Game Interface, used like the engine of Hnefi."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hnefi._core import Move, Rules
from hnefi.engine.analysis import Analysis, AnalysisLine, Calibration, Score, Tell
from hnefi.engine.base import ThinkingEngine
from hnefi.engine.job import Job
from hnefi.engine.process import Deadline, EngineProcess
from hnefi.engine.ugi import go_words, line_of, position_words, read_info, read_option
from hnefi.engine.weights import DERIVED
from hnefi.errors import EngineError, HnefiError
from hnefi.variants.finding import all_variants

__all__ = ["ExternalEngine"]


class ExternalEngine(ThinkingEngine):
    """A program that speaks the Universal Game Interface.

    It is told the rules as a variant it knows by name, or, if it has the option `Rules`, as JSON.
    """

    def __init__(
        self,
        command: Sequence[str] | str,
        *,
        options: Mapping[str, str] | None = None,
        start_s: float = 10.0,
        grace_s: float = 5.0,
    ) -> None:
        """Starts the program.

        Args:
            command: The program and its arguments.
            options: What is set before anything else.
            start_s: How long it may take to begin, and to be ready, in seconds.
            grace_s: How long it may take beyond its time, and after being told to stop, in seconds.

        Raises:
            EngineError: `engine_not_started`, `engine_died`, `engine_silent` or `engine_lacks_option`.
        """
        self._process = EngineProcess(command)
        super().__init__()
        self._name = self._process.label
        self._options: set[str] = set()
        self._start_s = start_s
        self._grace_s = grace_s
        self._rules: Rules | None = None
        self._lines = 1
        self._deadline = Deadline(None)
        try:
            self._begin(options or {})
        except EngineError:
            self.close()
            raise

    @property
    def name(self) -> str:
        """What it calls itself."""
        return self._name

    @property
    def options(self) -> frozenset[str]:
        """The names of its options."""
        return frozenset(self._options)

    def close(self) -> None:
        """Ends the program."""
        super().close()
        self._process.leave("quit")

    def _begin(self, options: Mapping[str, str]) -> None:
        self._process.send("ugi")
        self._process.expect(self._introduced, self._start_s, "ugiok")
        known = {name.lower(): name for name in self._options}
        for name, value in options.items():
            if name.lower() not in known:
                raise self._process.error("engine_lacks_option", option=name)
            self._process.send(f"setoption name {known[name.lower()]} value {value}")
        self._await_ready()

    def _introduced(self, line: str) -> bool:
        if line.startswith("id name "):
            self._name = self._process.label = line.removeprefix("id name ").strip()[:80]
        if option := read_option(line):
            self._options.add(option)
        return line == "ugiok"

    def _await_ready(self) -> None:
        self._process.send("isready")
        self._process.expect(lambda line: line == "readyok", self._start_s, "readyok")

    def _interrupt(self) -> None:
        self._deadline.hurry(self._grace_s)
        with contextlib.suppress(EngineError):
            self._process.send("stop")

    def _think(self, job: Job, tell: Tell) -> Analysis:
        try:
            return self._searched(job, tell)
        except EngineError:
            self._process.kill()
            raise

    def _searched(self, job: Job, tell: Tell) -> Analysis:
        self._set_rules(job.game.rules)
        self._set_lines(job.lines)
        self._process.send(position_words(job.game))
        self._await_ready()
        patience = job.limit.patience_ms
        self._deadline = Deadline(None if patience is None else patience / 1000 + self._grace_s)
        self._process.send(go_words(job.limit, job.moves))
        if job.is_stopped:
            self._interrupt()
        return self._follow(job, tell)

    def _follow(self, job: Job, tell: Tell) -> Analysis:
        """Reads what it says until it names its move."""
        found = Analysis()
        calibration = DERIVED.calibration
        while True:
            words = self._process.next_line(self._deadline, "bestmove").split()
            if words[:1] == ["bestmove"]:
                return self._with_best(job, found, words[1] if len(words) > 1 else "", calibration)
            if words[:1] != ["info"]:
                continue
            info = read_info(words[1:])
            line = line_of(info, job.game, calibration)
            if line is None:
                continue
            before = [one for one in found.lines[: info.place - 1] if one.move != line.move]
            later = [one for one in found.lines[info.place - 1 :] if one.move != line.move]
            lines = (*before, line, *later)[: job.lines]
            found = Analysis(lines, info.depth, max(info.deepest, info.depth), info.nodes, info.time_ms)
            if info.place >= job.lines or "MultiPV" not in self._options:
                tell(found)

    def _with_best(self, job: Job, found: Analysis, word: str, calibration: Calibration) -> Analysis:
        """Gives what it said last, the move it decided on coming first."""
        try:
            move = Move(word)
            job.game.position.check(move)
        except HnefiError:
            raise self._process.error("engine_illegal_move", move=word or "-") from None
        if job.moves and move not in job.moves:
            raise self._process.error("engine_illegal_move", move=word)
        known = [line for line in found.lines if line.move == move]
        first = known[0] if known else AnalysisLine(Score(0, calibration), (move,))
        rest = [line for line in found.lines if line.move != move]
        return replace(found, lines=(first, *rest)[: job.lines])

    def _set_rules(self, rules: Rules) -> None:
        if rules == self._rules:
            return
        known = next((one for one in all_variants() if one.rules == rules), None)
        if known is not None and "Variant" in self._options:
            self._process.send(f"setoption name Variant value {known.id}")
        elif "Rules" in self._options:
            self._process.send(f"setoption name Rules value {rules.to_json()}")
        else:
            raise self._process.error("engine_lacks_option", option="Rules")
        self._process.send("uginewgame")
        self._await_ready()
        self._rules = rules

    def _set_lines(self, lines: int) -> None:
        if lines != self._lines and "MultiPV" in self._options:
            self._process.send(f"setoption name MultiPV value {lines}")
            self._lines = lines
