"""The library of games by HTTP: the moves played at a position, and its games. It is never written."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import PlainTextResponse

from hnefi._core import Setup
from hnefi.server.messages.http import LibraryGameView, OpeningMoveView, OpeningsRequest, OpeningsView
from hnefi.server.refusals import refused
from hnefi.server.service import Service
from hnefi.server.settings import Settings
from hnefi.variants.finding import variant

if TYPE_CHECKING:
    from hnefi.library import Choice, Library

_MOST_GAMES = 10


def add_openings(router: APIRouter, service: Service) -> None:
    """Adds the routes of the library."""
    settings = service.settings

    @router.post("/openings")
    async def find_openings(body: OpeningsRequest, request: Request) -> OpeningsView:
        """Returns the moves played at a position by games of the library, and the last games."""
        return await service.run_charged(lambda: _openings_at(settings, body), request.scope)

    @router.get("/library/games/{number}", response_class=PlainTextResponse)
    async def library_game(
        number: Annotated[int, Path(ge=1, lt=2**63)], request: Request
    ) -> PlainTextResponse:
        """Returns the record of a game of the library, as `POST /api/records` reads it."""
        text = await service.run_charged(lambda: _record_text(settings, number), request.scope)
        return PlainTextResponse(text)


def _openings_at(settings: Settings, request: OpeningsRequest) -> OpeningsView:
    """Returns what was played at a position."""
    from hnefi.library import Query, count_games, find_games, moves_played

    found = variant(request.variant).with_switches(request.switches)
    position = found.new_game(Setup(request.position)).position
    only = found.id if request.variant_only else None
    query = Query(variant=only, position=position)
    with _opened(settings) as library:
        played = moves_played(library, position, query)
        latest = islice(find_games(library, query, limit=_MOST_GAMES), _MOST_GAMES)
        return OpeningsView(
            games=count_games(library, query),
            moves=[view for one in played if (view := _move(one)) is not None],
            latest=[LibraryGameView.model_validate(one, from_attributes=True) for one in latest],
        )


def _record_text(settings: Settings, number: int) -> str:
    """Returns the record of a game of the library."""
    from hnefi.library import Query, find_games
    from hnefi.record import format_records

    with _opened(settings) as library:
        found = next(find_games(library, Query(ids=(number,)), limit=1), None)
        if found is None:
            raise refused("unknown_library_game")
        return format_records([found.record()])


@contextmanager
def _opened(settings: Settings) -> Iterator["Library"]:
    """Opens the library for one request: it may have been replaced, and requests do not block each other.

    Raises:
        Refused: `no_openings`, or `library_fails` if it cannot be read, without its path on this machine.
    """
    from hnefi.library import Library, LibraryError

    if not settings.has_library:
        raise refused("no_openings")
    assert settings.library is not None
    try:
        with Library(settings.library) as library:
            yield library
    except LibraryError as error:
        raise refused("no_openings" if error.code == "no_library" else "library_fails") from error


def _move(one: "Choice") -> OpeningMoveView | None:
    if one.move is None:
        return None
    results, bounds = one.results, one.results.interval
    return OpeningMoveView(
        move=str(one.move),
        **asdict(results),
        share=results.share,
        interval=[bounds.low, bounds.high],
    )
