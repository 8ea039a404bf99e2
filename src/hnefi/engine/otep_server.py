"""OTEP server: the native engine as a program for OpenTafl (decision 30)."""

import json
import threading
from collections.abc import Callable, Iterable

from hnefi import i18n
from hnefi._core import Game, Move, Rules, Setup
from hnefi.engine.interface import EngineLike
from hnefi.engine.levels import LEVEL_COUNT, level
from hnefi.engine.limits import Limit
from hnefi.engine.otep import read_clock, read_moves, side_of
from hnefi.engine.settings import Settings
from hnefi.errors import HnefiError, IllegalMove, shorten
from hnefi.formats import explain_gap
from hnefi.formats.opentafl import parse_rules_text, read_position, setup_of, tree_of
from hnefi.pieces import Side

_LONGEST_LINE = 100_000
# How long to wait for `clock`, which follows `play`.
_CLOCK_WAIT_S = 0.15
_DEFAULT_LIMIT = Limit(time_ms=5_000)
_MAX_LINES, _MAX_SECONDS = 100, 86_400


class OtepServer:
    """Executes the messages of OpenTafl, one line each. No input makes it fail."""

    def __init__(self, settings: Settings, write: Callable[[str], None]) -> None:
        """Creates a server; `write` sends one line, and is called from several threads, one at a time."""
        self._settings = settings
        self._send = write
        self._lock = threading.RLock()
        self._game: Game | None = None
        self._pending: Move | None = None
        self._refused: set[Move] = set()
        self._side = Side.ATTACKERS
        self._clock = _DEFAULT_LIMIT
        self._has_clock = threading.Event()
        self._thread: threading.Thread | None = None
        self._task = 0

    def serve(self, lines: Iterable[str]) -> None:
        """Executes all lines, up to `goodbye` or the last one."""
        try:
            self._write("hello")
            self._write("simple-moves on")
            for line in lines:
                if line.split()[:1] == ["goodbye"]:
                    break
                self.handle(line[:_LONGEST_LINE])
            else:
                self.wait()
        finally:
            self._cancel_task()
            self._settings.close()

    def wait(self) -> None:
        """Waits for the end of the search."""
        thread = self._thread
        if thread is not None:
            thread.join()

    def handle(self, line: str) -> None:
        """Executes a line."""
        word, _, rest = line.strip().partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "rules": self._rules,
            "position": self._position,
            "side": self._set_side,
            "clock": self._set_clock,
            "play": self._play,
            "analyze": self._analyze,
            "move": self._accepted,
            "opponent-move": self._opponent_move,
            "error": self._error,
            "finish": lambda _: self._cancel_task(),
            "hello": lambda _: None,
            "start": lambda _: None,
        }
        command = commands.get(word)
        try:
            if command is not None:
                command(rest.strip())
        except HnefiError as error:
            self._write(f"error -1 {_line(i18n.explain(error, 'en'))}")

    # --- The game ---

    def _rules(self, text: str) -> None:
        if not text:
            return
        self._cancel_task()
        self._game = None
        rules = parse_rules_text(text)
        setup_of(rules.start, Side.ATTACKERS)
        tree, gaps = tree_of(rules)
        compiled = Rules(json.dumps(tree))
        self._settings.engine.clear_table()
        self._game = Game(compiled)
        self._pending, self._refused = None, set()
        for gap in gaps:
            self._write(f"error 0 {_line(explain_gap(gap, 'en'))}")
        self._write(f"status Hnefi: {_line(rules.name or f'{rules.dim} x {rules.dim}')}")

    def _setup(self, text: str, turn: Side) -> Setup:
        game = self._require_game()
        return setup_of(read_position(text, size=game.rules.size), turn)

    def _require_game(self) -> Game:
        if self._game is None:
            raise IllegalMove("no_rules", "no rules yet", {})
        return self._game

    def _position(self, text: str) -> None:
        if text:
            self._cancel_task()
            self._pending = None
            self._game = Game(self._require_game().rules, self._setup(text, self._side))

    def _set_side(self, text: str) -> None:
        side = side_of(text)
        if side is not None:
            self._side = side

    def _set_clock(self, text: str) -> None:
        limit = read_clock(text.split(), self._side)
        if limit is not None:
            self._clock = _DEFAULT_LIMIT if limit.is_endless else limit
            self._has_clock.set()

    def _accepted(self, text: str) -> None:
        """Plays the engine's move once OpenTafl has accepted it; the board of the message decides."""
        game, move = self._require_game(), self._pending
        self._pending, self._refused = None, set()
        if move is not None:
            self._game = game.play(move)
        self._adopt_board(text, self._side.opponent)

    def _opponent_move(self, text: str) -> None:
        game = self._require_game()
        moves, _, board = text.partition(" ")
        if self._pending is not None:  # it was refused: OpenTafl sends the move before it again
            self._refused.add(self._pending)
            self._pending = None
            return
        try:
            for move in read_moves(moves):
                game = game.play(move)
            self._game = game
        except IllegalMove:
            if not board.strip():
                raise
        self._adopt_board(board, self._side)

    def _adopt_board(self, board: str, turn: Side) -> None:
        """Restarts the game from the board of OpenTafl if it differs."""
        if not board.strip():
            return
        setup = self._setup(board.strip(), turn)
        if setup.pieces != self._require_game().position.setup.pieces:
            self._game = Game(self._require_game().rules, setup)
            self._refused = set()

    def _error(self, text: str) -> None:
        """Records that the move was refused; OpenTafl requests another one at once."""
        if self._pending is not None and text[:1] in ("1", "2", "3", "4"):
            self._refused.add(self._pending)

    # --- Searching ---

    def _play(self, text: str) -> None:
        side = side_of(text) or self._side
        self._side = side
        game = self._require_game()
        if game.outcome is None and game.turn is not side:  # a pass, or a turn that was not sent
            game = self._game = Game(game.rules, Setup.of(game.rules.size, game.position.pieces, side))
        self._start(lambda task: self._choose(task, game))

    def _choose(self, task: int, game: Game) -> None:
        self._has_clock.wait(_CLOCK_WAIT_S)
        self._has_clock.clear()
        moves = [move for move in game.legal_moves() if move not in self._refused]
        if not moves:
            self._respond(task, "error -1 no legal move")
            return
        chosen = self._settings.level
        engine: EngineLike = self._settings.engine
        if 0 < chosen < LEVEL_COUNT and not self._refused:
            move = engine.play(game, level(chosen), seed=self._settings.seed or None)
        else:
            narrowed = tuple(moves) if self._refused else ()
            with engine.analyse(game, self._clock, lines=1, moves=narrowed) as stream:
                best = stream.last().best
            move = best.move if best else moves[0]
        with self._lock:
            if task == self._task:
                self._pending = move
                self._write(f"move {move}")

    def _analyze(self, text: str) -> None:
        words = [
            int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 1 for word in text.split()
        ]
        lines, seconds = [*words, 1, 1][:2]
        game = self._require_game()
        if game.outcome is None and game.turn is not self._side:
            game = Game(game.rules, Setup.of(game.rules.size, game.position.pieces, self._side))
        limit = Limit(time_ms=1000 * max(1, min(seconds, _MAX_SECONDS)))
        self._start(lambda task: self._analyse(task, game, limit, max(1, min(lines, _MAX_LINES))))

    def _analyse(self, task: int, game: Game, limit: Limit, lines: int) -> None:
        with self._settings.engine.analyse(game, limit, lines=lines) as stream:
            analysis = stream.last()
        words = [f"{'|'.join(map(str, line.moves))} {line.score.value}" for line in analysis.lines]
        self._respond(task, " ".join(["analysis", str(len(words)), *words]))

    def _start(self, search: Callable[[int], None]) -> None:
        """Searches in a thread, so that the clock and the end of the game are read meanwhile."""
        self._cancel_task()
        with self._lock:
            task = self._task
            self._pending = None
        self._has_clock.clear()
        self._thread = threading.Thread(
            target=self._in_thread, args=(search, task), name="hnefi-otep", daemon=True
        )
        self._thread.start()

    def _in_thread(self, search: Callable[[int], None], task: int) -> None:
        try:
            search(task)
        except HnefiError as error:
            self._respond(task, f"error -1 {_line(i18n.explain(error, 'en'))}")

    def _respond(self, task: int, line: str) -> None:
        with self._lock:
            if task == self._task:
                self._write(line)

    def _cancel_task(self) -> None:
        """Stops the search; its response is not sent."""
        with self._lock:
            self._task += 1
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            self._has_clock.set()
            while thread.is_alive():
                self._settings.engine.stop()
                thread.join(0.05)
        self._thread = None

    def _write(self, line: str) -> None:
        with self._lock:
            self._send(line)


def _line(text: str) -> str:
    """Formats a text for the protocol: one line, ASCII."""
    return shorten(" ".join(text.split()), 300).encode("ascii", "replace").decode()
