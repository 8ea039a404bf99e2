"""A desk for what costs a moment: few at a time, in threads, few who wait, and nobody too often."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from fastapi import Request

from hnefi.server.games.faults import refused
from hnefi.server.guard import address_of
from hnefi.server.limits import Buckets

__all__ = ["Desk"]

_Answer = TypeVar("_Answer")

_AT_ONCE = 2
_LONGEST_QUEUE = 16


class Desk:
    """Lets few work at a time, and few wait."""

    def __init__(self, code: str, per_s: float, burst: float) -> None:
        """Begins with nobody.

        Args:
            code: The code of the refusal.
            per_s: How often somebody may come, in the long run.
            burst: How often at once.
        """
        self._code = code
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._buckets = Buckets(per_s, burst)
        self._waiting = 0

    async def take(self, request: Request, work: Callable[[], _Answer]) -> _Answer:
        """Works when it is its turn.

        Raises:
            Refused: With the code, if too many wait or somebody comes too often.
        """
        if self._waiting >= _LONGEST_QUEUE or not self._buckets.take(address_of(request.scope)):
            raise refused(self._code)
        self._waiting += 1
        try:
            async with self._turns:
                return await asyncio.to_thread(work)
        finally:
            self._waiting -= 1
