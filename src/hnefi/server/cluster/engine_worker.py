"""The engine worker: takes jobs from the stream, carries them out in its processes, and announces itself."""

import asyncio
import itertools
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from hnefi.server.cluster.bus_model import BusModel
from hnefi.server.cluster.job_messages import Engine, Job, JobDone, JobReport, LongSearch, Pause, SearchReport
from hnefi.server.cluster.messages import ALL, Leaving
from hnefi.server.cluster.streams import Entry, Stream, StreamError
from hnefi.server.cluster.tasks import end_tasks
from hnefi.workers.engine_process import EngineProcess
from hnefi.workers.fair_queue import Owner
from hnefi.workers.searches import Search, SearchKind, is_last

__all__ = ["EngineWorker"]

_log = logging.getLogger(__name__)

_BEAT_S = 1.0
"""How often an engine worker announces itself, and keeps its jobs."""

_TAKE_S = 0.5
_LOOK_S = 2.0
_IDLE_S = 5.0
"""A job that nobody has kept for this time is taken over."""

_MAX_AGE_MS = 60_000.0
"""Nobody waits for an older job: who added it would have added it again."""

_RETRY_S = 0.1
_RESTART_S = 1.0
_STOP_S = 3.0


@dataclass(eq=False, slots=True)
class _Running:
    """A job that is being carried out."""

    entry: Entry
    job: Job
    search: Search
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    begun_s: float = 0.0

    @property
    def is_announced(self) -> bool:
        """Whether others are told of it: it is long, or can be paused."""
        return self.job.time_ms is not None or not self.search.is_short

    def spent_ms(self, now_s: float) -> float:
        """Returns how long it was carried out."""
        return max(now_s - self.begun_s, 0.0) * 1000


