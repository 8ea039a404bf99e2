"""Lets in what comes all at once a few at a time, so that the moves of others go on in between."""

import asyncio
from collections import deque

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Turns"]

_AT_ONCE = 4
_TAKEN_IN_TURN = ("http", "websocket")


class Turns:
    """Begins with so many requests and connections in each turn of the event loop; the others wait in order.

    To begin with a connection takes about half a millisecond: a thousand that come back at the same moment
    would hold up everybody's moves for half a second.
    """

    def __init__(self, app: ASGIApp) -> None:
        """Stands before an application."""
        self._app = app
        self._let_in = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_due = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes on what has its turn."""
        if scope["type"] in _TAKEN_IN_TURN:
            await self._turn()
        await self._app(scope, receive, send)

    async def _turn(self) -> None:
        """Waits, unless there is still room in this turn of the loop."""
        loop = asyncio.get_running_loop()
        if not self._is_due:
            self._is_due = True
            loop.call_soon(self._begin_turn, loop)
        if self._let_in < _AT_ONCE:
            self._let_in += 1
            return
        waiting = loop.create_future()
        self._waiting.append(waiting)
        await waiting

    def _begin_turn(self, loop: asyncio.AbstractEventLoop) -> None:
        self._let_in = 0
        while self._waiting and self._let_in < _AT_ONCE:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                self._let_in += 1
        self._is_due = self._let_in > 0
        if self._is_due:
            loop.call_soon(self._begin_turn, loop)
