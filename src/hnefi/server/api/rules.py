"""Custom rules by HTTP: described in words, with their faults; read from files, rules strings and links."""

from fastapi import APIRouter, Request, Response

from hnefi.i18n import language_of
from hnefi.server.http.language import preferred_language
from hnefi.server.http.throttle import Throttle
from hnefi.server.messages.rules import (
    AnswersRequest,
    AnswersResponse,
    ExampleAnswer,
    ExampleRequest,
    RulesReadRequest,
    RulesReadResponse,
    RulesRequest,
    RulesView,
)
from hnefi.server.rules_editor.worker import Kind, RulesWorker
from hnefi.server.service import Service

__all__ = ["add_rules"]

# An editor sends a request after every change.
_PER_S, _BURST = 4.0, 60.0
_EXAMPLES_PER_S, _EXAMPLES_BURST = 1.0, 30.0

_Body = RulesRequest | RulesReadRequest | ExampleRequest | AnswersRequest


def add_rules(router: APIRouter, service: Service) -> None:
    """Adds the routes of custom rules."""
    rules = Throttle("too_many_rules", _PER_S, _BURST)
    examples = Throttle("too_many_examples", _EXAMPLES_PER_S, _EXAMPLES_BURST)

    service.metrics.read(
        {"hnefi_rules_queue": lambda: rules.queued, "hnefi_example_queue": lambda: examples.queued}
    )

    @router.post("/rules", response_model=RulesView)
    async def make_rules(body: RulesRequest, request: Request) -> Response:
        """Describes custom rules sentence by sentence, or returns their faults."""
        return await _answer(rules, service.rules_worker, "rules", body, request)

    @router.post("/rules/read", response_model=RulesReadResponse)
    async def read_rules_text(body: RulesReadRequest, request: Request) -> Response:
        """Reads a variant file, a rules string of OpenTafl or a link, as a variant with switches."""
        return await _answer(rules, service.rules_worker, "read", body, request)

    @router.post("/rules/answers", response_model=AnswersResponse)
    async def explain_answers(body: AnswersRequest, request: Request) -> Response:
        """Describes what each value of a rule would mean beside the other rules."""
        return await _answer(rules, service.rules_worker, "answers", body, request)

    @router.post("/rules/example", response_model=ExampleAnswer)
    async def find_example(body: ExampleRequest, request: Request) -> Response:
        """Finds a small position and a move whose effect changes under another value of a rule."""
        return await _answer(examples, service.examples_worker, "example", body, request)


async def _answer(
    throttle: Throttle,
    worker: RulesWorker,
    kind: Kind,
    body: _Body,
    request: Request,
) -> Response:
    throttle.admit(request)
    lang = language_of(body.lang) if body.lang else preferred_language(request)
    async with throttle.slot():
        return Response(await worker.answer(kind, body.model_dump(), lang), media_type="application/json")
