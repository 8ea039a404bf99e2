"""The library of games by HTTP: what was played at a position, and the games; read, never written."""

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Request
from starlette.responses import PlainTextResponse

from hnefi.server.games.faults import refused
from hnefi.server.guard import address_of
from hnefi.server.limits import Buckets
from hnefi.server.openings import openings_at, record_text
from hnefi.server.requests import OpeningsRequest, OpeningsView
from hnefi.server.service import Service

__all__ = ["add_openings"]

_Answer = TypeVar("_Answer")

_AT_ONCE = 2
_LONGEST_QUEUE = 16
# Whoever steps through a game asks about each position.
_PER_S, _BURST = 4.0, 60.0


class _Turns:
    """Lets few read at a time, in threads, and few wait."""

    def __init__(self) -> None:
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._buckets = Buckets(_PER_S, _BURST)
        self._waiting = 0

    async def take(self, request: Request, read: Callable[[], _Answer]) -> _Answer:
        """Reads when it is its turn.

        Raises:
            Refused: `too_many_openings`.
        """
        if self._waiting >= _LONGEST_QUEUE or not self._buckets.take(address_of(request.scope)):
            raise refused("too_many_openings")
        self._waiting += 1
        try:
            async with self._turns:
                return await asyncio.to_thread(read)
        finally:
            self._waiting -= 1


def add_openings(router: APIRouter, service: Service) -> None:
    """Adds the addresses of the library."""
    turns = _Turns()
    settings = service.settings

    @router.post("/openings")
    async def find_openings(body: OpeningsRequest, request: Request) -> OpeningsView:
        """Tells what games of the library played at a position, with results, and the last of them."""
        return await turns.take(request, lambda: openings_at(settings, body))

    @router.get("/library/games/{number}", response_class=PlainTextResponse)
    async def library_game(
        number: Annotated[int, Path(ge=1, lt=2**63)], request: Request
    ) -> PlainTextResponse:
        """Gives the record of a game of the library, as `POST /api/records` reads it."""
        return PlainTextResponse(await turns.take(request, lambda: record_text(settings, number)))
