"""The interface of all engines: analyses as streams, moves within a limit or at a level, and stopping."""

import atexit
import random
import threading
import weakref
from abc import abstractmethod
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import replace

from hnefi._core import CalledGame, Game, LevelChoice, Move, Rules, static_scores
from hnefi.closing import Closing
from hnefi.engine.analysis import Analysis, AnalysisLine, OnAnalysis
from hnefi.engine.book import book_for, book_move
from hnefi.engine.levels import Level
from hnefi.engine.limits import MOST_PLIES, Limit, check_number
from hnefi.engine.streams import AnalysisStream, AsyncAnalysisStream, Job
from hnefi.engine.weights import Weights, weights_for
from hnefi.errors import EngineError

_POLL_S = 0.05
_CLOSE_TIMEOUT_S = 5.0


class _Asked:
    """The jobs of one `play_async`: they stop when it is cancelled, later ones at once."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._is_cancelled = False

    def begin(self, job: Job) -> None:
        self._jobs.append(job)
        if self._is_cancelled:
            job.stop(abandon=True)

    def cancel(self) -> None:
        self._is_cancelled = True
        for job in self._jobs:
            job.stop(abandon=True)


_ASKED: ContextVar[_Asked | None] = ContextVar("asked", default=None)


class EngineLike(Closing):
    """An engine that plays and analyses: the native one, or a program that speaks UGI or OTEP. Thread-safe.

    It runs one search at a time and queues the others.
    """

    _weights: Weights | None = None
    """The weights given to the engine; None for those of the rules."""

    def __init__(self) -> None:
        # Reentrant: a stream may be dropped, which stops its job, while the same thread holds the lock.
        self._lock = threading.RLock()
        self._search_lock = threading.Lock()
        self._jobs: set[Job] = set()
        self._current: Job | None = None
        self._is_closed = False
        _ENGINES.add(self)

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the engine."""

    @abstractmethod
    def _search(self, job: Job, on_analysis: OnAnalysis) -> Analysis:
        """Searches, calls `on_analysis` after each iteration, and returns the last analysis."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Makes `_search` return at once, called from another thread; does nothing if no search runs."""

    def check_rules(self, rules: Rules) -> None:
        """Checks that the engine can be told some rules; the native one plays by any.

        Raises:
            EngineError: `engine_lacks_option` or `engine_lacks_rules`, of other programs.
        """

    def analyse(
        self,
        game: Game | CalledGame,
        limit: Limit = Limit(),  # noqa: B008 - it is a value
        *,
        lines: int = 3,
        moves: Sequence[Move | str] = (),
    ) -> AnalysisStream:
        """Starts an analysis; returns its stream, whose last analysis is final.

        Leaving the loop over the stream, or closing it, stops the search at once.

        Args:
            game: The game; the duty to play a piece again is respected.
            limit: When to stop; without any limit the search runs until it is stopped.
            lines: How many best moves to report.
            moves: The moves to consider; all if there are none.

        Raises:
            EngineError: `engine_closed`. Errors of the search are raised when the stream is read.
            TypeError: If the game is none.
            ValueError: If a move is not legal, or `lines` is out of bounds.
        """
        return AnalysisStream(self._job(game, limit, lines, moves), self._run)

    def analyse_async(
        self,
        game: Game | CalledGame,
        limit: Limit = Limit(),  # noqa: B008 - it is a value
        *,
        lines: int = 3,
        moves: Sequence[Move | str] = (),
    ) -> AsyncAnalysisStream:
        """Starts an analysis; returns its stream for `async for`. Requires a running event loop."""
        return AsyncAnalysisStream(self._job(game, limit, lines, moves), self._run)

    def play(
        self,
        game: Game | CalledGame,
        strength: Level | Limit,
        *,
        seed: int | str | None = None,
        book: bool | None = None,
    ) -> Move:
        """Chooses a move: the best one within a limit, or one at the strength of a level.

        Args:
            game: The game; the duty to play a piece again is respected.
            strength: A level, or the limit of the search.
            seed: The same seed chooses the same moves at levels without a time limit; random if None.
            book: Whether a move of the opening book is played where there is one, without a search. If None,
                the level decides, and with a limit none is.

        Raises:
            EngineError: `nothing_to_play`, `engine_closed`, `bad_book`, or an error of the search.
            TypeError: If the game is none, or the strength neither a level nor a limit.
            ValueError: If the limit has no bound, since the move would never come.
        """
        if not isinstance(strength, Level | Limit):
            raise TypeError(f"strength: {strength!r}, expected Level, such as level(3), or Limit")
        _check_game(game)
        legal = game.legal_moves()
        if not legal:
            raise EngineError("nothing_to_play", "nothing to play: the game is over")
        known = book_move(game, _number(seed)) if book else None
        if known:
            return known
        if isinstance(strength, Limit):
            if strength.is_endless:
                raise ValueError("strength: Limit(), expected one of depth, nodes, time_ms and clock")
            return self._best_move(game, strength)
        if len(legal) == 1:
            return legal[0]
        if book is False:
            strength = replace(strength, book=0)
        return self._move_at_level(game, strength, legal, seed)

    async def play_async(
        self,
        game: Game | CalledGame,
        strength: Level | Limit,
        *,
        seed: int | str | None = None,
        book: bool | None = None,
    ) -> Move:
        """Chooses a move as `play` does, without blocking the event loop; if cancelled, the search stops."""
        import asyncio

        asked = _Asked()
        token = _ASKED.set(asked)
        try:
            return await asyncio.to_thread(self.play, game, strength, seed=seed, book=book)
        except asyncio.CancelledError:
            asked.cancel()
            raise
        finally:
            _ASKED.reset(token)

    def stop(self) -> None:
        """Stops the search and all queued ones, from any thread; their analyses come at once."""
        with self._lock:
            jobs = list(self._jobs)
        for job in jobs:
            job.stop()

    def close(self) -> None:
        """Stops all searches and closes the engine. May be called twice."""
        with self._lock:
            self._is_closed = True
            jobs = list(self._jobs)
        for job in jobs:
            job.stop(abandon=True)
        if self._search_lock.acquire(timeout=_CLOSE_TIMEOUT_S):
            self._search_lock.release()

    def _job(
        self,
        game: Game | CalledGame,
        limit: Limit,
        lines: int,
        moves: Sequence[Move | str],
        *,
        starts_empty: bool = False,
        is_play: bool = False,
    ) -> Job:
        check_number("lines", lines, 1, MOST_PLIES)
        _check_game(game)
        plain = game.game if isinstance(game, CalledGame) else game
        considered = tuple(map(Move, moves))
        if isinstance(game, CalledGame) and game.must_replay is not None:
            legal = game.legal_moves()
            considered = tuple(move for move in legal if not considered or move in considered)
        for move in considered:
            if not plain.is_legal(move):
                raise ValueError(f"moves: {move}, expected legal moves")
        if moves and not considered:
            raise ValueError("moves: none is legal, expected legal moves")
        job = Job(plain, considered, limit, lines, starts_empty, is_play, interrupt=self._interrupt_job)
        with self._lock:
            if self._is_closed:
                raise EngineError("engine_closed", f"{self.name}: closed")
            self._jobs.add(job)
        if asked := _ASKED.get():
            asked.begin(job)
        return job

    def _run(self, job: Job, on_analysis: OnAnalysis) -> Analysis:
        """Runs a job when no other one runs."""
        try:
            while not self._search_lock.acquire(timeout=_POLL_S):
                if job.is_abandoned:
                    return Analysis(is_final=True)
            try:
                return self._run_locked(job, on_analysis)
            finally:
                self._search_lock.release()
        finally:
            with self._lock:
                self._jobs.discard(job)

    def _run_locked(self, job: Job, on_analysis: OnAnalysis) -> Analysis:
        if job.is_abandoned or job.game.turn is None:
            return Analysis(is_final=True)
        with self._lock:
            self._current = job
        try:
            return replace(self._search(job, on_analysis), is_final=True)
        finally:
            with self._lock:
                self._current = None

    def _interrupt_job(self, job: Job) -> None:
        with self._lock:
            if self._current is job:
                self._interrupt()

    def _final_lines(self, job: Job) -> tuple[AnalysisLine, ...]:
        """Returns the lines of the final analysis of a job; Ctrl-C interrupts the wait."""
        with AnalysisStream(job, self._run) as stream:
            found = stream.last().lines
        if not found:
            raise EngineError("no_answer", f"{self.name}: stopped before it had a move")
        return found

    def _best_move(self, game: Game | CalledGame, limit: Limit) -> Move:
        return self._final_lines(self._job(game, limit, 1, (), is_play=True))[0].move

    def _move_at_level(
        self, game: Game | CalledGame, level: Level, legal: list[Move], seed: int | str | None
    ) -> Move:
        plain = game.game if isinstance(game, CalledGame) else game
        side = plain.turn
        assert side is not None
        weights = self._weights or weights_for(plain.rules)
        choice = LevelChoice(plain, legal, level.text(weights.mistake_odds), str(_number(seed)))
        if choice.blind is not None:
            return choice.blind
        book = book_for(plain.rules) if level.book else None
        known = choice.choose_from_book(book.book) if book is not None else None
        if known is not None:
            return known
        move = None
        if not choice.is_short_sighted:
            lines = choice.lines(len(legal))
            job = self._job(game, level.limit, lines, (), starts_empty=level.is_repeatable, is_play=True)
            move = choice.choose([(line.move, line.score.value_for(side)) for line in self._final_lines(job)])
        if move is None:
            move = choice.choose(static_scores(plain, choice.seen, weights.text))
        assert move is not None
        return move


def _check_game(game: object) -> None:
    if not isinstance(game, Game | CalledGame):
        raise TypeError(f"game: {game!r}, expected Game or CalledGame")


def _number(seed: int | str | None) -> int | str:
    return random.getrandbits(64) if seed is None else seed


_ENGINES: "weakref.WeakSet[EngineLike]" = weakref.WeakSet()


def _close_all() -> None:
    """Closes all engines when the program ends: no thread may outlive the interpreter."""
    for engine in list(_ENGINES):
        engine.close()


atexit.register(_close_all)
