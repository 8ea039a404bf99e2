"""The HTTP API of games, variants, records and analysis; /api/openapi.json describes it."""

import secrets
from collections.abc import AsyncIterator
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import BaseRoute

from hnefi._core import CalledGame, Game, Setup
from hnefi.errors import HnefiError
from hnefi.server.api.answers import own_games, variant_view
from hnefi.server.api.classrooms import add_classes
from hnefi.server.api.openings import add_openings
from hnefi.server.api.people import add_people
from hnefi.server.api.pictures import add_pictures
from hnefi.server.api.rules import add_rules
from hnefi.server.games.commands import CommandRequest, MoveRequest, NewGameRequest
from hnefi.server.games.recording import record_of
from hnefi.server.http.language import preferred_language
from hnefi.server.http.rate_limits import address_of, owner_of
from hnefi.server.http.refusal import refusal_body
from hnefi.server.http.rendered import RenderedPage, rendered, response_of
from hnefi.server.http.visitors import Visitor, visitor_of
from hnefi.server.messages.http import (
    Acted,
    AnalysisRequest,
    AnalysisView,
    ChooseMoveRequest,
    ChosenMove,
    Failure,
    GameCreated,
    Health,
    JoinRequest,
    LinkCreated,
    LinkRequest,
    OwnGames,
    PositionRequest,
    QueueView,
    RenameRequest,
    VariantDetails,
    VariantList,
    VisitorCreated,
)
from hnefi.server.messages.records import RecordRequest, RecordsView, RecordTextRequest, RecordTextView
from hnefi.server.messages.socket import GameId, GameView
from hnefi.server.messages.views import game_view
from hnefi.server.once import Once
from hnefi.server.presence import person_of_visitor
from hnefi.server.refusals import refused
from hnefi.server.secrets import new_secret
from hnefi.server.service import Service
from hnefi.server.sockets.followers import LINES, STREAM_HEADERS
from hnefi.server.sockets.places import person_of
from hnefi.variants.finding import all_variants, variant
from hnefi.variants.switches import parse_switches
from hnefi.workers.fair_queue import Owner
from hnefi.workers.searches import AnalysisReport, Queued


# References, not models: FastAPI would build a validator of its own for each of these in every route.
def _referring(model: str, *statuses: int) -> dict[int | str, dict[str, Any]]:
    """Returns the description of responses with a model, for which the route has no validator."""
    schema = {"$ref": f"#/components/schemas/{model}"}
    return {status: {"content": {"application/json": {"schema": schema}}} for status in statuses}


_FAULTS = _referring("Failure", 400, 401, 403, 404, 409, 413, 415, 421, 422, 429, 503)
_FAILING = _referring("Health", 503)


def _lines(model: str) -> dict[int | str, dict[str, Any]]:
    """Returns the description of a response with the JSON of a model in each line."""
    content = {LINES: {"schema": {"type": "string"}}}
    return {200: {"description": f"JSON objects, one a line: {model}", "content": content}}


def make_api(service: Service) -> list[BaseRoute]:
    """Returns the routes of the whole API."""

    async def admit(request: Request) -> None:
        """Refuses to read for clients in debt; changes have limits of their own."""
        if request.method == "GET":
            service.request_costs.admit(request.scope)

    router = APIRouter(prefix="/api", responses=_FAULTS, dependencies=[Depends(admit)])
    _add_variants(router)
    _add_games(router, service)
    _add_playing(router, service)
    _add_seats(router, service)
    _add_reading(router, service)
    _add_analysis(router, service)
    add_people(router, service)
    add_classes(router, service)
    add_pictures(router, service)
    _add_records(router, service)
    add_openings(router, service)
    add_rules(router, service)
    health = APIRouter()
    _add_health(health, service)
    return [*router.routes, *health.routes]


def _all_variants() -> RenderedPage:
    """Returns the list of variants. Compiling all of them takes a fifth of a second."""
    found = VariantList(variants=[variant_view(one) for one in all_variants()])
    return rendered(found.model_dump_json().encode(), "application/json")


def _add_variants(router: APIRouter) -> None:
    listed = Once(_all_variants)

    @router.get("/variants", response_model=VariantList)
    async def list_variants(request: Request) -> Response:
        """Lists the variants that can be played. The list has an `ETag`."""
        return response_of(request, await listed.value())

    @router.get("/variants/{variant_id}")
    async def get_variant(
        variant_id: str,
        switch: Annotated[list[str], Query(max_length=60)] = [],  # noqa: B006
    ) -> VariantDetails:
        """Returns a variant and its rules, changed by switches such as `?switch=quiet_limit=40`."""
        found = variant(variant_id).with_switches(parse_switches(switch))
        return VariantDetails(
            variant=variant_view(found), rules=found.tree.to_dict(), switches=dict(found.switches)
        )

    @router.get("/variants/{variant_id}/rules")
    async def get_rules(variant_id: str) -> Response:
        """Returns the rules of a variant as `<tafl-board src>` takes them, for pages of any site."""
        headers = {"Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=3600"}
        return Response(variant(variant_id).rules.to_json(), media_type="application/json", headers=headers)


