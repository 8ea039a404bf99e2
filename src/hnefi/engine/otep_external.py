"""Engines that speak OpenTafl's protocol, used like the engine of Hnefi (decision 30)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hnefi._core import Game, Move
from hnefi.engine.analysis import Analysis, AnalysisLine, Score, Tell
from hnefi.engine.base import ThinkingEngine
from hnefi.engine.external import ExternalEngine
from hnefi.engine.job import Job
from hnefi.engine.limits import Limit
from hnefi.engine.otep import board_words, clock_words, move_words, read_moves
from hnefi.engine.process import Deadline, EngineProcess
from hnefi.engine.weights import DERIVED
from hnefi.errors import EngineError, HnefiError
from hnefi.formats.opentafl import diagram_of, format_rules_text, rules_text_of
from hnefi.pieces import Side

__all__ = ["PREFIX", "OtepEngine", "start_engine"]

PREFIX = "otep:"
"""What the command line of an engine begins with if it speaks this protocol and not UGI."""

_USUAL_MS = 5_000
_LARGEST_SCORE = 31_000
# What changes moves or captures; other gaps only concern the end of a game, and that is for us to judge.
_NEEDED = (
    "king_capture",
    "corner_hostile",
    "linnaean",
    "edge_hostile_king",
    "occupied_camps",
    "touching_camps",
)
_NEEDED_KEYS = ("blocked_groups", "berserk", "jumps", "commander_pair", "knights_taken")


def start_engine(
    command: Sequence[str] | str, *, options: Mapping[str, str] | None = None
) -> "ExternalEngine | OtepEngine":
    """Starts another engine: one that speaks UGI, or, behind `otep:`, OpenTafl's protocol.

    Raises:
        EngineError: If it cannot be started, or has not the options that are set.
    """
    if not isinstance(command, str) or not command.startswith(PREFIX):
        return ExternalEngine(command, options=options)
    engine = OtepEngine(command.removeprefix(PREFIX).strip())
    if options:
        engine.close()
        facts = {"engine": engine.name, "option": next(iter(options))}
        raise EngineError("engine_lacks_option", f"{engine.name}: no options", facts)
    return engine


class OtepEngine(ThinkingEngine):
    """A program that speaks OpenTafl's engine protocol.

    The protocol has no end to a thought: an engine that is stopped and goes on thinking is ended, and started
    again when it is next needed. It has neither nodes nor depth: with such limits it thinks for five seconds.
    """

    def __init__(self, command: Sequence[str] | str, *, start_s: float = 5.0, grace_s: float = 5.0) -> None:
        """Starts the program.

        Args:
            command: The program and its arguments.
            start_s: How long it may take to say hello, in seconds.
            grace_s: How long it may take beyond its time, and after being told to stop, in seconds.

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
        """What it is called."""
        return self._process.label

    def close(self) -> None:
        """Ends the program."""
        super().close()
        if self._is_running:
            self._is_running = False
            self._process.leave("goodbye")

    def _greet(self) -> None:
        self._process.send("hello")
        self._process.expect(lambda line: line.split()[:1] == ["hello"], self._start_s, "hello")

    def _interrupt(self) -> None:
        self._deadline.hurry(self._grace_s)

    def _think(self, job: Job, tell: Tell) -> Analysis:  # noqa: ARG002 - the protocol tells nothing meanwhile
        try:
            if not self._is_running:
                self._process = EngineProcess(self._command)
                self._is_running, self._game = True, None
                self._greet()
            if job.lines > 1 or job.moves:
                return self._analysed(job)
            return self._played(job)
        except EngineError as error:
            if error.code != "engine_lacks_rules":
                self._process.kill()
                self._is_running = False
            raise

    # --- Playing ---

    def _played(self, job: Job) -> Analysis:
        game, side = job.game, job.game.turn
        assert side is not None
        if not self._tell_opponent_move(game):
            self._begin_game(game, side)
        limit = _timed(job.limit)
        self._wait_at_most(job, limit)
        self._process.send(f"play {side.value}")
        if (clock := clock_words(limit, side)) is not None:
            self._process.send(clock)
        word = self._awaited("move")
        try:
            (move,) = read_moves(word)
            after = game.play(move)
        except (HnefiError, ValueError):
            self._process.send("error 2")
            raise self._process.error("engine_illegal_move", move=word or "-") from None
        self._process.send(f"move {board_words(after)}")
        self._game, self._side = after, side
        return Analysis((AnalysisLine(Score(0, DERIVED.calibration), (move,)),))

    def _tell_opponent_move(self, game: Game) -> bool:
        """Tells the move of the other side, if the game goes on from where it left the engine."""
        if self._game is None or self._side is not game.turn:
            return False
        if self._game == game:  # its own turn goes on
            return True
        moves: list[str] = []
        before: Game | None = game
        while before is not None and before.last is not None and before.last.side is not game.turn:
            moves.insert(0, move_words(before.last.move))
            before = before.parent
        if not moves or before != self._game:
            return False
        self._process.send(f"opponent-move {'|'.join(moves)} {board_words(game)}")
        return True

    def _begin_game(self, game: Game, side: Side) -> None:
        """Begins a game where this one stands: the rules can say that, and nothing else can."""
        self._send_rules(game, side)
        self._process.send(f"side {side.value}")
        self._process.send("start")

    def _send_rules(self, game: Game, side: Side) -> None:
        if game.position.going is not None:  # no word of the protocol says that a turn goes on
            raise self._process.error("engine_lacks_rules", rule="berserk")
        rules, gaps = rules_text_of(game.rules, name="Hnefi")
        for gap in gaps:
            code = gap.code.removeprefix("rules.")
            if code in _NEEDED or gap.facts.get("key") in _NEEDED_KEYS:
                raise self._process.error("engine_lacks_rules", rule=gap.facts.get("key", code))
        start = diagram_of(game.position.setup)
        told = replace(rules, start=start, atkf=side is Side.ATTACKERS)
        self._process.send(f"rules {format_rules_text(told)}")

    # --- Analysing ---

    def _analysed(self, job: Job) -> Analysis:
        game, side = job.game, job.game.turn
        assert side is not None
        self._game = None
        self._send_rules(game, side)
        self._process.send(f"side {side.value}")
        self._process.send(f"position {board_words(game)}")
        limit = _timed(job.limit)
        self._wait_at_most(job, limit)
        seconds = max(1, round((limit.budget_ms or _USUAL_MS) / 1000))
        self._process.send(f"analyze {max(job.lines, len(job.moves))} {seconds}")
        words = self._awaited("analysis").split()[1:]
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

    def _wait_at_most(self, job: Job, limit: Limit) -> None:
        self._deadline = Deadline((limit.patience_ms or _USUAL_MS) / 1000 + self._grace_s)
        if job.is_stopped:
            self._interrupt()

    def _awaited(self, wanted: str) -> str:
        """Gives what follows the word that is waited for; a critical error of the engine ends it."""
        while True:
            word, _, rest = self._process.next_line(self._deadline, wanted).partition(" ")
            if word == wanted:
                return rest.strip()
            if word == "error" and rest.split()[:1] == ["-1"]:
                raise self._process.error("engine_refused", why=rest.strip()[2:].strip() or "-")


def _timed(limit: Limit) -> Limit:
    """Gives a limit that has a time."""
    if limit.budget_ms is not None:
        return limit
    return Limit(time_ms=_USUAL_MS)


def _line(game: Game, moves: str, value: str) -> AnalysisLine | None:
    """Gives a line as far as its moves can be played; None if not even the first can."""
    played: list[Move] = []
    after = game
    try:
        for move in read_moves(moves):
            after = after.play(move)
            played.append(move)
    except HnefiError:
        pass
    try:
        number = round(float(value))
    except (ValueError, OverflowError):
        number = 0
    score = max(-_LARGEST_SCORE, min(_LARGEST_SCORE, number))
    return AnalysisLine(Score(score, DERIVED.calibration), tuple(played)) if played else None
