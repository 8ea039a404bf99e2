"""Classes by HTTP: creating and joining, pairing, results."""

from collections.abc import Callable
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import AfterValidator

from hnefi.i18n import text
from hnefi.server.api.classroom_results import games_csv, results_csv, results_json
from hnefi.server.games.class_codes import normalised_code
from hnefi.server.games.classroom import Classroom
from hnefi.server.http.language import preferred_language
from hnefi.server.http.rate_limits import address_of
from hnefi.server.http.rendered import private_json
from hnefi.server.http.visitors import Visitor, visitor_of
from hnefi.server.messages.classrooms import (
    ClassChangeRequest,
    ClassCreated,
    ClassGameRequest,
    ClassMemberRequest,
    ClassResultRequest,
    ClassRoundRequest,
    ClassView,
    NewClassRequest,
    Number,
)
from hnefi.server.messages.http import LinkCreated, LinkRequest
from hnefi.server.messages.socket import GameId
from hnefi.server.refusals import Refused, refused
from hnefi.server.service import Service

Code = Annotated[str, Path(min_length=1, max_length=40), AfterValidator(normalised_code)]


def add_classes(router: APIRouter, service: Service) -> None:
    """Adds the routes."""
    _add_joining(router, service)
    _add_pairing(router, service)
    _add_leading(router, service)


async def _view(code: str, request: Request, visitor: str | None) -> ClassView:
    """Returns the class as the visitor may see it; counts wrong codes, so that none is found by trying."""
    service: Service = request.app.state.service
    try:
        shown = await service.classrooms.view(code, visitor)
    except Refused as refusal:
        if refusal.code == "unknown_class":
            service.class_code_limit.take(request.scope)
        raise
    if not shown.is_host and shown.you is None:
        service.class_code_limit.admit(request.scope, 1.0)
    return shown


async def _answer(code: str, request: Request, visitor: str | None) -> Response:
    return private_json(request, await _view(code, request, visitor))


async def _host_of(code: Code, request: Request) -> str:
    """Returns the visitor of a request that only hosts may send, and counts wrong codes."""
    visitor = visitor_of(request.scope)
    if visitor is None or not (await _view(code, request, visitor)).is_host:
        raise refused("not_host")
    return visitor


Host = Annotated[str, Depends(_host_of)]


def _add_joining(router: APIRouter, service: Service) -> None:
    @router.post("/classes", status_code=201)
    async def new_class(body: NewClassRequest, request: Request, visitor: Visitor) -> ClassCreated:
        """Creates a class, which the visitor leads."""
        service.class_limit.take(request.scope)
        return ClassCreated(code=await service.classrooms.create(body, visitor))

    @router.get("/classes/{code}", response_model=ClassView)
    async def get_class(code: Code, request: Request) -> Response:
        """Returns a class: everything for its host, what is their own for members, the name for others.

        It has an `ETag`: pages repeat it every few seconds. A member who asks counts as here for 25 seconds.
        In the code, case, accents, spaces and hyphens do not count.
        """
        return await _answer(code, request, visitor_of(request.scope))

    @router.post("/classes/{code}/members", response_model=ClassView)
    async def join_class(
        code: Code, body: ClassMemberRequest, request: Request, visitor: Visitor
    ) -> Response:
        """Joins a class under a name, or corrects the name of the member who plays on this device.

        A place that was handed over on this device, or opened by a host, is taken again by its name.
        """
        # Reads it first, which counts wrong codes.
        await _view(code, request, visitor)
        service.games.note_address(visitor, address_of(request.scope))
        if body.kind == "rename":
            await service.classrooms.classes.change(code, lambda one: one.renamed(visitor, body.name))
        else:
            await service.classrooms.join(code, visitor, body.name, is_other=body.kind == "join_as_other")
        return await _answer(code, request, visitor)

    @router.post("/classes/{code}/hand-over", response_model=ClassView)
    async def hand_over(code: Code, request: Request) -> Response:
        """Frees this device from its member, whose name and results stay."""
        visitor = visitor_of(request.scope)
        await _view(code, request, visitor)
        await service.classrooms.classes.change(code, lambda one: one.handed_over(visitor or ""))
        return await _answer(code, request, visitor)

    @router.post("/classes/{code}/hosts", response_model=ClassView)
    async def be_host(code: Code, body: LinkRequest, request: Request, visitor: Visitor) -> Response:
        """Makes this device a host with the secret of a link, once."""
        await _view(code, request, visitor)
        await service.classrooms.use_link(code, visitor, body.secret)
        return await _answer(code, request, visitor)


