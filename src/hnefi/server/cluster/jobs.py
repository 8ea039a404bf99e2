"""Searches that engine workers elsewhere carry out: the stand-in for an `EnginePool`.

Turns, pauses and limits are those of the scheduler, in this process. Only as many jobs are in the stream as
engine workers have places, so that the order of the stream decides nothing.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

from hnefi.server.cluster.bus_model import BusModel
from hnefi.server.cluster.job_messages import (
    Engine,
    Job,
    JobDone,
    JobPosition,
    JobReport,
    LongSearch,
    Pause,
    SearchReport,
)
from hnefi.server.cluster.messages import Leaving
from hnefi.server.cluster.streams import EntryId, Stream, StreamError
from hnefi.server.cluster.tasks import end_tasks
from hnefi.workers.scheduler import SearchScheduler
from hnefi.workers.searches import Search, SearchKind

__all__ = ["JobStream"]

_log = logging.getLogger(__name__)

_CHECK_S = 1.0
_RETRY_S = 0.1
_ABSENT_CHECKS = 4
"""After so many checks without an announcement an engine worker is gone."""

_KINDS = {"play": SearchKind.OPPONENT, "analyse": SearchKind.ANALYSIS}


@dataclass(eq=False, slots=True)
class _Sent:
    """A search that was added to the stream.

    Attributes:
        number: The id of the job.
        search: The search.
        begun_s: When it was given its place.
        entry: Its entry in the stream, None while it is being added.
        is_missing: Whether the entry was missing at the last check, though there was no answer.
        was_lost: Whether the job was added a second time.
    """

    number: int
    search: Search
    begun_s: float
    entry: EntryId | None = None
    is_missing: bool = False
    was_lost: bool = False


@dataclass(slots=True)
class _EngineWorker:
    """What an engine worker announced."""

    places: int
    searches: list[LongSearch]
    silent_checks: int = 0


class JobStream(SearchScheduler):
    """Carries out searches in other processes. A loss of messages, engine workers or the bus delays them.

    Attributes:
        address: The own address, for answers.
    """

    def __init__(self, stream: Stream, send: Callable[[str, BusModel], None], address: str) -> None:
        """Creates the object; `start` begins to check what was lost.

        Args:
            stream: The streams of jobs.
            send: Sends a message to an address.
            address: The own address, for answers.
        """
        super().__init__()
        self._stream = stream
        self._send = send
        self.address = address
        self._last_number = 0
        self._sent: dict[int, _Sent] = {}
        self._engines: dict[str, _EngineWorker] = {}
        self._asked: set[tuple[str, int]] = set()
        """Searches of others that were asked to pause."""

        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Starts to check what was lost."""
        self._spawn(self._check_regularly())

    async def stop(self) -> None:
        """Takes the jobs back that nobody has answered: nobody waits for them any more."""
        await end_tasks(self._tasks)
        removing = [self._remove(sent.entry) for sent in self._sent.values() if sent.entry is not None]
        for sent in self._sent.values():
            self._pause_at_engine(sent.number)
        self._sent.clear()
        await asyncio.gather(*removing)

    # Places

    @property
    def places(self) -> int:
        """How many searches all engine workers carry out at the same time."""
        return sum(engine.places for engine in self._engines.values())

    @property
    def _has_place(self) -> bool:
        # One job of each process may always wait for its turn: others could keep all places occupied.
        return self.places > 0 and len(self._running) < max(self.places - self._others, 1)

    @property
    def _most_long(self) -> int:
        # The last of several places is kept free for short searches.
        return max(self.places - 1 - self._others, 1)

    @property
    def _others(self) -> int:
        """How many long searches of other processes run."""
        return sum(1 for _, search in self._announced() if search.reply != self.address)

    def _announced(self) -> Iterator[tuple[str, LongSearch]]:
        """Iterates over the long searches of all engine workers, with the address of the engine worker."""
        for address, engine in self._engines.items():
            for search in engine.searches:
                yield address, search

    def _begin(self, search: Search) -> None:
        self._last_number += 1
        now_s = asyncio.get_running_loop().time()
        sent = self._sent[self._last_number] = _Sent(self._last_number, search, now_s)
        search.interrupt = lambda: self._interrupt(sent)
        self._spawn(self._add(sent))
        self._pause_others()

    def _pause_others(self) -> None:
        """Asks for pauses of longer searches of other processes, if there is no place for all own ones."""
        if len(self._running) + self._others <= self.places:
            return
        begun = {search.id for _, search in self._announced() if search.reply == self.address}
        for sent in self._sent.values():
            if sent.number not in begun:
                self._pause_longer(sent.search)

    def _pause_longer(self, search: Search) -> None:
        able = [
            (engine, other)
            for engine, other in self._announced()
            if other.reply != self.address
            and other.can_pause
            and other.cost_ms > search.cost_ms
            and (search.is_short or search.kind < _KINDS[other.kind])
        ]
        if able and not any((other.reply, other.id) in self._asked for _, other in able):
            engine, other = max(able, key=lambda one: (_KINDS[one[1].kind], one[1].cost_ms))
            self._asked.add((other.reply, other.id))
            self._send(engine, Pause(id=other.id, reply=other.reply))

    # The stream

    async def _add(self, sent: _Sent) -> None:
        """Adds a job to the stream, and tries again until it is there."""
        loop = asyncio.get_running_loop()
        while self._sent.get(sent.number) is sent:
            job = _job_of(sent.number, sent.search, self.address, loop.time())
            try:
                entry = await self._stream.add(
                    sent.search.kind, job.model_dump_json(exclude_none=True).encode()
                )
            except StreamError:
                await asyncio.sleep(_RETRY_S)
                continue
            if self._sent.get(sent.number) is not sent:
                # It was answered or withdrawn meanwhile.
                await self._remove(entry)
            sent.entry = entry
            return

    async def _remove(self, entry: EntryId) -> None:
        """Removes a job from the stream, if that is possible: otherwise it is carried out for nobody."""
        try:
            await self._stream.remove(entry)
        except StreamError as error:
            _log.debug("a job could not be removed: %s", error)

    async def _check_regularly(self) -> None:
        while True:
            await asyncio.sleep(_CHECK_S)
            try:
                await self.check_sent()
            except StreamError as error:
                _log.debug("jobs could not be checked: %s", error)

    async def check_sent(self) -> None:
        """Adds lost jobs again, and forgets engine workers that are silent. Called every second.

        A job is in the stream until it is answered. One that was missing twice without an answer is lost: the
        bus has restarted, or the answer did not arrive.

        Raises:
            StreamError: If the stream cannot be read.
        """
        self._forget_silent()
        self._asked.clear()
        self._pause_others()
        waiting = {sent.entry: sent for sent in self._sent.values() if sent.entry is not None}
        missing = await self._stream.missing(list(waiting)) if waiting else set()
        for entry, sent in waiting.items():
            if self._sent.get(sent.number) is not sent or sent.entry != entry:
                continue
            if entry in missing and sent.is_missing:
                _log.warning("job %s was lost, and is added again", sent.number)
                sent.entry, sent.was_lost = None, True
                self._spawn(self._add(sent))
            sent.is_missing = entry in missing and not sent.is_missing

    def _forget_silent(self) -> None:
        for address, engine in list(self._engines.items()):
            engine.silent_checks += 1
            if engine.silent_checks >= _ABSENT_CHECKS:
                _log.warning("engine worker %s is silent", address)
                del self._engines[address]

    def _interrupt(self, sent: _Sent) -> None:
        """Ends a job that was abandoned or is to be paused."""
        is_begun = self._pause_at_engine(sent.number)
        if sent.search.is_abandoned or not is_begun:
            # A search that is paused answers with its last report. Any other leaves its place at once: if an
            # engine worker has taken it meanwhile, `_on_engine` ends it there.
            self._withdraw(sent)
            spent_s = asyncio.get_running_loop().time() - sent.begun_s if is_begun else 0.0
            self._finish(sent.search, spent_s * 1000)

    def _pause_at_engine(self, number: int) -> bool:
        """Asks the engine worker that carries out a job to end it; returns False if none is known."""
        for engine, search in self._announced():
            if (search.reply, search.id) == (self.address, number):
                self._send(engine, Pause(id=number, reply=self.address))
                return True
        return False

    def _withdraw(self, sent: _Sent) -> None:
        """Removes a job for which nobody waits any more."""
        del self._sent[sent.number]
        if sent.entry is not None:
            self._spawn(self._remove(sent.entry))

    # Messages

    def receive(self, sender: str, message: BusModel) -> None:
        """Handles a message of an engine worker; ignores others."""
        match message:
            case JobReport():
                if (sent := self._sent.get(message.id)) is not None:
                    sent.search.report(_report(message.report), 0.0)
            case JobDone():
                # A second answer finds nobody who waits for it.
                if (sent := self._sent.get(message.id)) is not None:
                    self._on_done(sent, message)
            case Engine():
                self._on_engine(sender, message)
            case Leaving():
                self._engines.pop(sender, None)

    def _on_done(self, sent: _Sent, done: JobDone) -> None:
        search = sent.search
        if sent.was_lost:
            self._withdraw(sent)
        else:
            del self._sent[sent.number]
        search.is_paused = done.paused and search.left_ms is not None and done.error is None
        if done.error is not None:
            search.fail(done.error)
        elif not done.returned:
            search.report(_answer(done), done.spent_ms)
        self._finish(search, done.spent_ms, is_returned=done.returned)

    def _on_engine(self, address: str, engine: Engine) -> None:
        if address not in self._engines:
            _log.info("engine worker %s has %s places", address, engine.places)
        self._engines[address] = _EngineWorker(engine.places, engine.searches)
        for search in engine.searches:
            sent = self._sent.get(search.id) if search.reply == self.address else None
            if search.reply == self.address and (sent is None or sent.search.is_paused):
                # It was withdrawn while it began, or the message was lost.
                self._send(address, Pause(id=search.id, reply=self.address))
        self._asked &= {(search.reply, search.id) for _, search in self._announced()}
        self._dispatch()
        self._pause_others()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _job_of(number: int, search: Search, reply: str, now_s: float) -> Job:
    request = search.request(now_s)
    names = ("level", "seed", "lines", "left_ms", "time_ms", "kind")
    return Job(
        id=number,
        reply=reply,
        position=JobPosition(**{name: request[name] for name in JobPosition.model_fields}),
        cost_ms=search.cost_ms,
        **{name: request[name] for name in names if name in request},
    )


def _report(report: SearchReport) -> dict[str, Any]:
    return {**report.model_dump(), "final": False}


def _answer(done: JobDone) -> dict[str, Any]:
    """Returns the last answer as an engine process gives it."""
    if done.report is not None:
        return {**_report(done.report), "final": True}
    return {"move": done.move, "final": True} if done.move is not None else {"error": "engine_died"}
