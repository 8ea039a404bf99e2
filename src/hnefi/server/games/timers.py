"""Timers: the deadlines of loaded games and of the next hour, in one heap."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable

from hnefi.server.games.time import Time

_SLACK = 64


class Timers:
    """Reports games whose deadline has passed. One task serves all of them."""

    def __init__(self, time: Time, on_deadline: Callable[[str], Awaitable[None]]) -> None:
        """Creates an empty set of timers.

        Args:
            time: The source of time.
            on_deadline: Called with a game whose deadline has passed.
        """
        self._time = time
        self._on_deadline = on_deadline
        self._heap: list[tuple[int, str]] = []
        self._deadlines: dict[str, int] = {}
        self._changed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._deadlines)

    def has_deadline(self, game: str) -> bool:
        """Checks whether a game has a deadline."""
        return game in self._deadlines

    def set(self, game: str, deadline_us: int | None) -> None:
        """Sets or removes the deadline of a game."""
        if deadline_us is None:
            self._deadlines.pop(game, None)
            return
        self._deadlines[game] = deadline_us
        heapq.heappush(self._heap, (deadline_us, game))
        if self._heap[0] == (deadline_us, game):
            self._changed.set()
        if len(self._heap) > 2 * len(self._deadlines) + _SLACK:
            self._heap = [(deadline, game) for game, deadline in self._deadlines.items()]
            heapq.heapify(self._heap)

    def keep(self, is_kept: Callable[[str], bool]) -> None:
        """Removes the deadlines of all other games."""
        self._deadlines = {game: due_us for game, due_us in self._deadlines.items() if is_kept(game)}

    def next_us(self) -> int | None:
        """Returns the next deadline, None if there is none."""
        while self._heap and self._deadlines.get(self._heap[0][1]) != self._heap[0][0]:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    async def run(self) -> None:
        """Waits for deadlines forever."""
        while True:
            for game in self._take_due():
                await self._on_deadline(game)
            self._changed.clear()
            await self._wait(self.next_us())

    def _take_due(self) -> list[str]:
        """Removes the games whose deadline has passed from the heap, and returns them."""
        now_us, due = self._time.now_us(), []
        while (deadline_us := self.next_us()) is not None and deadline_us <= now_us:
            due.append(heapq.heappop(self._heap)[1])
            del self._deadlines[due[-1]]
        return due

    async def _wait(self, until_us: int | None) -> None:
        if until_us is None:
            await self._changed.wait()
            return
        waits = (
            asyncio.ensure_future(self._changed.wait()),
            asyncio.ensure_future(self._time.sleep_until(until_us)),
        )
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
