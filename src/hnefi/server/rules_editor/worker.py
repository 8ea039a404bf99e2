"""The rules worker: answers requests about rules in a worker process.

Describing rules takes some hundredths of a second and finding an example up to a second. In a process of low
priority this delays nothing else.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hnefi._core import Move
from hnefi.server.messages.rules import (
    AnswersRequest,
    ExampleAnswer,
    ExampleRequest,
    ExampleView,
    RulesReadRequest,
    RulesRequest,
    shape_of,
)
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.finding import variant
from hnefi.workers.limits import Limits
from hnefi.workers.worker import AsyncWorker, Handler

if TYPE_CHECKING:
    from hnefi.examples import Example

# The modules that describe rules are imported by the worker process only.
RulesQuestion = RulesRequest | RulesReadRequest | ExampleRequest | AnswersRequest
RulesJob = tuple[RulesQuestion, str]
"""A request, and the language of the answer."""

_TIMEOUT_S = 20.0


def rules_worker(memory_mib: int) -> AsyncWorker:
    """Creates the worker; its process starts with the first job, and its answers are JSON."""
    return AsyncWorker(_handler, Limits(memory_mib), timeout_s=_TIMEOUT_S)


@contextmanager
def _handler() -> Iterator[Handler]:
    from hnefi.server.rules_editor.editing import rules_view

    # The first answer takes twenty times as long as later ones: it is computed before the priority falls.
    rules_view(RulesRequest(variant=built_in_ids()[0], switches={}), "en")
    yield _answer


def _answer(job: RulesJob) -> str:
    """Answers a request, as JSON."""
    from hnefi.server.rules_editor.editing import answers_view, rules_view
    from hnefi.server.rules_editor.reading import read_rules

    request, lang = job
    match request:
        case RulesRequest():
            return rules_view(request, lang).model_dump_json()
        case RulesReadRequest():
            return read_rules(request.text, lang).model_dump_json()
        case AnswersRequest():
            return answers_view(request, lang).model_dump_json()
        case ExampleRequest():
            return _example(request, lang).model_dump_json()


def _example(request: ExampleRequest, lang: str) -> ExampleAnswer:
    from hnefi.examples import example

    changed = variant(request.variant).with_switches(request.switches)
    found = example(changed, request.leaf, request.value)
    return ExampleAnswer(example=None if found is None else _example_view(found, lang))


def _example_view(found: "Example", lang: str) -> ExampleView:
    from hnefi.examples import example_text

    move, effect = Move(found.move), found.effect
    return ExampleView(
        leaf=found.leaf,
        value=found.value,
        other=found.other,
        text=example_text(found, lang),
        position=found.position,
        origin=move.from_square.name,
        target=move.to_square.name,
        legal=effect.legal,
        captures=[square.name for square in effect.captures],
        after=effect.position,
        shape=shape_of(found.rules),
    )
