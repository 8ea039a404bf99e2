"""Values that are computed once, in a thread, when a request first needs them."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """A value that takes too long for the start of the server and for the event loop."""

    def __init__(self, compute: Callable[[], T]) -> None:
        """Creates it; `compute` is called in a thread, for the first request."""
        self._compute = compute
        self._task: asyncio.Task[T] | None = None

    async def value(self) -> T:
        """Returns the value; raises what computing it raised, and the next request computes it again."""
        if self._task is None or (self._task.done() and self._failed(self._task)):
            self._task = asyncio.get_running_loop().create_task(asyncio.to_thread(self._compute))
        return await asyncio.shield(self._task)

    @staticmethod
    def _failed(task: asyncio.Task[T]) -> bool:
        return task.cancelled() or task.exception() is not None
