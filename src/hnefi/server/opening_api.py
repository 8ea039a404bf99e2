"""The library of games by HTTP: what was played at a position, and the games; read, never written."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import PlainTextResponse

from hnefi.server.desk import Desk
from hnefi.server.openings import openings_at, record_text
from hnefi.server.requests import OpeningsRequest, OpeningsView
from hnefi.server.service import Service

__all__ = ["add_openings"]

# Whoever steps through a game asks about each position.
_PER_S, _BURST = 4.0, 60.0


def add_openings(router: APIRouter, service: Service) -> None:
    """Adds the addresses of the library."""
    desk = Desk("too_many_openings", _PER_S, _BURST, at_once=2)
    settings = service.settings

    @router.post("/openings")
    async def find_openings(body: OpeningsRequest, request: Request) -> OpeningsView:
        """Tells what games of the library played at a position, with results, and the last of them."""
        desk.admit(request)
        async with desk.turn():
            return await asyncio.to_thread(openings_at, settings, body)

    @router.get("/library/games/{number}", response_class=PlainTextResponse)
    async def library_game(
        number: Annotated[int, Path(ge=1, lt=2**63)], request: Request
    ) -> PlainTextResponse:
        """Gives the record of a game of the library, as `POST /api/records` reads it."""
        desk.admit(request)
        async with desk.turn():
            return PlainTextResponse(await asyncio.to_thread(record_text, settings, number))
