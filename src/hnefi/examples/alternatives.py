"""The alternative values with which a value of a rule is compared."""

from collections.abc import Iterator, Mapping
from typing import Any

from hnefi.variants.schema import schema
from hnefi.variants.switches import format_value

# No single move shows these: the board itself, and the side that begins.
SILENT = frozenset({"size", "start", "first"})
# The example values for limits and counts.
_SOME_LIMIT = 20
_SOME_COUNT = 3


def other_values(leaf: str, value: object, size: int, entry: str | None = None) -> Iterator[str]:
    """Iterates over the other values of a rule, as in switches, the most instructive first.

    Args:
        entry: The only entry of a map to change; any if None.
    """
    parameter = schema()[leaf]
    if leaf == "repetition":
        values: Iterator[object] = _repetitions(value)
    elif parameter["kind"] == "map" and isinstance(value, Mapping):
        values = _maps(parameter, value, entry)
    elif parameter["kind"] == "kinds" and isinstance(value, list):
        values = _toggled(parameter["values"], value)
    elif parameter["kind"] == "camps":
        values = iter([[]] if value else [_edge_camps(size)])
    else:
        values = _scalars(parameter, value)
    yield from (format_value(leaf, other) for other in values)


def _scalars(parameter: Mapping[str, Any], value: object) -> Iterator[object]:
    """Iterates over the other values of a rule or an entry, the nearest first, smaller before larger."""
    kind = parameter["kind"]
    if kind == "flag":
        yield not value
    elif kind == "integer":
        yield 0 if value else (_SOME_LIMIT if parameter["values"][1] > _SOME_LIMIT else 1)
    elif kind == "choice":
        words: list[str] = parameter["values"]
        here = words.index(str(value))
        others = [other for other in words if other != value]
        yield from sorted(
            others, key=lambda one: (abs(words.index(one) - here), one not in ("none", "never"))
        )


def _maps(parameter: Mapping[str, Any], value: Mapping[str, Any], entry: str | None) -> Iterator[object]:
    """Iterates over maps with one changed entry, and with all changed if all are equal.

    Entries that are not neutral come first, then the entry `elsewhere`.
    """
    neutral = parameter["neutral"] or {}
    keys = [entry] if entry else list(parameter["keys"])
    for key in sorted(keys, key=lambda key: (value[key] == neutral.get(key), key != "elsewhere")):
        for other in _scalars(parameter["keys"][key], value[key]):
            yield {**value, key: other}
    if entry is None and len(set(value.values())) == 1:
        for other in _scalars(parameter["keys"][keys[0]], value[keys[0]]):
            yield dict.fromkeys(value, other)


def _toggled(kinds: list[str], value: list[str]) -> Iterator[object]:
    """Iterates over lists of kinds with one removed or added."""
    for kind in kinds:
        chosen = set(value) ^ {kind}
        yield [one for one in kinds if one in chosen]


def _repetitions(value: object) -> Iterator[object]:
    """Iterates over the other results for the same count, and over no result."""
    assert isinstance(value, Mapping)
    if value["count"]:
        yield {"count": 0, "result": "none"}
    for result in schema()["repetition"]["keys"]["result"]["values"]:
        if result not in ("none", value["result"]):
            yield {"count": value["count"] or _SOME_COUNT, "result": result}


def _edge_camps(size: int) -> list[list[str]]:
    """Returns camps of four squares in the middle of each edge, as in tablut."""
    middle, last = size // 2, size - 1
    below = [(middle - 1, 0), (middle, 0), (middle + 1, 0), (middle, 1)]
    turned = [
        below,
        [(y, x) for x, y in below],
        [(x, last - y) for x, y in below],
        [(last - y, x) for x, y in below],
    ]
    return [[f"{chr(ord('a') + x)}{y + 1}" for x, y in camp] for camp in turned]
