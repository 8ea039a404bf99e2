"""Scopes of requests, and a time that stands still, for tests that need no server."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from starlette.types import Message

from tests.timeouts import timeout_s

BUSY, QUIET = "192.0.2.7", "192.0.2.8"


def scope_of(
    address: str, visitor: int | None = None, request: str = "GET /api/games", **more: Any
) -> dict[str, Any]:
    """Returns the scope of a request from an address, and from a visitor unless it is None."""
    method, path = request.split()
    headers = [(b"host", b"localhost")]
    if visitor is not None:
        headers.append((b"authorization", f"Bearer {visitor:043}".encode()))
    usual = {"type": "http", "scheme": "http", "method": method, "path": path, "client": (address, 1)}
    return {**usual, "headers": headers, "state": {}, **more}


class FakeTime:
    """The time in seconds, which passes when a test sets it."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


async def receive() -> Message:
    """Receives nothing."""
    return {}


async def send(_: Message) -> None:
    """Sends to nobody."""


async def iterations(count: int = 10) -> None:
    """Lets the event loop go on."""
    for _ in range(count):
        await asyncio.sleep(0)


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs a scenario, which fails if it does not end."""
    asyncio.run(asyncio.wait_for(work, timeout_s()))
