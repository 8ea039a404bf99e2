"""Charges requests by the processor time they cost; addresses and visitors wait, or have turns."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Receive, Scope, Send

from hnefi.server.http.admission import plays
from hnefi.server.http.rate_limits import RateLimit, address_of, buckets, owner_of
from hnefi.server.http.visitors import visitor_of
from hnefi.server.processor_time import Cost, Meter
from hnefi.server.refusals import TooManyRequests
from hnefi.workers.fair_queue import FairQueue, Owner
from hnefi.workers.worker import AsyncWorker

_OVERHEAD_MS = 0.3
"""What a request costs outside the application, mostly in uvicorn."""

_RESERVED_MS = 5.0
"""What is reserved for a request until its cost is known."""

_AT_ONCE_S, _POLL_S = 0.06, 0.002
_MOST_WAITING = 64
_ESTIMATE_MS = 10.0
"""What a turn counts for while it lasts, so that others go first."""


class Charging:
    """Middleware that charges every request for its processor time, and slows down addresses.

    With a busy event loop the moves of others are late, long before anybody has used up the share of minutes.
    So an address has a second, short-term share. Above it requests wait, and are not refused: visitors have
    turns. Moves never wait.
    """

    def __init__(self, app: ASGIApp, limit: RateLimit, per_s: float) -> None:
        """Sets the short-term share of an address to `per_s` milliseconds per second.

        Clients in debt are refused elsewhere (`RateLimit.admit`).
        """
        self._app, self._limit = app, limit
        self._share = buckets(per_s, max(per_s * _AT_ONCE_S, _RESERVED_MS))
        self._gates = WeakValueDictionary[tuple[str, ...], asyncio.Lock]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on in its turn."""
        if not plays(scope):
            await self._wait(scope)
        share, meter = self._share(address_of(scope)), Meter(self._app(scope, receive, send))
        share.charge(_RESERVED_MS)
        try:
            await meter
        finally:
            cost_ms = meter.ms + _OVERHEAD_MS
            self._limit.charge(scope, cost_ms)
            share.charge(cost_ms - _RESERVED_MS)

    async def _wait(self, scope: Scope) -> None:
        """Waits until the address has a share again. Of each visitor one request waits in the queue."""
        address = address_of(scope)
        async with self._gate(address, visitor_of(scope) or ""), self._gate(address):
            while (wait_s := self._share(address).wait_s()) > 0:
                # A request that runs may turn out to be cheaper than what is reserved for it.
                await asyncio.sleep(min(wait_s, _POLL_S))

    def _gate(self, *key: str) -> asyncio.Lock:
        return self._gates.setdefault(key, asyncio.Lock())


class ChargedTurns:
    """Turns for which clients are charged: addresses and visitors are served by what their requests cost.

    Nobody in debt has a turn: neither before waiting nor after it, so that a client owes one request at most.
    """

    def __init__(self, limit: RateLimit, *, most_waiting: int = _MOST_WAITING, most_running: int = 1) -> None:
        """Creates an empty queue with a limit in milliseconds.

        At most `most_waiting` requests of an address wait, and `most_running` have a turn at the same time.
        """
        self.limit, self._most_waiting, self._free = limit, most_waiting, most_running
        self._queue = FairQueue[asyncio.Future[None]]()
        self._waiting = Counter[str]()

    @property
    def queued(self) -> int:
        """How many requests wait for their turn."""
        return len(self._queue)

    @contextlib.asynccontextmanager
    async def turn(self, scope: Scope) -> AsyncIterator[Cost]:
        """Waits for a turn, which lasts as long as the block, and charges the cost that the block measures.

        Raises:
            TooManyRequests: If the client is in debt, or too many requests of its address wait.
        """
        self.limit.admit(scope)
        owner, cost = owner_of(scope), Cost()
        if self._waiting[owner.address] >= self._most_waiting:
            raise TooManyRequests("too_many_requests")
        await self._begin(owner)
        try:
            self.limit.admit(scope)
            yield cost
        finally:
            self._end(owner, cost.ms)
            self.limit.charge(scope, cost.ms)

    async def _begin(self, owner: Owner) -> None:
        begins = asyncio.get_running_loop().create_future()
        self._queue.put(begins, owner, _ESTIMATE_MS)
        self._begin_next()
        self._waiting[owner.address] += 1
        try:
            await begins
        except asyncio.CancelledError:
            if not self._queue.discard(begins, owner):
                self._end(owner, 0.0)
            raise
        finally:
            self._waiting[owner.address] -= 1
            if not self._waiting[owner.address]:
                del self._waiting[owner.address]

    def _begin_next(self) -> None:
        if self._free and (begins := self._queue.take()) is not None:
            self._free -= 1
            if not begins.cancelled():
                begins.set_result(None)

    def _end(self, owner: Owner, cost_ms: float) -> None:
        self._queue.finish(owner, _ESTIMATE_MS, cost_ms)
        self._free += 1
        self._begin_next()


class ChargedWorker(ChargedTurns):
    """A worker process whose jobs run in charged turns."""

    def __init__(self, worker: AsyncWorker, limit: RateLimit) -> None:
        super().__init__(limit)
        self._worker = worker
        self.prepare, self.stop = worker.prepare, worker.stop

    async def run(self, job: object, scope: Scope, *, is_free: bool = False) -> Any:
        """Returns the answer to a job, and charges the client of a request for it, unless it is free.

        Raises:
            TooManyRequests: As `turn`.
            HnefiError: If the job failed; `engine_busy` if it takes too long.
        """
        async with self.turn(scope) as cost:
            try:
                return await self._worker.run(job)
            finally:
                cost.ms = 0.0 if is_free else self._worker.cost_ms
