"""Our engine inside OpenTafl: the engine's end of its protocol (decision 30)."""

import json
import threading
from collections.abc import Callable, Iterable

from hnefi import i18n
from hnefi._core import Game, Move, Rules, Setup
from hnefi.engine.base import ThinkingEngine
from hnefi.engine.levels import level
from hnefi.engine.limits import Limit
from hnefi.engine.otep import move_words, read_clock, read_moves, side_of
from hnefi.engine.settings import Settings
from hnefi.errors import HnefiError, IllegalMove, shown
from hnefi.formats import explain_gap
from hnefi.formats.opentafl import parse_rules_text, read_position, setup_of, tree_of
from hnefi.pieces import Side

__all__ = ["OtepServer"]

_LONGEST_LINE = 100_000
# The clock follows `play`: so long it is waited for.
_CLOCK_S = 0.15
_USUAL = Limit(time_ms=5_000)
_MOST_LINES, _MOST_SECONDS = 100, 86_400


class OtepServer:
    """Carries out what OpenTafl sends, one line each; nothing that is sent to it makes it fail."""

    def __init__(self, settings: Settings, write: Callable[[str], None]) -> None:
        """Begins to serve.

        Args:
            settings: Level, threads and memory; the rules come from OpenTafl.
            write: Sends one line; called from several threads, one at a time.
        """
        self._settings = settings
        self._send = write
        self._lock = threading.RLock()
        self._game: Game | None = None
        self._pending: Move | None = None
        self._refused: set[Move] = set()
        self._side = Side.ATTACKERS
        self._clock = _USUAL
        self._clock_came = threading.Event()
        self._thinking: threading.Thread | None = None
        self._task = 0

    def serve(self, lines: Iterable[str]) -> None:
        """Carries out all lines, up to `goodbye` or the last one."""
        try:
            self._write("hello")
            self._write("simple-moves on")
            for line in lines:
                if line.split()[:1] == ["goodbye"]:
                    break
                self.take(line[:_LONGEST_LINE])
            else:
                self.wait()
        finally:
            self._forget_task()
            self._settings.close()

    def wait(self) -> None:
        """Waits until nothing is going on."""
        thread = self._thinking
        if thread is not None:
            thread.join()

    def take(self, line: str) -> None:
        """Carries out a line."""
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
            "finish": lambda _: self._forget_task(),
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
        self._forget_task()
        self._game = None
        rules = parse_rules_text(text)
        setup_of(rules.start, Side.ATTACKERS)
        tree, gaps = tree_of(rules)
        compiled = Rules(json.dumps(tree))
        self._settings.engine.forget()
        self._game = Game(compiled)
        self._pending, self._refused = None, set()
        for gap in gaps:
            self._write(f"error 0 {_line(explain_gap(gap, 'en'))}")
        self._write(f"status Hnefi: {_line(rules.name or f'{rules.dim} x {rules.dim}')}")

    def _setup(self, text: str, turn: Side) -> Setup:
        game = self._known()
        return setup_of(read_position(text, size=game.rules.size), turn)

    def _known(self) -> Game:
        if self._game is None:
            raise IllegalMove("no_rules", "no rules yet", {})
        return self._game

    def _position(self, text: str) -> None:
        if text:
            self._forget_task()
            self._pending = None
            self._game = Game(self._known().rules, self._setup(text, self._side))

    def _set_side(self, text: str) -> None:
        side = side_of(text)
        if side is not None:
            self._side = side

    def _set_clock(self, text: str) -> None:
        found = read_clock(text.split(), self._side)
        if found is not None:
            limit = found.limit()
            self._clock = _USUAL if limit.is_endless else limit
            self._clock_came.set()

    def _accepted(self, text: str) -> None:
        """Plays our move, now that it counts; the board that comes with it has the last word."""
        game, move = self._known(), self._pending
        self._pending, self._refused = None, set()
        if move is not None:
            self._game = game.play(move)
        self._agree(text, self._side.opponent)

    def _opponent_move(self, text: str) -> None:
        game = self._known()
        moves, _, board = text.partition(" ")
        if self._pending is not None:  # it was refused: the move before it is told again
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
        self._agree(board, self._side)

    def _agree(self, board: str, turn: Side) -> None:
        """Begins anew from the board that OpenTafl has, where it is not ours."""
        if not board.strip():
            return
        theirs, ours = self._setup(board.strip(), turn), self._known().position.setup
        if theirs.pieces != ours.pieces:
            self._game = Game(self._known().rules, theirs)
            self._refused = set()

    def _error(self, text: str) -> None:
        """Remembers that our move was refused; another one is asked for at once."""
        if self._pending is not None and text[:1] in ("1", "2", "3", "4"):
            self._refused.add(self._pending)

    # --- Thinking ---

    def _play(self, text: str) -> None:
        side = side_of(text) or self._side
        self._side = side
        game = self._known()
        if game.outcome is None and game.turn is not side:  # a pass, or a turn we know nothing of
            game = self._game = Game(game.rules, Setup.of(game.rules.size, game.position.pieces, side))
        self._begin(lambda task: self._choose(task, game))

    def _choose(self, task: int, game: Game) -> None:
        self._clock_came.wait(_CLOCK_S)
        self._clock_came.clear()
        moves = [move for move in game.legal_moves() if move not in self._refused]
        if not moves:
            self._answer(task, "error -1 no legal move")
            return
        chosen = self._settings.level
        engine: ThinkingEngine = self._settings.engine
        if 0 < chosen < 10 and not self._refused:
            move = engine.play(game, level(chosen), seed=self._settings.seed or None)
        else:
            narrowed = tuple(moves) if self._refused else ()
            with engine.analyse(game, self._clock, lines=1, moves=narrowed) as stream:
                found = stream.last().best
            move = found.move if found else moves[0]
        with self._lock:
            if task == self._task:
                self._pending = move
                self._write(f"move {move_words(move)}")

    def _analyze(self, text: str) -> None:
        words = [
            int(word) if word.isascii() and word.isdigit() and len(word) < 7 else 1 for word in text.split()
        ]
        lines, seconds = [*words, 1, 1][:2]
        game = self._known()
        if game.outcome is None and game.turn is not self._side:
            game = Game(game.rules, Setup.of(game.rules.size, game.position.pieces, self._side))
        limit = Limit(time_ms=1000 * max(1, min(seconds, _MOST_SECONDS)))
        self._begin(lambda task: self._study(task, game, limit, max(1, min(lines, _MOST_LINES))))

    def _study(self, task: int, game: Game, limit: Limit, lines: int) -> None:
        with self._settings.engine.analyse(game, limit, lines=lines) as stream:
            found = stream.last()
        words = [f"{'|'.join(map(move_words, line.moves))} {line.score.value}" for line in found.lines]
        self._answer(task, " ".join(["analysis", str(len(words)), *words]))

    def _begin(self, think: Callable[[int], None]) -> None:
        """Thinks in a thread of its own, so that the clock and the end of the game are heard meanwhile."""
        self._forget_task()
        with self._lock:
            task = self._task
            self._pending = None
        self._clock_came.clear()
        self._thinking = threading.Thread(
            target=self._in_thread, args=(think, task), name="hnefi-otep", daemon=True
        )
        self._thinking.start()

    def _in_thread(self, think: Callable[[int], None], task: int) -> None:
        try:
            think(task)
        except HnefiError as error:
            self._answer(task, f"error -1 {_line(i18n.explain(error, 'en'))}")

    def _answer(self, task: int, line: str) -> None:
        with self._lock:
            if task == self._task:
                self._write(line)

    def _forget_task(self) -> None:
        """Ends what is thought about; its answer is not sent."""
        with self._lock:
            self._task += 1
        thread = self._thinking
        if thread is not None and thread is not threading.current_thread():
            self._clock_came.set()
            while thread.is_alive():
                self._settings.engine.stop()
                thread.join(0.05)
        self._thinking = None

    def _write(self, line: str) -> None:
        with self._lock:
            self._send(line)


def _line(text: str) -> str:
    """Gives a text as the protocol sends it: one line, ASCII."""
    return shown(" ".join(text.split()), 300).encode("ascii", "replace").decode()
