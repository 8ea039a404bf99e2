"""Charges requests by the processor time they cost; addresses and visitors wait, or have turns."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Receive, Scope, Send

from hnefi.server.http.admission import plays
from hnefi.server.http.rate_limits import Buckets, RateLimit, address_of
from hnefi.server.http.visitors import visitor_of
from hnefi.server.processor_time import Meter
from hnefi.server.refusals import TooManyRequests
from hnefi.workers.fair_queue import FairQueue, Owner

__all__ = ["ChargedTurns", "Charging", "FairTurns", "Turn"]

_OVERHEAD_MS = 0.3
"""What a request costs outside the application, mostly in uvicorn."""

_RESERVED_MS = 5.0
"""What is reserved for a request until its cost is known."""

_AT_ONCE_S, _POLL_S = 0.06, 0.002


class Charging:
    """Middleware that charges every request for its processor time, and slows down addresses.

    With a busy event loop the moves of others are late, long before anybody has used up the share of minutes.
    So an address has a second, short-term share. Above it requests wait, and are not refused: visitors have
    turns. Moves never wait.
    """

    def __init__(self, app: ASGIApp, limit: RateLimit, per_s: float) -> None:
        """Wraps an application.

        Args:
            app: The application.
            limit: What is charged. Clients in debt are refused elsewhere (`RateLimit.admit`).
            per_s: The short-term share of an address, in milliseconds per second.
        """
        self._app, self._limit = app, limit
        self._shares = Buckets(per_s, max(per_s * _AT_ONCE_S, _RESERVED_MS))
        self._gates = WeakValueDictionary[tuple[str, ...], asyncio.Lock]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on in its turn."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if not plays(scope):
            await self._wait(scope)
        share, meter = self._shares.bucket(address_of(scope)), Meter(self._app(scope, receive, send))
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
            while (wait_s := self._shares.bucket(address).wait_s()) > 0:
                # A request that runs may turn out to be cheaper than what is reserved for it.
                await asyncio.sleep(min(wait_s, _POLL_S))

    def _gate(self, *key: str) -> asyncio.Lock:
        return self._gates.setdefault(key, asyncio.Lock())


@dataclass(slots=True)
class Turn:
    """A turn in progress.

    Attributes:
        cost: What it costs; an estimate until the block sets it.
    """

    cost: float


class FairTurns:
    """Lets one request run at a time; addresses and visitors have turns by what their requests cost."""

    def __init__(self, code: str, *, most_waiting: int) -> None:
        """Creates an empty queue.

        Args:
            code: The code of the refusal.
            most_waiting: How many requests of an address wait.
        """
        self._code, self._most_waiting = code, most_waiting
        self._queue = FairQueue[asyncio.Future[None]]()
        self._waiting = Counter[str]()
        self._is_busy = False

    @property
    def queued(self) -> int:
        """How many requests wait for their turn."""
        return len(self._queue)

    @contextlib.asynccontextmanager
    async def turn(self, scope: Scope, estimate: float) -> AsyncIterator[Turn]:
        """Waits for a turn, which lasts as long as the block.

        Raises:
            TooManyRequests: With the code, if too many requests of the address wait.
        """
        address = address_of(scope)
        if self._waiting[address] >= self._most_waiting:
            raise TooManyRequests(self._code, self._code)
        owner, turn = Owner(address, visitor_of(scope) or address), Turn(estimate)
        begins = asyncio.get_running_loop().create_future()
        self._queue.put(begins, owner, estimate)
        self._begin_next()
        self._waiting[address] += 1
        try:
            await begins
        except asyncio.CancelledError:
            if not self._queue.discard(begins, owner):
                self._end(owner, estimate, 0.0)
            raise
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]
        try:
            yield turn
        finally:
            self._end(owner, estimate, turn.cost)

    def _begin_next(self) -> None:
        if not self._is_busy and (begins := self._queue.take()) is not None:
            self._is_busy = True
            if not begins.cancelled():
                begins.set_result(None)

    def _end(self, owner: Owner, estimate: float, cost: float) -> None:
        self._queue.finish(owner, estimate, cost)
        self._is_busy = False
        self._begin_next()


class ChargedTurns:
    """Turns for which clients are charged: nobody in debt has one."""

    def __init__(self, limit: RateLimit, turns: FairTurns) -> None:
        """Combines a limit with the turns that are charged to it."""
        self._limit, self._turns = limit, turns

    @property
    def queued(self) -> int:
        """How many requests wait for their turn."""
        return self._turns.queued

    @contextlib.asynccontextmanager
    async def turn(self, scope: Scope, estimate: float) -> AsyncIterator[Turn]:
        """Waits for a turn as `FairTurns.turn`, and charges its cost if the block ends without an error.

        Raises:
            TooManyRequests: If the client is in debt, or too many of its requests wait.
        """
        self._limit.admit(scope)
        async with self._turns.turn(scope, estimate) as turn:
            yield turn
        self._limit.charge(scope, turn.cost)
