"""Rules of one's own by HTTP: what they are, in words and with their faults; those that were written down."""

from typing import Any, Literal

from fastapi import APIRouter, Request, Response

from hnefi.i18n import language_of
from hnefi.server.http.language import wanted_language
from hnefi.server.http.throttle import Desk
from hnefi.server.messages.rules import (
    AnswersRequest,
    AnswersTold,
    ExampleAnswer,
    ExampleRequest,
    RulesRead,
    RulesReadRequest,
    RulesRequest,
    RulesView,
)
from hnefi.server.rules_editor.worker import Clerk
from hnefi.server.service import Service

__all__ = ["add_rules"]

# Whoever makes rules changes one after the other, and is told at once what they are.
_PER_S, _BURST = 4.0, 60.0
_EXAMPLES_PER_S, _EXAMPLES_BURST = 1.0, 30.0

_Body = RulesRequest | RulesReadRequest | ExampleRequest | AnswersRequest


def add_rules(router: APIRouter, service: Service) -> None:
    """Adds the addresses of rules of one's own."""
    rules = Desk("too_many_rules", _PER_S, _BURST)
    examples = Desk("too_many_examples", _EXAMPLES_PER_S, _EXAMPLES_BURST)

    @router.post("/rules", response_model=RulesView)
    async def make_rules(body: RulesRequest, request: Request) -> Response:
        """Tells what rules of one's own are, sentence by sentence, or what is wrong with them."""
        return await _answer(rules, service.rules_clerk, "rules", body, request)

    @router.post("/rules/read", response_model=RulesRead)
    async def read_written(body: RulesReadRequest, request: Request) -> Response:
        """Reads a variant file, a rules string of OpenTafl or a link, as a variant with switches."""
        return await _answer(rules, service.rules_clerk, "read", body, request)

    @router.post("/rules/answers", response_model=AnswersTold)
    async def tell_answers(body: AnswersRequest, request: Request) -> Response:
        """Tells what each answer to the question about a rule would mean beside the other rules."""
        return await _answer(rules, service.rules_clerk, "answers", body, request)

    @router.post("/rules/example", response_model=ExampleAnswer)
    async def find_example(body: ExampleRequest, request: Request) -> Response:
        """Finds a small position and a move that come out otherwise under another value of a rule."""
        return await _answer(examples, service.examples_clerk, "example", body, request)


async def _answer(
    desk: Desk,
    clerk: Clerk,
    about: Literal["rules", "read", "example", "answers"],
    body: _Body,
    request: Request,
) -> Response:
    desk.admit(request)
    lang = language_of(body.lang) if body.lang else wanted_language(request)
    asked: dict[str, Any] = body.model_dump()
    async with desk.turn():
        return Response(await clerk.ask(about, asked, lang), media_type="application/json")
