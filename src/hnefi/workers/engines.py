"""The engine pool: worker processes that play for computer opponents and analyse.

Opponents come before analyses. Among either, addresses and visitors are served in turns, by the time that
their searches take; a search limited by time is paused while shorter ones of others wait.
"""

import asyncio
import contextlib
import itertools
import json
import logging
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from hnefi._core import CalledGame, Game, Move
from hnefi.engine import Clock, level
from hnefi.errors import EngineError
from hnefi.workers.fair_queue import FairQueue, Owner
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
_SHORT_MS = 500.0
"""Only jobs up to this estimate are taken by the last free one of several workers."""

_LEAST_MS = 200.0
"""With less time left, a paused search is not continued."""

_NODES_PER_MS = 1_000
_OVERHEAD_MS = 5.0
_STOP_EVERY_S = 0.1
_OPPONENT, _ANALYSIS = 0, 1


@dataclass(eq=False, slots=True)
class _Job:
    """A search.

    Attributes:
        kind: Opponent or analysis.
        cost_ms: How long it will still take, estimated.
        left_ms: The time that is left to it, None if something else than time limits it. Only a search with
            a time can be paused: it goes on with what the transposition table holds.
        queued_s: When it was queued.
        charged_ms: What its owner was charged when it was taken.
        depth: The depth of the reports until now.
        nodes: The nodes of the reports until now.
        used_ms: The time before it was paused.
    """

    kind: int
    body: dict[str, Any]
    owner: Owner
    timeout_s: float
    cost_ms: float
    left_ms: float | None = None
    answers: "asyncio.Queue[dict[str, Any]]" = field(default_factory=asyncio.Queue)
    is_abandoned: bool = False
    is_paused: bool = False
    is_stopping: bool = False
    worker: "_Worker | None" = None
    queued_s: float = 0.0
    charged_ms: float = 0.0
    depth: int = 0
    nodes: int = 0
    used_ms: int = 0

    @property
    def is_short(self) -> bool:
        """Whether every worker may take it."""
        return self.cost_ms <= _SHORT_MS

    @property
    def can_pause(self) -> bool:
        """Whether it can be stopped and continued later."""
        return self.left_ms is not None and not (self.is_abandoned or self.is_stopping)

    def abandon(self) -> None:
        """Marks the job as abandoned by its client, and interrupts its search."""
        self.is_abandoned = True
        if self.worker is not None:
            self.worker.interrupt()

    def pause(self) -> None:
        """Interrupts the search, to be continued later."""
        self.is_paused = True
        if self.worker is not None:
            self.worker.interrupt()

    def fail(self, code: str) -> None:
        """Answers the job with an error."""
        self.answers.put_nowait({"error": code, "final": True})

    def request(self, now_s: float) -> dict[str, Any]:
        """Returns what the process is sent."""
        body = dict(self.body)
        if self.left_ms is not None:
            body["time_ms"] = max(int(self.left_ms), 1)
        if body.get("left_ms") is not None:
            # A clock runs also while the job waits.
            body["left_ms"] = max(body["left_ms"] - int((now_s - self.queued_s) * 1000), 0)
        return body

    def can_continue_after(self, spent_ms: float) -> bool:
        """Checks whether there is enough time left to continue a paused search."""
        assert self.left_ms is not None
        return self.left_ms - spent_ms >= _LEAST_MS

    def report(self, answer: dict[str, Any], *, is_last: bool) -> None:
        """Passes a report on, as if the search had never been paused."""
        if "depth" in answer:
            if answer["depth"] < self.depth and not is_last:
                return
            self.depth = max(self.depth, answer["depth"])
            self.nodes = max(self.nodes, answer["nodes"])
            time_ms = answer["time_ms"] + self.used_ms
            answer = {
                **answer,
                "depth": self.depth,
                "nodes": self.nodes,
                "time_ms": time_ms,
                "final": is_last,
            }
        elif not is_last:
            return
        self.answers.put_nowait(answer)


