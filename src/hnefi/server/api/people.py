"""People by HTTP: who is here, open challenges, quick pairing, and games to watch."""

from functools import partial

from fastapi import APIRouter, Request, Response

from hnefi.server.games.commands import NewGameRequest
from hnefi.server.http.rate_limits import address_of
from hnefi.server.http.rendered import private_json
from hnefi.server.http.visitors import Visitor, visitor_of
from hnefi.server.messages.people import Paired, PeopleView
from hnefi.server.presence import person_of_visitor
from hnefi.server.refusals import refused
from hnefi.server.service import Service
from hnefi.server.sockets.places import person_of


def add_people(router: APIRouter, service: Service) -> None:
    """Adds the routes."""

    @router.get("/people", response_model=PeopleView)
    async def people(request: Request) -> Response:
        """Returns who is here, the open challenges and the games to watch.

        It has an `ETag`: pages repeat it every few seconds. Whoever asks counts as here for 25 seconds.
        """
        service.people.presence.note(person_of(request.scope))
        return private_json(request, await service.people.view(visitor_of(request.scope)))

    @router.post("/pairings")
    async def pair(body: NewGameRequest, request: Request, visitor: Visitor) -> Paired:
        """Takes the best open challenge for a game, or posts one that waits.

        The side, the clock, the form and the rules have to fit; a challenge of one's own is not taken.
        """
        if body.opponent != "friend":
            raise refused("open_for_one", opponent=body.opponent)
        service.people.presence.rename(person_of(request.scope), person_of_visitor(visitor))
        service.games.note_address(visitor, address_of(request.scope))
        return await service.people.pair(body, visitor, partial(service.game_limit.take, request.scope))
