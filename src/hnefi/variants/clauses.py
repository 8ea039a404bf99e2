"""The clauses that a variant is written with: each rule's with the value of the rule that they are about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hnefi.variants.schema import value_at
from hnefi.variants.switches import CALL_SWITCHES, format_value

if TYPE_CHECKING:
    from hnefi._core import Rules
    from hnefi.variants.model import Variant

Clauses = Sequence[Mapping[str, Any]]


def clause_tables(variant: "Variant") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Iterates over the clauses of a variant, each with the name of its list in a variant file.

    The clauses of rules that a switch changes are left out: they are about the rule as it was.
    """
    switched = {key.partition(".")[0] for key in variant.switches}
    lists: dict[str, tuple[Clauses, str]] = {}
    if variant.calls is not None and not switched & set(CALL_SWITCHES):
        lists["calls.why"] = variant.calls.get("why", ()), value_of_calls(variant.calls)
    lists["match.why"] = variant.match.get("why", ()), value_of_match(variant.match)
    for leaf, clauses in variant.why.items():
        if leaf not in switched:
            lists[f"why.{leaf}"] = clauses, value_of_rule(variant.rules, leaf)
    for name, (clauses, value) in lists.items():
        yield from ((name, {**clause, "value": value}) for clause in clauses)
    yield from (("fixed", clause) for clause in variant.fixed)


def about_value(clauses: Clauses, value: str) -> list[Mapping[str, Any]]:
    """Returns the clauses that are about a value of their rule: those that name another one do not hold.

    >>> about_value([{"says": "a"}, {"says": "b", "value": "none"}, {"says": "c", "value": "both"}], "both")
    [{'says': 'a'}, {'says': 'c', 'value': 'both'}]
    """
    return [clause for clause in clauses if clause.get("value", value) == value]


def value_of_rule(rules: "Rules", leaf: str) -> str:
    """Returns the value of a rule as clauses name it: as a switch has it, the start position in one line."""
    return format_value(leaf, value_at(rules.tree, leaf))


def value_of_calls(calls: Mapping[str, Any]) -> str:
    """Returns the value of the calls as clauses name it: the values of their switches."""
    return ",".join(str(calls[switch]) for switch in CALL_SWITCHES)


def value_of_match(match: Mapping[str, Any]) -> str:
    """Returns the value of a match as clauses name it: its legs, tie-break and lot."""
    return ",".join(format_value("match", match[key]) for key in ("legs", "tie_break", "lot"))


def without_clauses(variant: "Variant") -> "Variant":
    """Returns a variant without its clauses, and so without the sentences that depend on them."""
    calls = variant.calls and {key: value for key, value in variant.calls.items() if key != "why"}
    match = {key: value for key, value in variant.match.items() if key != "why"}
    return replace(variant, calls=calls, match=match, why={}, fixed=())
