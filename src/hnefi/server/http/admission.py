"""Admits at most four new requests per event-loop iteration, so that a burst cannot delay moves."""

import asyncio
from collections import deque

from starlette.types import Scope

_PER_ITERATION, _FIRST_PER_ITERATION = 4, 3
_FIRST = ("/moves", "/commands")
"""The ends of the paths of requests that play a game."""


def plays(scope: Scope) -> bool:
    """Checks whether a request plays a game."""
    return scope.get("method") == "POST" and str(scope["path"]).endswith(_FIRST)


class Admission:
    """Admits few requests and connections per event-loop iteration; the rest wait in order.

    Requests that play a game go before all others; one place of each iteration is left to those.

    Accepting a connection takes about half a millisecond: a thousand that reconnect at the same moment would
    delay all moves by half a second.
    """

    def __init__(self) -> None:
        self._admitted = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._first: deque[asyncio.Future[None]] = deque()
        self._is_due = False

    async def admit(self, scope: Scope) -> None:
        """Waits, unless this iteration may admit more."""
        loop = asyncio.get_running_loop()
        if not self._is_due:
            self._is_due = True
            loop.call_soon(self._next_iteration, loop)
        if self._admitted < _PER_ITERATION:
            self._admitted += 1
            return
        waiting = loop.create_future()
        (self._first if plays(scope) else self._waiting).append(waiting)
        await waiting

    def _next_iteration(self, loop: asyncio.AbstractEventLoop) -> None:
        self._admitted = 0
        for queue, most in (
            (self._first, _FIRST_PER_ITERATION),
            (self._waiting, _PER_ITERATION),
            (self._first, _PER_ITERATION),
        ):
            while queue and self._admitted < most:
                waiting = queue.popleft()
                if not waiting.done():
                    waiting.set_result(None)
                    self._admitted += 1
        self._is_due = self._admitted > 0
        if self._is_due:
            loop.call_soon(self._next_iteration, loop)
