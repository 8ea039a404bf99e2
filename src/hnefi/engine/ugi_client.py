"""UGI client: uses any program that speaks the Universal Game Interface as an engine."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hnefi._core import Move, Rules
from hnefi.engine.analysis import Analysis, AnalysisLine, OnAnalysis
from hnefi.engine.interface import EngineLike
from hnefi.engine.process import Deadline, EngineProcess
from hnefi.engine.streams import Job
from hnefi.engine.ugi import believed_score, go_words, line_of, position_words, read_info
from hnefi.errors import EngineError, HnefiError
from hnefi.variants.finding import all_variants


class ExternalEngine(EngineLike):
    """A program that speaks the Universal Game Interface.

    The rules are sent as the name of a built-in variant, or as JSON if the program has the option `Rules`.
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
            options: Options to set after the start.
            start_s: How long the start may take, in seconds.
            grace_s: How long the program may exceed its limit, or search on after `stop`, in seconds.

        Raises:
            EngineError: `engine_not_started`, `engine_died`, `engine_silent` or `engine_lacks_option`.
        """
        self._process = EngineProcess(command)
        super().__init__()
        self._options: set[str] = set()
        self._start_s = start_s
        self._grace_s = grace_s
        self._rules: Rules | None = None
        self._lines = 1
        self._deadline = Deadline(None)
        try:
            self._initialise(options or {})
        except EngineError:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name the program reports."""
        return self._process.label

    @property
    def options(self) -> frozenset[str]:
        """The names of the options of the program."""
        return frozenset(self._options)

    def check_rules(self, rules: Rules) -> None:
        """Checks that the program has the option that tells it these rules.

        Raises:
            EngineError: `engine_lacks_option`.
        """
        self._option_of(rules)

    def close(self) -> None:
        """Quits the program."""
        super().close()
        self._process.quit("quit")

    def _initialise(self, options: Mapping[str, str]) -> None:
        self._process.send("ugi")
        self._process.expect(self._read_introduction, self._start_s, "ugiok")
        known = {name.lower(): name for name in self._options}
        for name, value in options.items():
            if name.lower() not in known:
                raise self._process.error("engine_lacks_option", option=name)
            self._process.send(f"setoption name {known[name.lower()]} value {value}")
        self._await_ready()

    def _read_introduction(self, line: str) -> bool:
        if line.startswith("id name "):
            self._process.label = line.removeprefix("id name ").strip()[:80]
        if line.startswith("option name "):
            self._options.add(line.removeprefix("option name ").partition(" type ")[0].strip())
        return line == "ugiok"

    def _await_ready(self) -> None:
        self._process.send("isready")
        self._process.expect(lambda line: line == "readyok", self._start_s, "readyok")

    def _interrupt(self) -> None:
        self._deadline.bring_forward(self._grace_s)
        with contextlib.suppress(EngineError):
            self._process.send("stop")

    def _search(self, job: Job, on_analysis: OnAnalysis) -> Analysis:
        timeout_ms = job.limit.external_timeout_ms
        try:
            self._set_rules(job.game.rules)
            self._set_lines(job.lines)
            self._process.send(position_words(job.game))
            self._await_ready()
            self._deadline = Deadline(None if timeout_ms is None else timeout_ms / 1000 + self._grace_s)
            self._process.send(go_words(job.limit, job.moves))
            if job.is_stopped:
                self._interrupt()
            return self._read_analyses(job, on_analysis)
        except EngineError:
            self._process.kill()
            raise

    def _read_analyses(self, job: Job, on_analysis: OnAnalysis) -> Analysis:
        """Reads output until `bestmove`."""
        analysis = Analysis()
        while True:
            words = self._process.next_line(self._deadline, "bestmove").split()
            if words[:1] == ["bestmove"]:
                return self._with_best_move(job, analysis, words[1] if len(words) > 1 else "")
            if words[:1] != ["info"]:
                continue
            info = read_info(words[1:])
            line = line_of(info, job.game)
            if line is None:
                continue
            before = [one for one in analysis.lines[: info.place - 1] if one.move != line.move]
            later = [one for one in analysis.lines[info.place - 1 :] if one.move != line.move]
            lines = (*before, line, *later)[: job.lines]
            analysis = Analysis(lines, info.depth, max(info.deepest, info.depth), info.nodes, info.time_ms)
            if info.place >= job.lines or "MultiPV" not in self._options:
                on_analysis(analysis)

    def _with_best_move(self, job: Job, analysis: Analysis, word: str) -> Analysis:
        """Returns the last analysis with the line of the best move first."""
        try:
            move = Move(word)
            job.game.position.check(move)
        except HnefiError:
            raise self._process.error("engine_illegal_move", move=word or "-") from None
        if job.moves and move not in job.moves:
            raise self._process.error("engine_illegal_move", move=word)
        known = [line for line in analysis.lines if line.move == move]
        first = known[0] if known else AnalysisLine(believed_score(0), (move,))
        rest = [line for line in analysis.lines if line.move != move]
        return replace(analysis, lines=(first, *rest)[: job.lines])

    def _set_rules(self, rules: Rules) -> None:
        if rules == self._rules:
            return
        option, value = self._option_of(rules)
        self._process.send(f"setoption name {option} value {value}")
        self._process.send("uginewgame")
        self._await_ready()
        self._rules = rules

    def _option_of(self, rules: Rules) -> tuple[str, str]:
        """Returns the option that tells the program the rules, and its value."""
        known = next((one for one in all_variants() if one.rules == rules), None)
        if known is not None and "Variant" in self._options:
            return "Variant", known.id
        if "Rules" in self._options:
            return "Rules", rules.to_json()
        part = "changed_rules" if known is None else "variant"
        raise self._process.error("engine_lacks_option", option="Rules", part=part)

    def _set_lines(self, lines: int) -> None:
        if lines != self._lines and "MultiPV" in self._options:
            self._process.send(f"setoption name MultiPV value {lines}")
            self._lines = lines