def _charge(service: Service, request: Request, code: str) -> Callable[[int], None]:
    """Returns what counts new games of a class, whose bucket is that of a visitor."""
    return lambda count: service.class_game_limit.take(request.scope, count, of=f"class {code}")


def _add_pairing(router: APIRouter, service: Service) -> None:
    @router.post("/classes/{code}/games", response_model=ClassView)
    async def pair_by_hand(code: Code, body: ClassGameRequest, request: Request, visitor: Host) -> Response:
        """Creates a game of two members, both of whom have their seats in it (hosts)."""
        await service.classrooms.pair(code, visitor, body, _charge(service, request, code))
        return await _answer(code, request, visitor)

    @router.post("/classes/{code}/rounds", response_model=ClassView)
    async def pair_round(code: Code, body: ClassRoundRequest, request: Request, visitor: Host) -> Response:
        """Creates the games of a round for all who are here and have no game (hosts).

        The rounds are a round robin as long as the same members are there. Those who have met swap sides.
        """
        await service.classrooms.pair(code, visitor, body, _charge(service, request, code))
        return await _answer(code, request, visitor)

    @router.post("/classes/{code}/games/{game}", response_model=ClassView)
    async def enter_result(
        code: Code, game: GameId, body: ClassResultRequest, request: Request, visitor: Host
    ) -> Response:
        """Enters the result of a game by hand, also instead of another one; `void` does not count (hosts).

        The board of the game closes with this result.
        """
        await service.classrooms.enter_result(code, visitor, game, body.result)
        return await _answer(code, request, visitor)


def _add_leading(router: APIRouter, service: Service) -> None:
    @router.patch("/classes/{code}", response_model=ClassView)
    async def change_class(code: Code, body: ClassChangeRequest, request: Request, visitor: Host) -> Response:
        """Lets nobody else join, or ends the class, or the other way round (hosts)."""
        changes = body.model_dump(exclude_none=True)

        def change(one: Classroom) -> Classroom:
            return one.model_copy(update=changes) if changes else one

        await service.classrooms.change(code, visitor, change, is_closed_too=True)
        return await _answer(code, request, visitor)

    @router.delete("/classes/{code}", status_code=204)
    async def delete_class(code: Code, visitor: Host) -> None:
        """Deletes a class at once, with its names and results (hosts)."""
        await service.classrooms.delete(code, visitor)

    @router.delete("/classes/{code}/members/{number}", response_model=ClassView)
    async def remove_member(code: Code, number: Number, request: Request, visitor: Host) -> Response:
        """Removes a member and the name; games that are not over do not count (hosts)."""
        await service.classrooms.remove(code, visitor, number)
        return await _answer(code, request, visitor)

    @router.post("/classes/{code}/members/{number}/open", response_model=ClassView)
    async def open_place(code: Code, number: Number, request: Request, visitor: Host) -> Response:
        """Lets the next device that joins under a member's name take the place, for 15 minutes (hosts)."""
        now_us = service.time.now_us()
        await service.classrooms.change(code, visitor, lambda one: one.opened(number, now_us))
        return await _answer(code, request, visitor)

    @router.post("/classes/{code}/host-links", status_code=201)
    async def make_host_link(code: Code, visitor: Host) -> LinkCreated:
        """Creates a secret that makes another device a host, once (hosts)."""
        secret, until_us = await service.classrooms.create_link(code, visitor)
        return LinkCreated(secret=secret, until_ms=until_us // 1000)

    @router.get("/classes/{code}/results", response_model=None)
    async def results(
        code: Code,
        request: Request,
        visitor: Host,
        form: Annotated[Literal["csv", "games", "json"], Query(alias="format")] = "json",
        lang: Annotated[Literal["en", "fr"] | None, Query()] = None,
    ) -> Response:
        """Returns the table of results and all games as JSON, or the table or the games as CSV (hosts)."""
        classroom = await service.classrooms.classroom(code)
        classroom.check_host(visitor, is_closed_too=True)
        chosen = lang or preferred_language(request)
        key = "page.class.file.games" if form == "games" else "page.class.file"
        name = f"{text(key, chosen, code=classroom.code)}.{'json' if form == 'json' else 'csv'}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        if form != "json":
            table = results_csv(classroom, chosen) if form == "csv" else games_csv(classroom, chosen)
            return Response(table, headers=headers, media_type="text/csv; charset=utf-8")
        return Response(results_json(classroom), headers=headers, media_type="application/json")