def _add_games(router: APIRouter, service: Service) -> None:
    @router.post("/games", status_code=201)
    async def new_game(body: NewGameRequest, request: Request, visitor: Visitor) -> GameCreated:
        """Creates a game. The creator has the first seat; a friend joins with the invitation.

        With `open` it is an open challenge, which `GET /api/people` lists and anybody may take.
        """
        service.game_limit.take(request.scope)
        service.games.note_address(visitor, address_of(request.scope))
        service.people.presence.rename(person_of(request.scope), person_of_visitor(visitor))
        create = service.people.post if body.open else service.games.create
        room, invite = await create(body, visitor)
        return GameCreated(game=room.id, invite=invite, state=game_view(room, room.players_of(visitor)))

    @router.get("/games")
    async def my_games(request: Request) -> OwnGames:
        """Lists the visitor's games, the newest first, and those that are damaged."""
        visitor = visitor_of(request.scope)
        if visitor is None:
            return OwnGames(games=[], set_aside=[])
        return own_games(*await service.games.own_games(visitor), visitor, service.time.leads)

    @router.get("/games/{game}", response_model=GameView)
    async def get_game(game: GameId, request: Request) -> Response:
        """Returns the state of a game."""
        return _json((await service.games.read(game)).state_for(visitor_of(request.scope)))


def _add_playing(router: APIRouter, service: Service) -> None:
    async def act(game: str, request: Request, command: MoveRequest | CommandRequest) -> Acted:
        received_us = service.time.now_us()
        visitor = visitor_of(request.scope)
        service.games.note_address(visitor, address_of(request.scope))
        charge_game = partial(service.game_limit.take, request.scope)
        done = await service.games.act(game, visitor, command, received_us, charge_game)
        return Acted(seq=done)

    @router.post("/games/{game}/moves")
    async def move(game: GameId, body: MoveRequest, request: Request) -> Acted:
        """Plays a move. The response follows when it is on disk; a repeated id acts once."""
        return await act(game, request, body)

    @router.post("/games/{game}/commands")
    async def command(game: GameId, body: CommandRequest, request: Request) -> Acted:
        """Performs any other action: resigns, offers, accepts, claims, begins the next leg.

        A rematch counts as a new game (`too_many_games`); if it is refused, the offer stays.
        """
        return await act(game, request, body)


