"""The engine pool: worker processes that play for computer opponents and analyse.

Opponents come before analyses. Among either, addresses and visitors are served in turns, by the time that
their searches take; a search limited by time is paused while shorter ones of others wait.
"""

import asyncio
import itertools
import logging
from collections.abc import AsyncGenerator
from typing import Any

from hnefi._core import CalledGame, Game, Move
from hnefi.errors import EngineError
from hnefi.workers.engine_process import EngineProcess
from hnefi.workers.fair_queue import FairQueue, Owner
from hnefi.workers.searches import SHORT_MS, AnalysisReport, Queued, Search, SearchKind

_log = logging.getLogger(__name__)
_MAX_QUEUE = 64
_QUEUE_REPORT_S = 0.1
_RESTART_S = 1.0


class EnginePool:
    """Engines in worker processes, and the searches that wait for them.

    A crash of a worker does not affect games.

    Attributes:
        places: How many searches can be carried out at the same time.
    """

    def __init__(self, workers: int, memory_mib: int) -> None:
        """Creates a pool; `start` starts it, and each process starts with its first search."""
        self.per_address = 8
        """How many analyses of one address run or wait at the same time."""
        self._queues = {kind: FairQueue[Search]() for kind in SearchKind}
        self._number = itertools.count(1)
        self._analyses: dict[str, Search] = {}
        self._running: dict[int, Search] = {}
        """The searches that have a process, by id."""
        self.places = workers
        self._processes = [EngineProcess(memory_mib) for _ in range(workers)]
        self._free: list[EngineProcess] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """Counts the queued searches."""
        return sum(len(queue) for queue in self._queues.values())

    async def start(self) -> None:
        """Starts to take searches; a process is started with its first one."""
        self._free = self._processes[::-1]
        self._dispatch()

    async def stop(self) -> None:
        """Ends all processes."""
        self._free.clear()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(process.end() for process in self._processes))

    # Requests

    async def choose(
        self, game: CalledGame, strength: int, seed: str, left_ms: int | None, owner: Owner
    ) -> Move:
        """Chooses a move for a computer opponent.

        `strength` is its level, 1 to 10; `left_ms` is the time left on its clock, None without a clock.
        `owner` is charged for the search.

        Raises:
            EngineError: If no move could be found.
        """
        search = Search.for_opponent(game, strength, seed, left_ms, owner)
        self._put(search)
        try:
            answer = await search.answers.get()
        except asyncio.CancelledError:
            self._abandon(search)
            raise
        if "error" in answer:
            raise EngineError(str(answer["error"]), f"engine: {answer['error']}")
        return Move(str(answer["move"]))

    async def analyse(
        self, game: Game, *, lines: int, time_ms: int, owner: Owner
    ) -> AsyncGenerator[AnalysisReport | Queued]:
        """Analyses a game until the iteration is closed. A visitor's new analysis ends the one before.

        Raises:
            EngineError: `too_many_analyses`, `engine_busy`.
        """
        search = Search.for_analysis(game, lines, time_ms, owner)
        self._admit(search)
        self._put(search)
        waiting = asyncio.ensure_future(search.answers.get())
        try:
            await asyncio.wait((waiting,), timeout=_QUEUE_REPORT_S)
            if not waiting.done() and (position := self._position_of(search)) > 0:
                yield Queued(position=position)
            while True:
                answer = await waiting
                waiting = asyncio.ensure_future(search.answers.get())
                if "error" in answer:
                    raise EngineError(str(answer["error"]), f"engine: {answer['error']}")
                yield AnalysisReport(**{name: answer[name] for name in AnalysisReport.__slots__})
                if answer["final"]:
                    return
        finally:
            waiting.cancel()
            self._abandon(search)
            if self._analyses.get(owner.visitor) is search:
                del self._analyses[owner.visitor]

    def check(self, owner: Owner) -> None:
        """Checks that an analysis is admitted. Called before everything else, so that refusals cost little.

        Raises:
            EngineError: `too_many_analyses`, `engine_busy`.
        """
        # An analysis of the same visitor would be superseded.
        owners = [search.owner for search in self._analyses.values()]
        others = sum(one.address == owner.address and one.visitor != owner.visitor for one in owners)
        if others >= self.per_address:
            raise EngineError.of_facts("too_many_analyses", limit=self.per_address)
        if owner.visitor not in self._analyses and len(self._queues[SearchKind.ANALYSIS]) >= _MAX_QUEUE:
            raise EngineError.of_facts("engine_busy", limit=_MAX_QUEUE)

    def _admit(self, search: Search) -> None:
        """Admits an analysis, superseding the visitor's last one, or refuses it."""
        self.check(search.owner)
        before = self._analyses.get(search.owner.visitor)
        if before is not None:
            self._abandon(before)
            before.fail("superseded")
        self._analyses[search.owner.visitor] = search

    def _position_of(self, search: Search) -> int:
        """Returns the place of an analysis in the queue by its arrival, 0 if it is not queued."""
        number = search.body["id"]
        if number in self._running or search.is_abandoned:
            return 0
        waiting = [one.body["id"] for one in self._analyses.values() if not one.is_abandoned]
        ahead = sum(1 for one in waiting if one < number and one not in self._running)
        return len(self._queues[SearchKind.OPPONENT]) + ahead + 1

    # Turns

    def _put(self, search: Search) -> None:
        search.body["id"] = next(self._number)
        search.queued_s = asyncio.get_running_loop().time()
        self._queue(search)

    def _queue(self, search: Search) -> None:
        self._queues[search.kind].put(search, search.owner, search.cost_ms)
        self._dispatch()
        if search.body["id"] not in self._running:
            self._pause_for(search)

    def _dispatch(self) -> None:
        """Begins searches as long as there are free processes."""
        while self._free and (search := self._take()) is not None:
            search.charged_ms = search.cost_ms
            self._running[search.body["id"]] = search
            self._begin(search)

    def _take(self) -> Search | None:
        """Takes the next search that may begin from the queues."""
        # The last of several processes is kept free for short searches.
        long = sum(not search.is_short for search in self._running.values())
        most_ms = None if long < max(self.places - 1, 1) else SHORT_MS
        for queue in self._queues.values():
            if (search := queue.take(most_ms)) is not None:
                return search
        return None

    def _abandon(self, search: Search) -> None:
        """Removes a search from the queue, or interrupts it."""
        search.abandon()
        self._queues[search.kind].discard(search, search.owner)

    def _pause_for(self, search: Search) -> None:
        """Pauses a longer search of lower precedence, since there is no process for a new one."""
        running = self._running.values()
        if any(one.is_paused for one in running):
            return
        longer = [
            one
            for one in running
            if one.can_pause and one.cost_ms > search.cost_ms and self._goes_before(search, one)
        ]
        if longer:
            max(longer, key=lambda one: (one.kind, one.cost_ms)).pause()

    def _goes_before(self, search: Search, other: Search) -> bool:
        if search.kind != other.kind:
            return search.kind < other.kind
        return self._queues[search.kind].precedes(search.owner, other.owner)

    def _finish(self, search: Search, spent_ms: float) -> None:
        """Charges a search by the time it took, and begins others; a paused one is continued later."""
        del self._running[search.body["id"]]
        search.interrupt = None
        self._queues[search.kind].finish(search.owner, search.charged_ms, spent_ms)
        if search.is_paused and not search.is_abandoned:
            search.continue_later(spent_ms)
            self._queue(search)
        else:
            self._dispatch()

    # Processes

    def _begin(self, search: Search) -> None:
        stop = asyncio.Event()
        search.interrupt = stop.set
        task = asyncio.get_running_loop().create_task(self._run(search, self._free.pop(), stop))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, search: Search, process: EngineProcess, stop: asyncio.Event) -> None:
        """Carries out a search."""
        time = asyncio.get_running_loop().time
        begun_s, rest_s = time(), 0.0

        def report(answer: dict[str, Any]) -> None:
            search.report(answer, (time() - begun_s) * 1000)

        try:
            await process.start()
            begun_s = time()
            await process.search(search.request(begun_s), search.timeout_s, stop, report)
        except EngineProcess.ERRORS as error:
            _log.warning("an engine worker was ended: %s: %s", type(error).__name__, error)
            await process.end()
            search.is_paused = False
            if not search.is_abandoned:
                search.fail("engine_died")
                rest_s = _RESTART_S
        if not rest_s:
            self._free.append(process)
        self._finish(search, (time() - begun_s) * 1000)
        if rest_s:
            await asyncio.sleep(rest_s)
            self._free.append(process)
            self._dispatch()
