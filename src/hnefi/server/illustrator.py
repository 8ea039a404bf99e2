"""A process that finds examples of rules: it reads jobs from its input, one JSON object a line, answers each.

To find one may take a second; here it is done with little priority and limited memory, and holds nothing up.
"""

import json
import sys
from typing import Any

from hnefi._core import Move
from hnefi.errors import HnefiError
from hnefi.examples import Example, example, example_text
from hnefi.server.restraint import limit_process
from hnefi.variant import variant

__all__ = ["main"]

_CPU_S = 24 * 3600
_LONGEST_LINE = 1_000_000


def main() -> int:
    """Finds one example after the other, until the input ends."""
    limit_process(int(sys.argv[1]), _CPU_S)
    while line := sys.stdin.buffer.readline(_LONGEST_LINE):
        try:
            answer = _answer(json.loads(line))
        except HnefiError as error:
            answer = {"code": error.code, "message": str(error), "facts": error.parameters}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


def _answer(job: dict[str, Any]) -> dict[str, Any]:
    made = variant(job["variant"]).with_switches(job["switches"])
    found = example(made, job["leaf"], job["value"])
    return {"example": None if found is None else _told(found, job["lang"])}


def _told(found: Example, lang: str) -> dict[str, Any]:
    """Gives an `ExampleView` as it is written."""
    move, rules, effect = Move(found.move), found.rules, found.effect
    return {
        "leaf": found.leaf,
        "value": found.value,
        "other": found.other,
        "text": example_text(found, lang),
        "position": found.position,
        "origin": move.from_square.name,
        "target": move.to_square.name,
        "legal": effect.legal,
        "captures": [square.name for square in effect.captures],
        "after": effect.position,
        "shape": {
            "size": rules.size,
            "throne": None if rules.throne is None else rules.throne.name,
            "corners": [square.name for square in rules.corners],
            "camps": [[square.name for square in camp] for camp in rules.camps],
            "goals": [square.name for square in rules.goals],
        },
    }


if __name__ == "__main__":
    sys.exit(main())
