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
_BURST_S, _EXAMPLES_BURST_S = 15.0, 30.0
"""How many seconds' worth of requests are admitted at once."""

_Body = RulesRequest | RulesReadRequest | ExampleRequest | AnswersRequest


def add_rules(router: APIRouter, service: Service) -> None:
    """Adds the routes of custom rules."""
    settings = service.settings
    rules_per_s, examples_per_s = settings.rules_per_minute / 60, settings.examples_per_minute / 60
    rules = Throttle("too_many_rules", rules_per_s, max(rules_per_s * _BURST_S, 1.0))
    examples = Throttle("too_many_examples", examples_per_s, max(examples_per_s * _EXAMPLES_BURST_S, 1.0))

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
