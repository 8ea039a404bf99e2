"""What every engine offers, whoever does the thinking: streams of analyses, moves, an end at once."""

import atexit
import random
import threading
import weakref
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Protocol, Self

from hnefi._core import CalledGame, Game, Move
from hnefi.engine.analysis import Analysis, Tell
from hnefi.engine.choosing import Candidate, choose, seen_at_a_glance
from hnefi.engine.job import AnalysisStream, AsyncAnalysisStream, Job
from hnefi.engine.levels import Level
from hnefi.engine.limits import Limit
from hnefi.engine.weights import Weights
from hnefi.errors import EngineError
from hnefi.pieces import Side

__all__ = ["EngineLike", "ThinkingEngine"]

_TURN_STEP_S = 0.05
_JOIN_S = 5.0


class EngineLike(Protocol):
    """What plays and analyses: the engine of Hnefi, or another program that speaks its protocol."""

    @property
    def name(self) -> str:
        """What it is called."""

    def analyse(
        self, game: Game | CalledGame, limit: Limit = ..., *, lines: int = 3, moves: Sequence[Move] = ()
    ) -> AnalysisStream:
        """Analyses a game; gives what is known, better and better."""

    def analyse_async(
        self, game: Game | CalledGame, limit: Limit = ..., *, lines: int = 3, moves: Sequence[Move] = ()
    ) -> AsyncAnalysisStream:
        """Does the same for `async for`."""

    def play(
        self, game: Game | CalledGame, strength: Level | Limit, *, seed: int | str | None = None
    ) -> Move:
        """Chooses a move."""

    def stop(self) -> None:
        """Ends everything it thinks about, from any thread."""

    def close(self) -> None:
        """Ends it."""


