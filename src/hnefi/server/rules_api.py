"""Rules of one's own by HTTP: what they are, in words and with their faults; those that were written down."""

from fastapi import APIRouter, Request

from hnefi.i18n import language_of
from hnefi.server.desk import Desk
from hnefi.server.games.faults import refused
from hnefi.server.guard import address_of
from hnefi.server.limits import Buckets
from hnefi.server.pages.language import wanted_language
from hnefi.server.pages.rule_making import made_rules
from hnefi.server.rule_reading import read_rules
from hnefi.server.rule_requests import (
    ExampleAnswer,
    ExampleRequest,
    RulesRead,
    RulesReadRequest,
    RulesRequest,
    RulesView,
)
from hnefi.server.service import Service
from hnefi.variant import variant

__all__ = ["add_rules"]

# Whoever makes rules changes one after the other, and is told at once what they are.
_PER_S, _BURST = 4.0, 60.0
_EXAMPLES_PER_S, _EXAMPLES_BURST = 1.0, 30.0


def add_rules(router: APIRouter, service: Service) -> None:
    """Adds the addresses of rules of one's own."""
    # One at a time: threads that compute keep the loop from moves, the more so the more they are.
    desk = Desk("too_many_rules", _PER_S, _BURST, at_once=1)
    examples = Buckets(_EXAMPLES_PER_S, _EXAMPLES_BURST)

    @router.post("/rules")
    async def make_rules(body: RulesRequest, request: Request) -> RulesView:
        """Tells what rules of one's own are, sentence by sentence, or what is wrong with them."""
        lang = language_of(body.lang) if body.lang else wanted_language(request)
        return await desk.take(request, lambda: made_rules(body, lang))

    @router.post("/rules/read")
    async def read_written(body: RulesReadRequest, request: Request) -> RulesRead:
        """Reads a variant file, a rules string of OpenTafl or a link, as a variant with switches."""
        lang = language_of(body.lang) if body.lang else wanted_language(request)
        return await desk.take(request, lambda: read_rules(body.text, lang))

    @router.post("/rules/example")
    async def find_example(body: ExampleRequest, request: Request) -> ExampleAnswer:
        """Finds a small position and a move that come out otherwise under another value of a rule."""
        if not examples.take(address_of(request.scope)):
            raise refused("too_many_examples")
        lang = language_of(body.lang) if body.lang else wanted_language(request)
        # What is wrong with the rules is told before the process is asked.
        variant(body.variant).with_switches(body.switches)
        job = body.model_dump() | {"lang": lang}
        return ExampleAnswer.model_validate(await service.illustrations.find(job))
