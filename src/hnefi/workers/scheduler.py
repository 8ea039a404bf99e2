"""The scheduler of searches: which one begins next, and which one is paused for it.

Opponents come before analyses. Among either, addresses and visitors are served in turns, by the time that
their searches take; a search limited by time is paused while shorter ones of others wait.
"""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator

from hnefi._core import CalledGame, Game, Move
from hnefi.errors import EngineError
from hnefi.workers.fair_queue import FairQueue, Owner
from hnefi.workers.searches import SHORT_MS, AnalysisReport, Queued, Search, SearchKind

_MAX_QUEUE = 64
_QUEUE_REPORT_S = 0.1


class SearchScheduler(ABC):
    """Searches that wait, and searches that run. A subclass has the places in which they run."""

    def __init__(self) -> None:
        self.per_address = 8
        """How many analyses of one address run or wait at the same time."""

        self._queues = {kind: FairQueue[Search]() for kind in SearchKind}
        self._number = itertools.count(1)
        self._analyses: dict[str, Search] = {}
        self._running: dict[int, Search] = {}
        """The searches that have a place, by id."""

    def __len__(self) -> int:
        """Counts the queued searches."""
        return sum(len(queue) for queue in self._queues.values())

    # The places

    @property
    @abstractmethod
    def places(self) -> int:
        """How many searches can be carried out at the same time, also for others."""

    @property
    @abstractmethod
    def _has_place(self) -> bool:
        """Whether one more search may begin."""

    @property
    @abstractmethod
    def _most_long(self) -> int:
        """How many long searches may run at the same time; other places are kept free for short ones."""

    @abstractmethod
    def _begin(self, search: Search) -> None:
        """Begins a search in a free place; `_finish` has to follow."""

    # Requests

    async def choose(
        self, game: CalledGame, strength: int, seed: str, left_ms: int | None, owner: Owner
    ) -> Move:
        """Chooses a move for a computer opponent; see `Opponents`."""
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
        self, game: Game, *, lines: int, time_ms: int, visitor: str, address: str
    ) -> AsyncGenerator[AnalysisReport | Queued]:
        """Analyses a game until the iteration is closed. A visitor's new analysis ends the one before.

        Raises:
            EngineError: `too_many_analyses`, `engine_busy`.
        """
        search = Search.for_analysis(game, lines, time_ms, Owner(address, visitor))
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
            if self._analyses.get(visitor) is search:
                del self._analyses[visitor]

    def check(self, visitor: str, address: str) -> None:
        """Checks that an analysis is admitted. Called before everything else, so that refusals cost little.

        Raises:
            EngineError: `too_many_analyses`, `engine_busy`.
        """
        # An analysis of the same visitor would be superseded.
        owners = [search.owner for search in self._analyses.values()]
        others = sum(owner.address == address and owner.visitor != visitor for owner in owners)
        if others >= self.per_address:
            raise _refusal("too_many_analyses", self.per_address)
        if visitor not in self._analyses and len(self._queues[SearchKind.ANALYSIS]) >= _MAX_QUEUE:
            raise _refusal("engine_busy", _MAX_QUEUE)

    def _admit(self, search: Search) -> None:
        """Admits an analysis, superseding the visitor's last one, or refuses it."""
        self.check(search.owner.visitor, search.owner.address)
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
        """Begins searches as long as there are places."""
        while self._has_place and (search := self._take()) is not None:
            search.charged_ms = search.cost_ms
            self._running[search.body["id"]] = search
            self._begin(search)

    def _take(self) -> Search | None:
        """Takes the next search that may begin from the queues."""
        most_ms = None if self._long_running() < self._most_long else SHORT_MS
        for queue in self._queues.values():
            if (search := queue.take(most_ms)) is not None:
                return search
        return None

    def _abandon(self, search: Search) -> None:
        """Removes a search from the queue, or interrupts it."""
        search.abandon()
        self._queues[search.kind].discard(search, search.owner)

    def _pause_for(self, search: Search) -> None:
        """Pauses a longer search of lower precedence, since there is no place for a new one."""
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

    def _long_running(self) -> int:
        return sum(1 for search in self._running.values() if not search.is_short)

    def _finish(self, search: Search, spent_ms: float, *, is_returned: bool = False) -> None:
        """Charges a search by the time it took, and begins others.

        Args:
            is_returned: Whether it has to begin anew. A paused search is continued in any case.
        """
        del self._running[search.body["id"]]
        search.interrupt = None
        self._queues[search.kind].finish(search.owner, search.charged_ms, spent_ms)
        if search.is_paused:
            search.continue_later(spent_ms)
            is_returned = True
        if is_returned and not search.is_abandoned:
            self._queue(search)
        else:
            self._dispatch()


def _refusal(code: str, limit: int) -> EngineError:
    return EngineError(code, f"{code}: limit={limit}", {"limit": str(limit)})