class EnginePool:
    """Engines in worker processes. A crash of a worker does not affect games."""

    def __init__(self, workers: int, memory_mib: int) -> None:
        """Creates a pool; `start` starts it, and each process starts with its first job.

        Args:
            workers: The number of processes.
            memory_mib: The memory limit of each.
        """
        self._queues = (FairQueue[_Job](), FairQueue[_Job]())
        self._number = itertools.count(1)
        self._waiting = asyncio.Condition()
        self._analyses: dict[str, _Job] = {}
        self._workers = [_Worker(self, memory_mib) for _ in range(workers)]
        # The last of several workers is kept free for short jobs.
        self._most_long = max(workers - 1, 1)
        self._idle = self._short_queued = 0

    def __len__(self) -> int:
        """Counts the queued jobs."""
        return sum(len(queue) for queue in self._queues)

    async def start(self) -> None:
        """Starts to take jobs; a process is started with its first job."""
        for worker in self._workers:
            worker.start()

    async def stop(self) -> None:
        """Ends all processes."""
        await asyncio.gather(*(worker.stop() for worker in self._workers))

    async def choose(
        self, game: CalledGame, strength: int, seed: str, left_ms: int | None, owner: Owner
    ) -> Move:
        """Chooses a move for a computer opponent; see `Opponents`."""
        body = {**_position(game.game), "kind": "play", "level": strength, "seed": seed, "left_ms": left_ms}
        if game.must_replay is not None:
            body["allowed"] = [str(move) for move in game.legal_moves()]
        time_ms = _time_ms(strength, left_ms)
        cost_ms = _OVERHEAD_MS + level(strength).nodes / _NODES_PER_MS if time_ms is None else time_ms
        job = _Job(_OPPONENT, body, owner, _PLAY_S, cost_ms, time_ms)
        await self._put(job)
        try:
            answer = await job.answers.get()
        except asyncio.CancelledError:
            self._abandon(job)
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
            _ANALYSIS,
            {**_position(game), "kind": "analyse", "lines": lines},
            Owner(address, visitor),
            time_ms / 1000 + _GRACE_S,
            time_ms,
            time_ms,
        )
        self._admit(job)
        await self._put(job)
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
            self._abandon(job)
            if self._analyses.get(visitor) is job:
                del self._analyses[visitor]

    def check(self, visitor: str, address: str) -> None:
        """Checks that an analysis is admitted. Called before everything else, so that refusals cost little.

        Raises:
            EngineError: `too_many_analyses`, `engine_busy`.
        """
        # An analysis of the same visitor would be superseded.
        owners = [job.owner for job in self._analyses.values()]
        others = sum(owner.address == address and owner.visitor != visitor for owner in owners)
        if others >= _PER_ADDRESS:
            raise _refusal("too_many_analyses", _PER_ADDRESS)
        if visitor not in self._analyses and len(self._queues[_ANALYSIS]) >= _MAX_QUEUE:
            raise _refusal("engine_busy", _MAX_QUEUE)

    def _admit(self, job: _Job) -> None:
        """Admits an analysis, superseding the visitor's last one, or refuses it."""
        self.check(job.owner.visitor, job.owner.address)
        before = self._analyses.get(job.owner.visitor)
        if before is not None:
            self._abandon(before)
            before.fail("superseded")
        self._analyses[job.owner.visitor] = job

    def _position_of(self, job: _Job) -> int:
        """Returns the place of an analysis in the queue by its arrival, 0 if it is not queued."""
        if job.worker is not None or job.is_abandoned:
            return 0
        earlier = [one for one in self._analyses.values() if one.worker is None and not one.is_abandoned]
        ahead = sum(1 for one in earlier if one.body["id"] < job.body["id"])
        return len(self._queues[_OPPONENT]) + ahead + 1

    async def _put(self, job: _Job) -> None:
        job.body["id"] = next(self._number)
        job.queued_s = asyncio.get_running_loop().time()
        await self._queue(job)

    async def _queue(self, job: _Job) -> None:
        async with self._waiting:
            self._queues[job.kind].put(job, job.owner, job.cost_ms)
            self._short_queued += job.is_short
            self._pause_for(job)
            self._waiting.notify_all()

    def _abandon(self, job: _Job) -> None:
        """Removes a job from the queue, or interrupts its search."""
        job.abandon()
        if self._queues[job.kind].discard(job, job.owner):
            self._short_queued -= job.is_short

    def _pause_for(self, job: _Job) -> None:
        """Pauses a longer search of lower precedence if no worker is free for a new job."""
        long_queued, may_begin = len(self) - self._short_queued, self._most_long - self._long_running()
        is_free = self._short_queued + min(long_queued, may_begin) <= self._idle
        if is_free and (job.is_short or long_queued <= may_begin):
            return
        running = [worker.job for worker in self._workers if worker.job is not None]
        if any(one.is_paused for one in running):
            return
        longer = [
            one
            for one in running
            if one.can_pause and one.cost_ms > job.cost_ms and self._goes_before(job, one)
        ]
        if longer:
            max(longer, key=lambda one: (one.kind, one.cost_ms)).pause()

    def _goes_before(self, job: _Job, other: _Job) -> bool:
        if job.kind != other.kind:
            return job.kind < other.kind
        return self._queues[job.kind].precedes(job.owner, other.owner)

    def _long_running(self) -> int:
        return sum(1 for worker in self._workers if worker.job is not None and not worker.job.is_short)

    async def take(self) -> _Job:
        """Waits for the next job of a worker."""
        async with self._waiting:
            self._idle += 1
            try:
                while True:
                    most_ms = _SHORT_MS if self._long_running() >= self._most_long else None
                    for queue in self._queues:
                        if (job := queue.take(most_ms)) is not None:
                            job.charged_ms = job.cost_ms
                            self._short_queued -= job.is_short
                            return job
                    await self._waiting.wait()
            finally:
                self._idle -= 1

    async def release(self, job: _Job, spent_ms: float) -> None:
        """Charges a job by the time it took, and queues it again if it was paused."""
        self._queues[job.kind].finish(job.owner, job.charged_ms, spent_ms)
        if job.is_paused and not job.is_abandoned:
            assert job.left_ms is not None
            job.left_ms = job.cost_ms = job.left_ms - spent_ms
            job.used_ms += int(spent_ms)
            job.is_paused = job.is_stopping = False
            await self._queue(job)
        else:
            # A long job may have waited for this one.
            async with self._waiting:
                self._waiting.notify_all()


