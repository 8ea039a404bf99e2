"""UGI server: the native engine as a program that speaks the Universal Game Interface (decision 16)."""

import re
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from hnefi._core import Game, Move, Setup
from hnefi.engine.analysis import Analysis
from hnefi.engine.levels import level, levels
from hnefi.engine.limits import Limit
from hnefi.engine.settings import Settings
from hnefi.engine.streams import AnalysisStream
from hnefi.engine.ugi import NO_MOVE, info_lines, read_go, result_word
from hnefi.errors import EngineError, HnefiError, shorten
from hnefi.pieces import Side

# A move with `x` between its squares, as people type one; the protocol has no such form.
_TYPED = re.compile(r"[a-z]?[a-s][0-9]+[x×]", re.IGNORECASE)
# Commands that are executed during a search; the others wait for its end.
_DURING_SEARCH = ("isready", "stop", "quit", "ugi")


class UgiServer:
    """Executes UGI commands, one line each. No input makes it fail."""

    def __init__(self, settings: Settings, write: Callable[[str], None]) -> None:
        """Creates a server; `write` sends one line, and is called from several threads, one at a time."""
        self._settings = settings
        self._send = write
        self._lock = threading.RLock()
        self._idle = threading.Condition(self._lock)
        self._pending: deque[str] = deque()
        self._game: Game | None = Game(settings.rules)
        self._limit = Limit()
        self._is_searching = False
        self._is_stopping = False
        self._is_quitting = False

    def serve(self, lines: Iterable[str]) -> None:
        """Executes all lines, up to `quit` or the end of input, where a search with a limit is finished."""
        try:
            for line in lines:
                if self.handle(line):
                    self._stop(quits=True)
                    break
            self._finish()
        finally:
            self._settings.close()

    def handle(self, line: str) -> bool:
        """Executes a line, or queues it until the search ends; returns whether it is `quit`."""
        words = line.split()
        if not words:
            return False
        if words[0] == "quit":
            return True
        with self._lock:
            if self._is_searching and words[0] not in _DURING_SEARCH:
                self._pending.append(line)
            else:
                self._execute(line, words)
        return False

    def _finish(self) -> None:
        """Waits for the end of the search; stops a search without a limit."""
        with self._idle:
            while self._is_searching:
                if self._limit.is_endless:
                    self._stop()
                self._idle.wait(0.1)

    def _stop(self, *, quits: bool = False) -> None:
        with self._lock:
            self._is_quitting = self._is_quitting or quits
            if self._is_searching:
                self._is_stopping = True
                self._settings.engine.stop()

    def _write(self, line: str) -> None:
        with self._lock:
            self._send(line)

    def _execute(self, line: str, words: list[str]) -> None:
        commands: dict[str, Callable[[str, list[str]], None]] = {
            "ugi": self._ugi,
            "isready": lambda *_: self._write("readyok"),
            "setoption": self._setoption,
            "uginewgame": self._newgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda *_: self._stop(),
            "query": self._query,
        }
        command = commands.get(words[0])
        if command is None:
            self._write_info(f"unknown command {shorten(words[0], 40)}")
            return
        try:
            command(line, words[1:])
        except (HnefiError, ValueError) as error:
            self._write_info(str(error))

    def _write_info(self, text: str) -> None:
        self._write(f"info string {shorten(' '.join(text.split()), 500)}")

    def _ugi(self, _line: str, _words: list[str]) -> None:
        from hnefi import __version__

        self._write(f"id name Hnefi {__version__}")
        self._write("id author The Hnefi authors")
        for option in self._settings.options():
            self._write(str(option))
        self._write("ugiok")

    def _setoption(self, line: str, _words: list[str]) -> None:
        rest = line.strip().removeprefix("setoption")
        name, found, value = rest.strip().removeprefix("name ").partition(" value ")
        if not found:
            name, value = name.strip().removesuffix(" value"), ""
        if self._settings.set(name.strip(), value.strip()):
            self._game = Game(self._settings.rules)

    def _newgame(self, _line: str, _words: list[str]) -> None:
        self._settings.engine.clear_table()
        self._game = Game(self._settings.rules)

    def _position(self, _line: str, words: list[str]) -> None:
        # An invalid position leaves none: a move for an older position would be worse than no move.
        self._game = None
        split = words.index("moves") if "moves" in words else len(words)
        start, moves = words[:split], words[split + 1 :]
        if start == ["startpos"]:
            setup = None
        elif start[:1] == ["fen"]:
            setup = Setup(" ".join(start[1:]))
        else:
            raise ValueError("position: expected startpos or fen")
        self._game = Game.replay(self._settings.rules, setup, _protocol_moves(moves))

    def _query(self, _line: str, words: list[str]) -> None:
        game = self._game
        if game is None:
            raise ValueError("query: no position")
        responses = {
            "p1turn": "true" if game.position.turn is Side.ATTACKERS else "false",
            "gameover": "true" if game.outcome else "false",
            "result": result_word(game.outcome),
            "fen": str(game.position.setup),
            "variant": self._settings.variant_id,
        }
        response = responses.get(" ".join(words))
        if response is None:
            raise ValueError(f"query {shorten(' '.join(words), 40)}: expected {' | '.join(responses)}")
        self._write(f"response {response}")

    def _go(self, _line: str, words: list[str]) -> None:
        game = self._game
        if game is None or game.turn is None:
            self._write_info("go: no position" if game is None else "go: the game is over")
            self._write(f"bestmove {NO_MOVE}")
            return
        limit, named = read_go(words, game.turn)
        moves = [Move(word) for word in _protocol_moves(named)]
        for move in moves:
            game.position.check(move)
        search: Callable[[], Move | None]
        if 0 < self._settings.level < len(levels()) and not moves:
            search = partial(self._play, game, limit)
        else:
            # The stream is created before the next line is read, so that a following `stop` is never lost.
            stream = self._settings.engine.analyse(game, limit, lines=self._settings.lines, moves=moves)
            search = partial(self._search, stream, game.turn)
        self._limit = limit
        self._is_searching, self._is_stopping = True, False
        threading.Thread(target=self._in_thread, args=(search,), name="hnefi-ugi", daemon=True).start()

    def _in_thread(self, search: Callable[[], Move | None]) -> None:
        best: Move | None = None
        try:
            best = search()
        except (HnefiError, ValueError) as error:
            self._write_info(str(error))
        except OSError:  # the client is gone
            self._is_quitting = True
        with self._idle:
            try:
                self._write(f"bestmove {best or NO_MOVE}")
            except OSError:
                self._is_quitting = True
            self._is_searching = False
            while self._pending and not self._is_searching and not self._is_quitting:
                line = self._pending.popleft()
                self._execute(line, line.split())
            self._idle.notify_all()

    def _search(self, stream: AnalysisStream, side: Side) -> Move | None:
        last = Analysis()
        with stream:
            for last in stream:
                for line in info_lines(last, side):
                    self._write(line)
        return last.best.move if last.best else None

    def _play(self, game: Game, limit: Limit) -> Move | None:
        chosen = level(self._settings.level)
        budget = 1 if self._is_stopping else limit.usual_ms
        if budget is not None:
            chosen = replace(chosen, time_ms=budget)
        try:
            return self._settings.engine.play(game, chosen, seed=self._settings.seed or None)
        except EngineError:
            return game.legal_moves()[0]


def _protocol_moves(words: list[str]) -> list[str]:
    """Returns the words, none of which is a move in a form for people alone."""
    typed = next(filter(_TYPED.match, words), None)
    if typed is not None:
        raise ValueError(f"{shorten(typed, 40)}: expected a move such as d2-f2")
    return words
