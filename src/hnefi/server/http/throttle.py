"""A desk for what costs a moment: nobody comes too often, few are served at a time, and few wait."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from fastapi import Request

from hnefi.server.http.guard import address_of
from hnefi.server.http.rate_limits import Buckets
from hnefi.server.refusals import refused

__all__ = ["Desk"]


class Desk:
    """Says who comes next, and who has to come again later."""

    def __init__(
        self, code: str, per_s: float, burst: float, *, at_once: int = 1, longest_queue: int = 16
    ) -> None:
        """Begins with nobody.

        Args:
            code: The code of the refusal.
            per_s: How often somebody may come, in the long run.
            burst: How often at once.
            at_once: How many are served at a time.
            longest_queue: How many may be there, those who are served among them.
        """
        self._code = code
        self._buckets = Buckets(per_s, burst)
        self._turns = asyncio.Semaphore(at_once)
        self._longest_queue = longest_queue
        self._present = 0

    def admit(self, request: Request) -> None:
        """Lets somebody come.

        Raises:
            Refused: With the code, if he comes too often.
        """
        if not self._buckets.take(address_of(request.scope)):
            raise refused(self._code)

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits for a turn, which lasts as long as the block.

        Raises:
            Refused: With the code, if too many wait already.
        """
        if self._present >= self._longest_queue:
            raise refused(self._code)
        self._present += 1
        try:
            async with self._turns:
                yield
        finally:
            self._present -= 1
