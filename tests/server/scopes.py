"""Scopes of requests, and a time that stands still, for tests that need no server."""

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import Message

from hnefi.workers.worker import AsyncWorker
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


class GatedWorker(AsyncWorker):
    """A worker that answers each job alike when the test says so, and lists the jobs."""

    def __init__(self, answer: object, cost_ms: float) -> None:
        self.answer, self.cost_ms = answer, cost_ms
        self.jobs: list[object] = []
        self.may_answer = asyncio.Event()
        self.is_stopped = False

    async def run(self, job: object) -> Any:
        self.jobs.append(job)
        await self.may_answer.wait()
        return self.answer

    async def stop(self) -> None:
        self.is_stopped = True


async def receive() -> Message:
    """Receives nothing."""
    return {}


async def send(_: Message) -> None:
    """Sends to nobody."""


async def iterations(count: int = 10) -> None:
    """Lets the event loop go on."""
    for _ in range(count):
        await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    """Waits for a condition."""
    async with asyncio.timeout(timeout_s()):
        while not condition():
            await asyncio.sleep(0.001)
