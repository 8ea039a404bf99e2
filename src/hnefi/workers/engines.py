"""The engine pool: worker processes that play for computer opponents and analyse; opponents come first."""

import asyncio
import contextlib
import heapq
import itertools
import json
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from hnefi._core import CalledGame, Game, Move
from hnefi.errors import EngineError
from hnefi.workers.process import JsonProcess

__all__ = ["AnalysisReport", "EnginePool", "Queued"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnalysisReport:
    """A report of an analysis; better reports follow until one is final."""

    lines: list[dict[str, Any]]
    depth: int
    deepest: int
    nodes: int
    time_ms: int
    final: bool


@dataclass(frozen=True, slots=True)
class Queued:
    """An analysis that has to wait.

    Attributes:
        position: Its place in the queue, from 1.
    """

    position: int


_TABLE_MIB = 32
_MAX_QUEUE = 64
_PER_ADDRESS = 8
_PLAY_S = 30.0
_GRACE_S = 3.0
_STOP_S = 2.0
_START_S = 30.0
_RESTART_S = 1.0
_QUEUE_REPORT_S = 0.1
_OPPONENT, _ANALYSIS = 0, 1


@dataclass(eq=False, slots=True)
class _Job:
    body: dict[str, Any]
    timeout_s: float
    owner: str
    address: str
    answers: "asyncio.Queue[dict[str, Any]]" = field(default_factory=asyncio.Queue)
    is_abandoned: bool = False
    is_stopping: bool = False
    worker: "_Worker | None" = None

    def abandon(self) -> None:
        """Marks the job as abandoned by its client, and interrupts its search."""
        self.is_abandoned = True
        if self.worker is not None:
            self.worker.interrupt()

    def fail(self, code: str) -> None:
        """Answers the job with an error."""
        self.answers.put_nowait({"error": code, "final": True})


class EnginePool:
    """Engines in worker processes. A crash of a worker does not affect games."""

    def __init__(self, workers: int, memory_mib: int) -> None:
        """Creates a pool; `start` starts it, and each process starts with its first job.

        Args:
            workers: The number of processes.
            memory_mib: The memory limit of each.
        """
        self._heap: list[tuple[int, int, _Job]] = []
        self._number = itertools.count(1)
        self._waiting = asyncio.Condition()
        self._analyses: dict[str, _Job] = {}
        self._workers = [_Worker(self, memory_mib) for _ in range(workers)]

    def __len__(self) -> int:
        """Counts the queued jobs."""
        return sum(1 for _, _, job in self._heap if not job.is_abandoned)

    async def start(self) -> None:
        """Starts to take jobs; a process is started with its first job."""
        for worker in self._workers:
            worker.start()

    async def stop(self) -> None:
        """Ends all processes."""
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    async def choose(self, game: CalledGame, level: int, seed: str, left_ms: int | None) -> Move:
        """Chooses a move for a computer opponent; see `Opponents`."""
        body = {**_position(game.game), "kind": "play", "level": level, "seed": seed, "left_ms": left_ms}
        if game.must_replay is not None:
            body["allowed"] = [str(move) for move in game.legal_moves()]
        job = _Job(body, _PLAY_S, "", "")
        await self._put(_OPPONENT, job)
        try:
            answer = await job.answers.get()
        except asyncio.CancelledError:
            job.abandon()
            raise
        if "error" in answer:
            raise EngineError(str(answer["error"]), f"engine: {answer['error']}")
        return Move(str(answer["move"]))

    async def analyse(
        self, game: Game, *, lines: int, time_ms: int, visitor: str, address: str
    ) -> AsyncGenerator[AnalysisReport | Queued]:
        """Analyses a game until the iteration is closed. A visitor's new analysis ends the one before.

        Raises:
            EngineError: `too_many_analyses`, `engine_busy`.
        """
        job = _Job(
            {**_position(game), "kind": "analyse", "lines": lines, "time_ms": time_ms},
            time_ms / 1000 + _GRACE_S,
            visitor,
            address,
        )
        self._admit(job)
        await self._put(_ANALYSIS, job)
        waiting = asyncio.ensure_future(job.answers.get())
        try:
            await asyncio.wait((waiting,), timeout=_QUEUE_REPORT_S)
            if not waiting.done() and (position := self._position_of(job)) > 0:
                yield Queued(position=position)
            while True:
                answer = await waiting
                waiting = asyncio.ensure_future(job.answers.get())
                if "error" in answer:
                    raise EngineError(str(answer["error"]), f"engine: {answer['error']}")
                yield AnalysisReport(**{name: answer[name] for name in AnalysisReport.__slots__})
                if answer["final"]:
                    return
        finally:
            waiting.cancel()
            job.abandon()
            if self._analyses.get(visitor) is job:
                del self._analyses[visitor]

    def check(self, visitor: str, address: str) -> None:
        """Checks that an analysis is admitted. Called before everything else, so that refusals cost little.

        Raises:
            EngineError: `too_many_analyses`, `engine_busy`.
        """
        # An analysis of the same visitor would be superseded.
        others = sum(job.address == address and job.owner != visitor for job in self._analyses.values())
        if others >= _PER_ADDRESS:
            raise _refusal("too_many_analyses", _PER_ADDRESS)
        if visitor not in self._analyses and len(self) >= _MAX_QUEUE:
            raise _refusal("engine_busy", _MAX_QUEUE)

    def _admit(self, job: _Job) -> None:
        """Admits an analysis, superseding the visitor's last one, or refuses it."""
        self.check(job.owner, job.address)
        before = self._analyses.get(job.owner)
        if before is not None:
            before.abandon()
            before.fail("superseded")
        self._analyses[job.owner] = job

    def _position_of(self, job: _Job) -> int:
        """Returns the place of a job in the queue, 0 if it is not queued."""
        if job.worker is not None:
            return 0
        queue = [one for _, _, one in sorted(self._heap, key=lambda item: item[:2]) if not one.is_abandoned]
        return queue.index(job) + 1 if job in queue else 0

    async def _put(self, priority: int, job: _Job) -> None:
        async with self._waiting:
            number = next(self._number)
            job.body["id"] = number
            heapq.heappush(self._heap, (priority, number, job))
            self._waiting.notify()

    async def take(self) -> _Job:
        """Waits for the next job of a worker."""
        async with self._waiting:
            while True:
                while self._heap:
                    job = heapq.heappop(self._heap)[2]
                    if not job.is_abandoned:
                        return job
                await self._waiting.wait()


def _refusal(code: str, limit: int) -> EngineError:
    return EngineError(code, f"{code}: limit={limit}", {"limit": str(limit)})


def _position(game: Game) -> dict[str, Any]:
    return {
        "rules": game.rules.to_json(),
        "start": str(game.start),
        "moves": [str(ply.move) for ply in game.plies],
        "allowed": [],
    }


class _Worker:
    """One process, and the task that passes jobs to it."""

    def __init__(self, pool: EnginePool, memory_mib: int) -> None:
        self._pool = pool
        self._process = JsonProcess("hnefi.workers.engine_main", _TABLE_MIB, memory_mib)
        self._task: asyncio.Task[None] | None = None
        self._interrupted = asyncio.Event()

    def start(self) -> None:
        """Starts to take jobs."""
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        """Kills the process, even in the middle of a job."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._process.end()

    def interrupt(self) -> None:
        """Interrupts the current job, which was abandoned or is to stop."""
        self._interrupted.set()

    async def _run(self) -> None:
        while True:
            job = await self._pool.take()
            job.worker = self
            self._interrupted.clear()
            try:
                await self._search(job)
            except (OSError, TimeoutError, ValueError, EngineError) as error:
                _log.warning("an engine worker was ended: %s: %s", type(error).__name__, error)
                await self._process.end()
                if not job.is_abandoned:
                    job.fail("engine_died")
                    await asyncio.sleep(_RESTART_S)
            finally:
                job.worker = None

    async def _search(self, job: _Job) -> None:
        if await self._process.start():
            await self._expect_ready()
        await self._process.send(job.body)
        deadline = asyncio.get_running_loop().time() + job.timeout_s
        while True:
            if job.is_abandoned and not job.is_stopping:
                job.is_stopping = True
                deadline = asyncio.get_running_loop().time() + _STOP_S
                with contextlib.suppress(ConnectionError):
                    await self._process.send({"stop": job.body["id"]})
            line = await self._next(job, deadline)
            if line is None:
                continue
            answer = _parse(line)
            if answer.get("id") != job.body["id"]:
                continue
            job.answers.put_nowait(answer)
            if answer.get("final") or "error" in answer:
                return

    async def _next(self, job: _Job, deadline: float) -> bytes | None:
        """Waits for the next line; None if the job was abandoned and the process must be sent a stop."""
        left_s = deadline - asyncio.get_running_loop().time()
        reading = asyncio.ensure_future(self._process.line())
        interrupting = None if job.is_stopping else asyncio.ensure_future(self._interrupted.wait())
        try:
            both: set[asyncio.Future[Any]] = {reading} if interrupting is None else {reading, interrupting}
            done, _ = await asyncio.wait(both, timeout=max(left_s, 0), return_when=asyncio.FIRST_COMPLETED)
            if not done:
                raise TimeoutError("the search did not end in time")
            return reading.result() if reading.done() else None
        finally:
            reading.cancel()
            if interrupting is not None:
                interrupting.cancel()

    async def _expect_ready(self) -> None:
        ready = await asyncio.wait_for(self._process.line(), _START_S)
        if not _parse(ready).get("ready"):
            raise EngineError("engine_not_started", "the engine did not start")


def _parse(line: bytes) -> dict[str, Any]:
    message = json.loads(line)
    return message if isinstance(message, dict) else {}