def _time_ms(strength: int, left_ms: int | None) -> float | None:
    """Returns the time of a level's search, None if it is limited otherwise."""
    time_ms = float(level(strength).time_ms)
    if not time_ms:
        return None
    return time_ms if left_ms is None else min(time_ms, Clock(left_ms).budget_ms)


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
        self._begun_s = 0.0
        self.job: _Job | None = None

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
        loop = asyncio.get_running_loop()
        while True:
            job = self.job = await self._pool.take()
            job.worker = self
            self._interrupted.clear()
            self._begun_s, pause_s = loop.time(), 0.0
            try:
                await self._search(job)
            except (OSError, TimeoutError, ValueError, EngineError) as error:
                _log.warning("an engine worker was ended: %s: %s", type(error).__name__, error)
                await self._process.end()
                job.is_paused = False
                if not job.is_abandoned:
                    job.fail("engine_died")
                    pause_s = _RESTART_S
            finally:
                job.worker = self.job = None
            await self._pool.release(job, (loop.time() - self._begun_s) * 1000)
            await asyncio.sleep(pause_s)

    async def _search(self, job: _Job) -> None:
        loop = asyncio.get_running_loop()
        if await self._process.start():
            await self._expect_ready()
        self._begun_s = loop.time()
        await self._process.send(job.request(self._begun_s))
        deadline = self._begun_s + job.timeout_s
        while True:
            if (job.is_abandoned or job.is_paused) and not job.is_stopping:
                job.is_stopping = True
                deadline = loop.time() + _STOP_S
                await self._send_stop(job)
            line = await self._next(job, deadline)
            if line is None:
                continue
            answer = _parse(line)
            if answer.get("id") != job.body["id"]:
                continue
            is_last = bool(answer.get("final") or "error" in answer)
            if is_last and job.is_paused and "error" not in answer:
                job.is_paused = job.can_continue_after((loop.time() - self._begun_s) * 1000)
            job.report(answer, is_last=is_last and not job.is_paused)
            if is_last:
                return

    async def _send_stop(self, job: _Job) -> None:
        with contextlib.suppress(ConnectionError):
            await self._process.send({"stop": job.body["id"]})

    async def _next(self, job: _Job, deadline: float) -> bytes | None:
        """Waits for the next line; None if there is none yet and the process has to be sent a stop."""
        left_s = deadline - asyncio.get_running_loop().time()
        # A stop that arrives before the search begins is lost.
        wait_s = min(left_s, _STOP_EVERY_S) if job.is_stopping else left_s
        reading = asyncio.ensure_future(self._process.line())
        interrupting = None if job.is_stopping else asyncio.ensure_future(self._interrupted.wait())
        try:
            both: set[asyncio.Future[Any]] = {reading} if interrupting is None else {reading, interrupting}
            done, _ = await asyncio.wait(both, timeout=max(wait_s, 0), return_when=asyncio.FIRST_COMPLETED)
            if not done and wait_s < left_s:
                await self._send_stop(job)
                return None
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
