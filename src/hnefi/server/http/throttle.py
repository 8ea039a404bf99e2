"""Rate-limits requests: of expensive ones, bounds how many run at once, and the queue."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import Request

from hnefi.server.http.rate_limits import Buckets, address_of
from hnefi.server.refusals import TooManyRequests

__all__ = ["Throttle"]


class Throttle:
    """The rate limit and the queue of one kind of request."""

    def __init__(
        self, code: str, per_s: float, burst: float, *, max_running: int = 1, max_queue: int = 16
    ) -> None:
        """Creates a throttle with an empty queue.

        Args:
            code: The code of the refusal.
            per_s: How many requests an address may send per second in the long run.
            burst: How many it may send at once.
            max_running: How many requests run at once.
            max_queue: How many requests run or wait.
        """
        self._code = code
        self._buckets = Buckets(per_s, burst)
        self._running = asyncio.Semaphore(max_running)
        self._max_queue = max_queue
        self._queued = 0

    @property
    def queued(self) -> int:
        """How many requests run or wait."""
        return self._queued

    def admit(self, request: Request) -> None:
        """Counts a request.

        Raises:
            TooManyRequests: With the code, if its address sends too many.
        """
        bucket = self._buckets.bucket(address_of(request.scope))
        if not bucket.take():
            raise TooManyRequests(self._code, self._code, bucket.wait_s(1.0))

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Waits for a slot, which lasts as long as the block.

        Raises:
            TooManyRequests: With the code, if the queue is full.
        """
        if self._queued >= self._max_queue:
            raise TooManyRequests(self._code, self._code)
        self._queued += 1
        try:
            async with self._running:
                yield
        finally:
            self._queued -= 1
