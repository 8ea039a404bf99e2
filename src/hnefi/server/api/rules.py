"""Custom rules by HTTP: described in words, with their faults; read from files, rules strings and links."""

from fastapi import APIRouter, Request, Response

from hnefi.i18n import language_of
from hnefi.server.http.costs import ChargedWorker
from hnefi.server.http.language import preferred_language
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
from hnefi.server.rules_editor.worker import RulesJob, RulesQuestion
from hnefi.server.service import Service


def add_rules(router: APIRouter, service: Service) -> None:
    """Adds the routes of custom rules."""
    rules, examples = service.rules, service.examples
    service.metrics.read(
        {"hnefi_rules_queue": lambda: rules.queued, "hnefi_example_queue": lambda: examples.queued}
    )

    @router.post("/rules", response_model=RulesView)
    async def describe_rules(body: RulesRequest, request: Request) -> Response:
        """Describes custom rules sentence by sentence, or returns their faults."""
        return await _answer(rules, body, request)

    @router.post("/rules/read", response_model=RulesReadResponse)
    async def read_rules_text(body: RulesReadRequest, request: Request) -> Response:
        """Reads a variant file, a rules string of OpenTafl or a link, as a variant with switches."""
        return await _answer(rules, body, request)

    @router.post("/rules/answers", response_model=AnswersResponse)
    async def explain_answers(body: AnswersRequest, request: Request) -> Response:
        """Describes what each value of a rule would mean beside the other rules."""
        return await _answer(rules, body, request)

    @router.post("/rules/example", response_model=ExampleAnswer)
    async def find_example(body: ExampleRequest, request: Request) -> Response:
        """Finds a small position and a move whose effect changes under another value of a rule."""
        return await _answer(examples, body, request)


async def _answer(worker: ChargedWorker, body: RulesQuestion, request: Request) -> Response:
    lang = language_of(body.lang) if body.lang else preferred_language(request)
    job: RulesJob = (body, lang)
    return Response(await worker.run(job, request.scope), media_type="application/json")