def _add_seats(router: APIRouter, service: Service) -> None:
    @router.post("/visitors", status_code=201)
    async def new_token() -> VisitorCreated:
        """Creates a visitor for a program. Browsers have theirs in a cookie."""
        return VisitorCreated(token=new_secret())

    @router.post("/games/{game}/join", response_model=GameView)
    async def join(game: GameId, body: JoinRequest, visitor: Visitor) -> Response:
        """Takes the free seat of a game with the secret of its invitation; an open challenge needs none."""
        if body.invite is None:
            await service.people.check_poster(game)
        room = await service.games.join(game, visitor, body.invite, body.name)
        return _json(room.state_for(visitor))

    @router.post("/games/{game}/name", response_model=GameView)
    async def rename(game: GameId, body: RenameRequest, visitor: Visitor) -> Response:
        """Sets the name of the creator of a game, which the invitation tells, until the friend joins."""
        room = await service.games.rename(game, visitor, body.name)
        return _json(room.state_for(visitor))

    @router.post("/games/{game}/links", status_code=201)
    async def make_link(game: GameId, request: Request) -> LinkCreated:
        """Creates a secret that carries the visitor's seat to another device, once."""
        visitor = visitor_of(request.scope)
        if visitor is None:
            raise refused("no_seat")
        secret, until_us = await service.games.create_link(game, visitor)
        return LinkCreated(secret=secret, until_ms=service.time.leads.shown_us(until_us) // 1000)

    @router.post("/links", response_model=GameView)
    async def use_link(body: LinkRequest, visitor: Visitor) -> Response:
        """Takes the seat of a link."""
        return _json((await service.games.use_link(body.secret, visitor)).state_for(visitor))


def _add_reading(router: APIRouter, service: Service) -> None:
    @router.get(
        "/games/{game}/events",
        response_class=StreamingResponse,
        responses=_lines("`EventMessage`, or `GameView` first"),
    )
    async def events(
        game: GameId,
        request: Request,
        since: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
        follow: bool = True,
    ) -> Response:
        """Streams the events of a game, one JSON object a line, with an empty line now and then.

        The stream counts as a connection. It ends when the server stops; `since` resumes it.
        """
        room = await service.games.follow(game)
        if follow:
            return service.followers.follow(room, since, request.scope)
        texts = room.first_messages(visitor_of(request.scope), since)
        return Response("".join(f"{text}\n" for text in texts), headers=STREAM_HEADERS, media_type=LINES)

    @router.get("/games/{game}/record", response_class=PlainTextResponse)
    async def record(
        game: GameId, request: Request, leg: Annotated[int, Query(ge=1, le=2)] = 1
    ) -> PlainTextResponse:
        """Returns the record of a leg."""
        found = await service.games.read(game)
        state, leads = found.state, found.time.leads
        text = await service.run_charged(lambda: f"{record_of(state, leg, leads)}\n", request.scope)
        name = f'attachment; filename="{game}-{leg}.tafl"'
        return PlainTextResponse(text, headers={"Content-Disposition": name})

    @router.get("/games/{game}/rules")
    async def rules(game: GameId) -> Response:
        """Returns the rules of a game, which stay those it began with when its variant is corrected."""
        return _json((await service.games.read(game)).state.rules.to_json())


def _add_health(router: APIRouter, service: Service) -> None:
    @router.get("/api/health")
    async def health() -> Health:
        """Answers `ok` as long as the process is alive."""
        return Health(status="ok")

    @router.get("/api/ready", responses=_FAILING)
    async def ready(response: Response) -> Health:
        """Answers `ok` if games can be played: the database writes. Otherwise `failing`, with status 503."""
        is_outage = service.backend.rooms.heartbeat.is_outage
        well = service.is_ready and not is_outage and await service.is_reachable()
        response.status_code = 200 if well else 503
        return Health(status="ok" if well else "failing")


def _game_of(body: PositionRequest) -> Game:
    """Returns a game with the moves that lead to a position."""
    found = variant(body.variant).with_switches(body.switches)
    game = found.new_game(None if body.start is None else Setup(body.start))
    for text in body.moves:
        game = game.play(text)
    return game


def _add_analysis(router: APIRouter, service: Service) -> None:
    def admitted(request: Request) -> Owner:
        """Returns who is charged, if that client may search now."""
        owner = owner_of(request.scope)
        service.engines.check(owner)
        return owner

    @router.post(
        "/analysis", response_class=StreamingResponse, responses=_lines("`AnalysisView` or `QueueView`")
    )
    async def analyse(body: AnalysisRequest, request: Request) -> StreamingResponse:
        """Streams an analysis, one JSON object a line, until the connection is closed."""
        owner, game = admitted(request), _game_of(body)
        answers = service.engines.analyse(game, lines=body.lines, time_ms=body.time_ms, owner=owner)
        # The first report is awaited here, so that a refusal has its status.
        first = await anext(answers)
        lines = _analysis_lines(first, answers)
        return StreamingResponse(lines, media_type=LINES, headers=STREAM_HEADERS)

    @router.post("/moves")
    async def choose_move(body: ChooseMoveRequest, request: Request) -> ChosenMove:
        """Returns the move of a level in a position, for games that a browser keeps."""
        owner, game = admitted(request), _game_of(body)
        if game.outcome is not None:
            raise refused("leg_over")
        seed = secrets.token_hex(8)
        move = await service.engines.choose(CalledGame(game, "off"), body.level, seed, None, owner)
        return ChosenMove(move=str(move))


def _add_records(router: APIRouter, service: Service) -> None:
    @router.post("/records", response_model=RecordsView)
    async def read_records(body: RecordRequest, request: Request) -> Response:
        """Reads records: the move tree of each game, and all faults."""
        lang = preferred_language(request)
        view = await service.run_charged(lambda: _read_text(body, lang), request.scope)
        return Response(view, media_type="application/json")

    @router.post(
        "/records/text", response_class=PlainTextResponse, responses=_referring("RecordTextView", 200)
    )
    async def write_record(body: RecordTextRequest, request: Request) -> Response:
        """Writes a record as `POST /api/records` reads it.

        With `Accept: application/json` it also names what the format cannot express.
        """
        lang = preferred_language(request)
        view = await service.run_charged(lambda: _write_text(body, lang), request.scope)
        if "application/json" in request.headers.get("accept", ""):
            return _json(view.model_dump_json())
        return PlainTextResponse(view.text)


def _json(text: str) -> Response:
    return Response(text, media_type="application/json")


async def _analysis_lines(
    first: AnalysisReport | Queued, answers: AsyncIterator[AnalysisReport | Queued]
) -> AsyncIterator[str]:
    yield _analysis_message(first).model_dump_json() + "\n"
    try:
        async for answer in answers:
            yield _analysis_message(answer).model_dump_json() + "\n"
    except HnefiError as error:
        yield Failure(**refusal_body(error)).model_dump_json() + "\n"


def _analysis_message(report: AnalysisReport | Queued) -> AnalysisView | QueueView:
    if isinstance(report, Queued):
        return QueueView(position=report.position)
    return AnalysisView.model_validate(asdict(report))


# Records and their formats are imported for the first request, in its thread.


def _read_text(body: RecordRequest, lang: str) -> bytes:
    from hnefi.server.api.records import read_text

    return read_text(body, lang)


def _write_text(body: RecordTextRequest, lang: str) -> RecordTextView:
    from hnefi.server.api.records import write_text

    return write_text(body, lang)
