"""OTEP client: uses programs that speak OpenTafl's engine protocol as engines (decision 30)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hnefi._core import Game, Rules
from hnefi.engine.analysis import Analysis, AnalysisLine, OnAnalysis
from hnefi.engine.interface import EngineLike
from hnefi.engine.limits import Limit
from hnefi.engine.otep import board_words, clock_words, read_moves
from hnefi.engine.process import Deadline, EngineProcess
from hnefi.engine.streams import Job
from hnefi.engine.ugi import believed_score, legal_moves_of
from hnefi.engine.ugi_client import ExternalEngine
from hnefi.errors import EngineError, HnefiError
from hnefi.formats.opentafl import RulesText, diagram_of, format_rules_text, rules_text_of
from hnefi.pieces import Side

PREFIX = "otep:"
"""The prefix of the command line of an engine that speaks OTEP and not UGI."""

_DEFAULT_MS = 5_000
# Gaps that change moves or captures. The others concern the end of a game, which Hnefi decides itself.
_REQUIRED = {"king_capture", "corner_hostile", "linnaean", "edge_hostile_king", "occupied_camps"}
_REQUIRED |= {"touching_camps", "blocked_groups", "berserk", "jumps", "commander_pair", "knights_taken"}


def start_engine(
    command: Sequence[str] | str, *, options: Mapping[str, str] | None = None
) -> "ExternalEngine | OtepEngine":
    """Starts an external engine: one that speaks UGI, or with the prefix `otep:` OpenTafl's engine protocol.

    Raises:
        EngineError: If it cannot be started, or lacks an option.
    """
    if not isinstance(command, str) or not command.startswith(PREFIX):
        return ExternalEngine(command, options=options)
    engine = OtepEngine(command.removeprefix(PREFIX).strip())
    if options:
        engine.close()
        raise EngineError.of_facts("engine_lacks_option", engine=engine.name, option=next(iter(options)))
    return engine


class OtepEngine(EngineLike):
    """A program that speaks OpenTafl's engine protocol.

    The protocol cannot stop a search: an engine that searches on after a stop is killed, and started again
    when it is needed. It has neither nodes nor depth: with such limits the engine searches for five seconds.
    """

    def __init__(self, command: Sequence[str] | str, *, start_s: float = 5.0, grace_s: float = 5.0) -> None:
        """Starts the program.

        Args:
            start_s: How long the start may take, in seconds.
            grace_s: How long the program may exceed its limit, or search on after a stop, in seconds.

        Raises:
            EngineError: `engine_not_started`, `engine_died` or `engine_silent`.
        """
        self._command = command
        self._start_s = start_s
        self._grace_s = grace_s
        self._game: Game | None = None
        self._side: Side | None = None
        self._deadline = Deadline(None)
        self._process = EngineProcess(command)
        self._is_running = True
        super().__init__()
        try:
            self._greet()
        except EngineError:
            self.close()
            raise

    @property
    def name(self) -> str:
        """The name of the program."""
        return self._process.label

    def check_rules(self, rules: Rules) -> None:
        """Checks that the protocol can express the rules that a game needs.

        Raises:
            EngineError: `engine_lacks_rules`.
        """
        self._rules_text(rules)

    def close(self) -> None:
        """Quits the program."""
        super().close()
        if self._is_running:
            self._is_running = False
            self._process.quit("goodbye")

    def _greet(self) -> None:
        self._process.send("hello")
        self._process.expect(lambda line: line.split()[:1] == ["hello"], self._start_s, "hello")

    def _interrupt(self) -> None:
        self._deadline.bring_forward(self._grace_s)

    def _search(self, job: Job, on_analysis: OnAnalysis) -> Analysis:  # noqa: ARG002 - OTEP has no updates
        try:
            if not self._is_running:
                self._process = EngineProcess(self._command)
                self._is_running, self._game = True, None
                self._greet()
            if job.lines > 1 or job.moves:
                return self._analyse(job)
            return self._play_move(job)
        except EngineError as error:
            if error.code != "engine_lacks_rules":
                self._process.kill()
                self._is_running = False
            raise

    # --- Playing ---

    def _play_move(self, job: Job) -> Analysis:
        game, side = job.game, job.game.turn
        assert side is not None
        if not self._send_opponent_move(game):
            self._begin_game(game, side)
        limit = _with_time(job.limit)
        self._set_deadline(job, limit)
        self._process.send(f"play {side.value}")
        if (clock := clock_words(limit)) is not None:
            self._process.send(clock)
        word = self._expect("move")
        try:
            (move,) = read_moves(word)
            after = game.play(move)
        except (HnefiError, ValueError):
            self._process.send("error 2")
            raise self._process.error("engine_illegal_move", move=word or "-") from None
        self._process.send(f"move {board_words(after)}")
        self._game, self._side = after, side
        return Analysis((AnalysisLine(believed_score(0), (move,)),))

    def _send_opponent_move(self, game: Game) -> bool:
        """Sends the opponent's move; returns False if the game does not continue the one the engine has."""
        if self._game is None or self._side is not game.turn:
            return False
        if self._game == game:  # the same side moves again
            return True
        moves: list[str] = []
        before: Game | None = game
        while before is not None and before.last is not None and before.last.side is not game.turn:
            moves.insert(0, str(before.last.move))
            before = before.parent
        if not moves or before != self._game:
            return False
        self._process.send(f"opponent-move {'|'.join(moves)} {board_words(game)}")
        return True

    def _begin_game(self, game: Game, side: Side) -> None:
        """Starts a game at the current position, which is sent as the start position of the rules."""
        self._send_rules(game, side)
        self._process.send(f"side {side.value}")
        self._process.send("start")

    def _send_rules(self, game: Game, side: Side) -> None:
        if game.position.going is not None:  # the protocol has no message for a turn that goes on
            raise self._process.error("engine_lacks_rules", rule="berserk")
        rules = self._rules_text(game.rules)
        start = diagram_of(game.position.setup)
        here = replace(rules, start=start, atkf=side is Side.ATTACKERS)
        self._process.send(f"rules {format_rules_text(here)}")

    def _rules_text(self, rules: Rules) -> RulesText:
        text, gaps = rules_text_of(rules, name="Hnefi")
        for gap in gaps:
            code = gap.code.removeprefix("rules.")
            if _REQUIRED & {code, gap.facts.get("key", code)}:
                raise self._process.error("engine_lacks_rules", rule=gap.facts.get("key", code))
        return text

    # --- Analysing ---

    def _analyse(self, job: Job) -> Analysis:
        game, side = job.game, job.game.turn
        assert side is not None
        self._game = None
        self._send_rules(game, side)
        self._process.send(f"side {side.value}")
        self._process.send(f"position {board_words(game)}")
        limit = _with_time(job.limit)
        self._set_deadline(job, limit)
        seconds = max(1, round((limit.usual_ms or _DEFAULT_MS) / 1000))
        self._process.send(f"analyze {max(job.lines, len(job.moves))} {seconds}")
        words = self._expect("analysis").split()[1:]
        lines = []
        for moves, value in zip(words[::2], words[1::2], strict=False):
            line = _line(game, moves, value)
            if line is not None and (not job.moves or line.move in job.moves):
                lines.append(line)
        if not lines:
            raise self._process.error("engine_illegal_move", move=words[0] if words else "-")
        sign = 1 if side is Side.ATTACKERS else -1
        lines.sort(key=lambda line: -sign * line.score.value)
        return Analysis(tuple(lines[: job.lines]))

    def _set_deadline(self, job: Job, limit: Limit) -> None:
        self._deadline = Deadline((limit.external_timeout_ms or _DEFAULT_MS) / 1000 + self._grace_s)
        if job.is_stopped:
            self._interrupt()

    def _expect(self, expected: str) -> str:
        """Returns the arguments of the expected message."""
        while True:
            word, _, rest = self._process.next_line(self._deadline, expected).partition(" ")
            if word == expected:
                return rest.strip()
            if word == "error" and rest.split()[:1] == ["-1"]:
                raise self._process.error("engine_refused", why=rest.strip()[2:].strip() or "-")


def _with_time(limit: Limit) -> Limit:
    """Returns a limit that has a time."""
    return Limit(time_ms=_DEFAULT_MS) if limit.budget_ms is None else limit


def _line(game: Game, moves: str, value: str) -> AnalysisLine | None:
    """Returns a line up to its first illegal move; None if it has no legal move."""
    try:
        played = legal_moves_of(game, read_moves(moves))
    except HnefiError:
        return None
    try:
        number = round(float(value))
    except (ValueError, OverflowError):
        number = 0
    return AnalysisLine(believed_score(number), played) if played else None
