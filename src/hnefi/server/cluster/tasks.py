"""The end of background tasks."""

import asyncio
from collections.abc import Iterable
from typing import Any

__all__ = ["end_tasks"]

_AGAIN_S = 0.5


async def end_tasks(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancels tasks, and waits until they have ended, with or without an error.

    They are cancelled again and again: a cancellation can be lost. `asyncio.wait_for` of Python 3.11, which
    the package `redis` calls for every command, returns normally if it is cancelled when it ends anyway.
    """
    cancelled = list(tasks)
    waiting = set(cancelled)
    while waiting:
        for task in waiting:
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=_AGAIN_S)
    await asyncio.gather(*cancelled, return_exceptions=True)
