"""Followers: clients that follow a game over HTTP, in a response that goes on until either side ends it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from hnefi.server.games.room import Room
from hnefi.server.http.protocol import ABORT
from hnefi.server.http.visitors import visitor_of
from hnefi.server.refusals import TooManyRequests
from hnefi.server.sockets.places import Places
from hnefi.server.sockets.socket import CLOSE_S, MAX_QUEUE

LINES = "application/x-ndjson"
"""The media type of a stream of JSON objects."""

STREAM_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Content-Encoding": "identity"}
"""Headers of a stream: it is neither stored nor buffered by proxies, nor compressed."""

_QUIET_S = 15.0


class Followers:
    """All followers of the server, who count as connections, too."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._followers: set[_Follower] = set()
        self._is_closing = False

    def __len__(self) -> int:
        return len(self._followers)

    def follow(self, room: Room, since: int | None, scope: Scope) -> StreamingResponse:
        """Adds a follower, and returns the response that streams the events after `since` to it.

        Raises:
            TooManyRequests: `too_many_followers`, if its address or visitor has too many connections.
        """
        keys = self._places.take(scope)
        if keys is None:
            raise TooManyRequests("too_many_followers")
        # Without a network there is no connection to abort.
        follower = _Follower(room, visitor_of(scope), since, scope.get("state", {}).get(ABORT, lambda: None))
        self._followers.add(follower)
        room.audience.add(follower)
        if self._is_closing:
            follower.end()

        def leave() -> None:
            room.audience.remove(follower)
            self._followers.discard(follower)
            self._places.release(keys)

        return _Stream(follower.lines(), leave)

    async def close(self) -> None:
        """Ends all streams, and aborts those that are not read."""
        self._is_closing = True
        for follower in self._followers:
            follower.end()
        end = asyncio.get_running_loop().time() + CLOSE_S
        while self._followers and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        for follower in list(self._followers):
            follower.abort()


class _Stream(StreamingResponse):
    """A response that frees the place of its follower when it has ended, in whatever way."""

    def __init__(self, lines: AsyncIterator[str], leave: Callable[[], None]) -> None:
        super().__init__(lines, media_type=LINES, headers=STREAM_HEADERS)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


class _Follower:
    """A listener that follows a game over HTTP."""

    def __init__(self, room: Room, visitor: str | None, since: int | None, abort: Callable[[], None]) -> None:
        self.players = room.players_of(visitor)
        self._queue = room.first_messages(visitor, since)
        self._abort = abort
        self._is_due = asyncio.Event()
        self._is_due.set()
        self._is_blocked = False
        self._is_ended = False

    def send(self, text: str) -> None:
        """Queues a message; a client that does not read is disconnected."""
        if self._is_ended:
            return
        if self._is_blocked and len(self._queue) >= MAX_QUEUE:
            self.abort()
            return
        self._queue.append(text)
        self._is_due.set()

    def end(self) -> None:
        """Ends its stream after what is queued."""
        self._is_ended = True
        self._is_due.set()

    def abort(self) -> None:
        """Aborts its connection; what is queued is lost."""
        self.end()
        self._queue = []
        self._abort()

    async def lines(self) -> AsyncIterator[str]:
        """Iterates over its messages as lines; in a quiet time, over an empty line every 15 seconds."""
        while self._queue or not self._is_ended:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_QUIET_S):
                    await self._is_due.wait()
            self._is_due.clear()
            texts, self._queue = self._queue, []
            # While the client does not read, the response waits here.
            self._is_blocked = True
            yield "".join(f"{text}\n" for text in texts) or "\n"
            self._is_blocked = False
