"""Rate-limits requests; of expensive ones, bounds how many run at once, and the queue."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import Request
from starlette.types import Scope

from hnefi.server.http.guard import address_of
from hnefi.server.http.rate_limits import Buckets, VisitorBuckets
from hnefi.server.http.visitors import visitor_of
from hnefi.server.refusals import TooManyRequests

__all__ = ["RateLimit", "Throttle"]


class RateLimit:
    """The rate limit of one kind of request, by visitor and by address."""

    def __init__(self, code: str, per_s: float, burst: float) -> None:
        """Creates a rate limit.

        Args:
            code: The code of the refusal.
            per_s: How many requests a visitor may send per second in the long run.
            burst: How many it may send at once. An address has five times as much of both.
        """
        self._code = code
        self._buckets = VisitorBuckets(per_s, burst)

    def charge(self, scope: Scope) -> None:
        """Counts a request, or a message on the connection of this scope.

        Raises:
            TooManyRequests: With the code, if its visitor or address sends too many.
        """
        if not self._buckets.take(visitor_of(scope), address_of(scope)):
            raise TooManyRequests(self._code, self._code)


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
        if not self._buckets.take(address_of(request.scope)):
            raise TooManyRequests(self._code, self._code)

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
