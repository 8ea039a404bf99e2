"""Work that is done once for all clients that need it at the same time, and whose results are cached."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

from hnefi.server.refusals import TooManyRequests

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class CachedWork(Generic[K, V]):
    """Work in progress by its keys, and the results that were used last.

    Attributes:
        size: The sizes of the cached results together.
    """

    def __init__(self, most: int, size_of: Callable[[K, V], int] = lambda *_: 1) -> None:
        """Creates it without work; all cached results together are at most as large as `most`."""
        self._most, self._size_of = most, size_of
        self._cached: OrderedDict[K, V] = OrderedDict()
        self._running: dict[K, asyncio.Task[V]] = {}
        self.size = 0

    @property
    def running(self) -> int:
        """How many results are being worked at."""
        return len(self._running)

    async def result(self, key: K, work: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Returns a result: a cached one, that of work in progress, or that of new work.

        Raises:
            TooManyRequests: If the client of this work is refused.
            HnefiError: If the work failed.
        """
        if key in self._cached:
            self._cached.move_to_end(key)
            return self._cached[key]
        task = self._running.get(key)
        if is_first := task is None:
            task = self._running[key] = asyncio.get_running_loop().create_task(work())
            task.add_done_callback(lambda done: self._end(key, done))
        try:
            # A client that goes away does not take the result from the others.
            return await asyncio.shield(task)
        except TooManyRequests:
            # Another client has been refused; this one has not been yet.
            if is_first:
                raise
            return await self.result(key, work)

    def _end(self, key: K, task: asyncio.Task[V]) -> None:
        """Caches a result, and drops those that were not used for longest."""
        del self._running[key]
        # The exception is taken, since nobody may wait for it any more.
        if task.cancelled() or task.exception() is not None:
            return
        self._cached[key] = task.result()
        self.size += self._size_of(key, task.result())
        while self.size > self._most:
            self.size -= self._size_of(*self._cached.popitem(last=False))

    async def stop(self) -> None:
        """Cancels work in progress."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
