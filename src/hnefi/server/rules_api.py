"""Rules of one's own by HTTP: what they are, in words and with their faults; those that were written down."""

from fastapi import APIRouter, Request

from hnefi.i18n import language_of
from hnefi.server.desk import Desk
from hnefi.server.pages.language import wanted_language
from hnefi.server.rule_making import made_rules
from hnefi.server.rule_reading import read_rules
from hnefi.server.rule_requests import RulesRead, RulesReadRequest, RulesRequest, RulesView

__all__ = ["add_rules"]

# Whoever makes rules changes one after the other, and is told at once what they are.
_PER_S, _BURST = 4.0, 60.0


def add_rules(router: APIRouter) -> None:
    """Adds the addresses of rules of one's own."""
    desk = Desk("too_many_rules", _PER_S, _BURST)

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