class ThinkingEngine(ABC):
    """An engine that thinks about one thing at a time; who asks meanwhile waits. Safe from many threads."""

    def __init__(self) -> None:
        # A stream may be dropped, and its job stopped, while this very thread holds the guard.
        self._guard = threading.RLock()
        self._turn = threading.Lock()
        self._jobs: set[Job] = set()
        self._current: Job | None = None
        self._is_closed = False
        _ENGINES.add(self)

    @property
    @abstractmethod
    def name(self) -> str:
        """What it is called."""

    @property
    def _own_weights(self) -> Weights | None:
        """The weights it was given; None for those of the rules."""
        return None

    @abstractmethod
    def _think(self, job: Job, tell: Tell) -> Analysis:
        """Thinks about a job and tells what it finds; gives what it knows in the end."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Has `_think` return at once, from another thread; does no harm where nothing is thought about."""

    def analyse(
        self,
        game: Game | CalledGame,
        limit: Limit = Limit(),  # noqa: B008 - it is a value
        *,
        lines: int = 3,
        moves: Sequence[Move] = (),
    ) -> AnalysisStream:
        """Analyses a game; gives what is known, better and better, the last analysis being final.

        To leave the loop early, or to close the stream, stops the search at once.

        Args:
            game: The game; the duty to play a piece again is respected.
            limit: When to stop; without any limit it goes on until then.
            lines: How many of the best moves are wanted.
            moves: The moves to consider; all if there are none.

        Raises:
            EngineError: `engine_closed`; while it is read, whatever goes wrong.
            ValueError: If a move is not legal, or no line is wanted.
        """
        return AnalysisStream(self._job(game, limit, lines, moves), self._run)

    def analyse_async(
        self,
        game: Game | CalledGame,
        limit: Limit = Limit(),  # noqa: B008 - it is a value
        *,
        lines: int = 3,
        moves: Sequence[Move] = (),
    ) -> AsyncAnalysisStream:
        """Does the same for `async for`; to be called while the event loop runs."""
        return AsyncAnalysisStream(self._job(game, limit, lines, moves), self._run)

    def play(
        self, game: Game | CalledGame, strength: Level | Limit, *, seed: int | str | None = None
    ) -> Move:
        """Chooses a move: the best one within a limit, or one that fits a level.

        Args:
            game: The game; the duty to play a piece again is respected.
            strength: A level, or how long to think.
            seed: The same seed chooses the same moves at levels without a time limit; by chance if None.

        Raises:
            EngineError: `nothing_to_play`, `engine_closed`, or whatever goes wrong.
        """
        legal = game.legal_moves()
        if not legal:
            raise EngineError("nothing_to_play", "nothing to play: the game is over")
        if isinstance(strength, Limit):
            return self._best(game, strength)
        if len(legal) == 1:
            return legal[0]
        return self._by_level(game, strength, legal, seed)

    def stop(self) -> None:
        """Ends everything it thinks about or is to think about, from any thread; the answers come at once."""
        with self._guard:
            jobs = list(self._jobs)
        for job in jobs:
            job.stop()

    def close(self) -> None:
        """Ends everything; nothing can be asked any more. May be called twice."""
        with self._guard:
            self._is_closed = True
            jobs = list(self._jobs)
        for job in jobs:
            job.stop(abandon=True)
        if self._turn.acquire(timeout=_JOIN_S):
            self._turn.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _job(
        self,
        game: Game | CalledGame,
        limit: Limit,
        lines: int,
        moves: Sequence[Move],
        *,
        forgets: bool = False,
    ) -> Job:
        if lines < 1:
            raise ValueError(f"lines: {lines}, expected 1 or more")
        plain = game.game if isinstance(game, CalledGame) else game
        wanted = tuple(moves)
        if isinstance(game, CalledGame) and game.must_replay is not None:
            legal = game.legal_moves()
            wanted = tuple(move for move in legal if not wanted or move in wanted)
        for move in wanted:
            if not plain.is_legal(move):
                raise ValueError(f"moves: {move}, expected legal moves")
        if moves and not wanted:
            raise ValueError("moves: none is legal, expected legal moves")
        job = Job(plain, wanted, limit, lines, forgets, interrupt=self._interrupt_job)
        with self._guard:
            if self._is_closed:
                raise EngineError("engine_closed", f"{self.name}: closed")
            self._jobs.add(job)
        return job

    def _run(self, job: Job, tell: Tell) -> Analysis:
        """Does a job as soon as it is its turn."""
        try:
            while not self._turn.acquire(timeout=_TURN_STEP_S):
                if job.is_abandoned:
                    return Analysis(is_final=True)
            try:
                return self._in_turn(job, tell)
            finally:
                self._turn.release()
        finally:
            with self._guard:
                self._jobs.discard(job)

    def _in_turn(self, job: Job, tell: Tell) -> Analysis:
        if job.is_abandoned or job.game.turn is None:
            return Analysis(is_final=True)
        with self._guard:
            self._current = job
        try:
            return replace(self._think(job, tell), is_final=True)
        finally:
            with self._guard:
                self._current = None

    def _interrupt_job(self, job: Job) -> None:
        with self._guard:
            if self._current is job:
                self._interrupt()

    def _answer(self, job: Job) -> Analysis:
        """Waits for what comes of a job, so that Ctrl-C is heard."""
        with AnalysisStream(job, self._run) as stream:
            return stream.last()

    def _best(self, game: Game | CalledGame, limit: Limit) -> Move:
        found = self._answer(self._job(game, limit, 1, ())).best
        if found is None:
            raise EngineError("no_answer", f"{self.name}: stopped before it had a move")
        return found.move

    def _by_level(
        self, game: Game | CalledGame, level: Level, legal: list[Move], seed: int | str | None
    ) -> Move:
        plain = game.game if isinstance(game, CalledGame) else game
        side = plain.turn
        assert side is not None
        chance = random.Random(None if seed is None else f"{seed}/{plain.ply_count}/{plain.zobrist}")
        if chance.random() < level.short_sight:
            found = seen_at_a_glance(plain, legal, self._own_weights)
        else:
            lines = level.lines_at(plain.ply_count) or len(legal)
            job = self._job(game, level.limit, lines, (), forgets=level.is_repeatable)
            found = _candidates(self._answer(job), side)
        if not found:
            raise EngineError("no_answer", f"{self.name}: stopped before it had a move")
        return choose(plain, found, level, chance)


def _candidates(analysis: Analysis, side: Side) -> list[Candidate]:
    return [Candidate(line.move, line.score.value_for(side)) for line in analysis.lines]


_ENGINES: "weakref.WeakSet[ThinkingEngine]" = weakref.WeakSet()


def _close_all() -> None:
    """Ends what still thinks when the program ends: no thread may outlive the interpreter."""
    for engine in list(_ENGINES):
        engine.close()


atexit.register(_close_all)
