"""A process that answers about rules: it reads questions, one JSON object a line, and answers each in turn.

To tell rules takes some hundredths of a second and to find an example up to one; here it is done with little
priority and limited memory, and holds nothing up.
"""

import json
import sys
from typing import Any

from hnefi._core import Move
from hnefi.errors import HnefiError, VariantError
from hnefi.examples import Example, example, example_text
from hnefi.server.messages.rules import (
    AnswersRequest,
    ExampleAnswer,
    ExampleRequest,
    ExampleView,
    RulesReadRequest,
    RulesRequest,
)
from hnefi.server.rules_editor.editing import made_rules, shape_of, told_answers
from hnefi.server.rules_editor.reading import read_rules
from hnefi.variants.built_in import built_in_ids
from hnefi.variants.finding import variant
from hnefi.workers.limits import limit_process

__all__ = ["main"]

_CPU_S = 24 * 3600
_LONGEST_LINE = 1_000_000


def main() -> int:
    """Says that it is ready, and answers one question after the other, until the input ends."""
    # The first answer costs as much as twenty later ones: it is given before the priority falls.
    made_rules(RulesRequest(variant=built_in_ids()[0], switches={}), "en")
    limit_process(int(sys.argv[1]), _CPU_S)
    _say("+")
    while line := sys.stdin.buffer.readline(_LONGEST_LINE):
        try:
            _say(f"+{_answer(json.loads(line))}")
        except HnefiError as error:
            _say(f"-{json.dumps(_fault(error))}")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _answer(asked: dict[str, Any]) -> str:
    """Answers a question, as JSON."""
    body, lang = asked["body"], asked["lang"]
    match asked["about"]:
        case "rules":
            return made_rules(RulesRequest.model_validate(body), lang).model_dump_json()
        case "read":
            return read_rules(RulesReadRequest.model_validate(body).text, lang).model_dump_json()
        case "answers":
            return told_answers(AnswersRequest.model_validate(body), lang).model_dump_json()
        case _:
            return _example(ExampleRequest.model_validate(body), lang).model_dump_json()


def _fault(error: HnefiError) -> dict[str, Any]:
    faults = error.faults if isinstance(error, VariantError) else ()
    return {
        "code": error.code,
        "message": str(error),
        "facts": error.parameters,
        "faults": [[fault.code, fault.path, fault.found, fault.expected] for fault in faults],
    }


def _example(asked: ExampleRequest, lang: str) -> ExampleAnswer:
    made = variant(asked.variant).with_switches(asked.switches)
    found = example(made, asked.leaf, asked.value)
    return ExampleAnswer(example=None if found is None else _told(found, lang))


def _told(found: Example, lang: str) -> ExampleView:
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


if __name__ == "__main__":
    sys.exit(main())