class EngineWorker:
    """Carries out jobs of game workers and gateways, as many at the same time as it has processes."""

    def __init__(
        self,
        stream: Stream,
        send: Callable[[str, BusModel], None],
        address: str,
        places: int,
        memory_mib: int,
    ) -> None:
        """Creates a worker; each process starts with its first job.

        Args:
            stream: The streams of jobs.
            send: Sends a message to an address.
            address: The own address, also its name in the group of the stream.
            places: The number of processes.
            memory_mib: The memory limit of each.
        """
        self._stream = stream
        self._send = send
        self._address = address
        self._processes = [EngineProcess(memory_mib) for _ in range(places)]
        self._free = self._processes[::-1]
        self._has_place = asyncio.Event()
        self._has_place.set()
        self._running: dict[tuple[str, int], _Running] = {}
        self._is_stopping = False
        self._number = itertools.count(1)
        self._looked_s = 0.0
        self._reading: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Announces itself, and begins to take jobs."""
        self._announce()
        self._spawn(self._keep_regularly())
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def stop(self) -> None:
        """Hands its jobs back to those who asked, announces its end, and ends all processes."""
        self._is_stopping = True
        self._has_place.set()
        if self._reading is not None:
            await asyncio.wait((self._reading,), timeout=_STOP_S)
            await end_tasks([self._reading])
        await end_tasks(self._tasks)
        self._send(ALL, Leaving())
        now_s = asyncio.get_running_loop().time()
        for running in self._running.values():
            done = JobDone(id=running.job.id, spent_ms=running.spent_ms(now_s), returned=True)
            self._send(running.job.reply, done)
        await asyncio.gather(*(self._finish(running.entry) for running in self._running.values()))
        await asyncio.gather(*(process.end() for process in self._processes))

    def receive(self, _sender: str, message: BusModel) -> None:
        """Handles a message; ignores those for others."""
        if isinstance(message, Pause) and (message.reply, message.id) in self._running:
            self._running[message.reply, message.id].stop.set()

    # Taking jobs

    async def _read(self) -> None:
        """Takes jobs while there are places."""
        while True:
            await self._has_place.wait()
            if self._is_stopping:
                return
            try:
                for entry in await self._next():
                    await self._begin(entry)
            except StreamError as error:
                _log.debug("no jobs: %s", error)
                await asyncio.sleep(_RETRY_S)
            except Exception:  # whatever a job or the server of the streams has, others follow
                _log.exception("a job could not be taken")
                await asyncio.sleep(_RESTART_S)

    async def _next(self) -> list[Entry]:
        """Returns jobs of workers that have died, or new ones."""
        now_s = asyncio.get_running_loop().time()
        if now_s >= self._looked_s + _LOOK_S:
            self._looked_s = now_s
            if entries := await self._stream.take_over(self._address, _IDLE_S):
                _log.warning("took over a job of another engine worker")
                return entries
        return await self._stream.take(self._address, _TAKE_S)

    async def _begin(self, entry: Entry) -> None:
        """Begins a job, or gives it back."""
        try:
            job = Job.model_validate_json(entry.job)
        except ValidationError as error:
            _log.warning("a job is malformed: %s", error.errors(include_url=False, include_input=False)[0])
            await self._finish(entry)
            return
        if entry.age_ms > _MAX_AGE_MS:
            await self._finish(entry)
            return
        if (running := self._running.get((job.reply, job.id))) is not None:
            # It was added a second time, since it was lost in a restart of the bus.
            running.entry = entry
            return
        if self._is_stopping or not self._free:
            self._send(job.reply, JobDone(id=job.id, returned=True))
            await self._finish(entry)
            return
        now_s = asyncio.get_running_loop().time()
        running = _Running(entry, job, self._search_of(job, entry.age_ms, now_s), begun_s=now_s)
        self._running[job.reply, job.id] = running
        process = self._free.pop()
        if not self._free:
            self._has_place.clear()
        self._spawn(self._carry_out(running, process))
        if running.is_announced:
            self._announce()

    def _search_of(self, job: Job, age_ms: float, now_s: float) -> Search:
        """Returns the search of a job."""
        body: dict[str, Any] = {**job.position.model_dump(), "id": next(self._number), "kind": job.kind}
        if job.kind == "play":
            # The clock has run since the job was added.
            left_ms = None if job.left_ms is None else max(job.left_ms - int(age_ms), 0)
            body |= {"level": job.level, "seed": job.seed, "left_ms": left_ms}
        else:
            body["lines"] = job.lines
        kind = SearchKind.OPPONENT if job.kind == "play" else SearchKind.ANALYSIS
        return Search(kind, body, Owner(job.reply, job.reply), job.cost_ms, job.time_ms, queued_s=now_s)

    async def _carry_out(self, running: _Running, process: EngineProcess) -> None:
        """Carries out a job, and answers it."""
        time, job, search = asyncio.get_running_loop().time, running.job, running.search
        answers: list[dict[str, Any]] = []

        def report(answer: dict[str, Any]) -> None:
            if is_last(answer):
                answers.append(answer)
            elif job.kind == "analyse":
                self._send(job.reply, JobReport(id=job.id, report=_report_of(answer)))

        rest_s = 0.0
        try:
            await process.start()
            running.begun_s = time()
            await process.search(search.request(running.begun_s), search.timeout_s, running.stop, report)
            done = _done_of(job, answers[0])
        except Exception as error:  # a job that was kept and not answered would wait for ever
            _log.warning("an engine worker was ended: %s: %s", type(error).__name__, error)
            await process.end()
            done, rest_s = JobDone(id=job.id, error="engine_died"), _RESTART_S
        facts = {"spent_ms": running.spent_ms(time()), "paused": running.stop.is_set()}
        self._send(job.reply, done.model_copy(update=facts))
        del self._running[job.reply, job.id]
        if running.is_announced:
            self._announce()
        await self._finish(running.entry)
        await asyncio.sleep(rest_s)
        self._free.append(process)
        self._has_place.set()

    async def _finish(self, entry: Entry) -> None:
        """Acknowledges a job. If that fails, another engine worker carries it out for nobody."""
        try:
            await self._stream.finish(entry.id)
        except StreamError as error:
            _log.debug("a job could not be acknowledged: %s", error)

    # Announcements

    async def _keep_regularly(self) -> None:
        while True:
            await asyncio.sleep(_BEAT_S)
            await self.keep()

    async def keep(self) -> None:
        """Announces itself, and shows that it still carries out its jobs. Called every second."""
        self._announce()
        entries = [running.entry.id for running in self._running.values()]
        try:
            await self._stream.keep(self._address, entries)
        except StreamError as error:
            _log.debug("jobs could not be kept: %s", error)

    def _announce(self) -> None:
        searches = [
            LongSearch(
                id=running.job.id,
                reply=running.job.reply,
                kind=running.job.kind,
                cost_ms=running.search.cost_ms,
                can_pause=running.search.can_pause and not running.stop.is_set(),
            )
            for running in self._running.values()
            if running.is_announced
        ]
        self._send(ALL, Engine(places=len(self._processes), searches=searches))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _report_of(answer: dict[str, Any]) -> SearchReport:
    return SearchReport(**{name: answer[name] for name in SearchReport.model_fields})


def _done_of(job: Job, answer: dict[str, Any]) -> JobDone:
    """Returns the answer to a job from that of the engine process."""
    if "error" in answer:
        return JobDone(id=job.id, error=answer["error"])
    if "move" in answer:
        return JobDone(id=job.id, move=answer["move"])
    return JobDone(id=job.id, report=_report_of(answer))
