"""Clauses shared by many variant files, expanded from `common_clauses.toml`."""

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hnefi.errors import Fault, nearest_choices, shorten
from hnefi.variants.schema import TreeDict, schema, value_at
from hnefi.variants.switches import format_value

STATUSES: Mapping[str, str] = {
    "text": "text",
    "silent": "usage",
    "absent": "usage",
    "implied": "other_clause",
}
"""The lists of a `[[common_clauses]]` table, each with the mark of its clauses."""


def expand_common_clauses(
    tables: object, rules: TreeDict, sources: Collection[str]
) -> tuple[dict[str, list[dict[str, Any]]], list[Fault]]:
    """Expands the `[[common_clauses]]` tables of a variant file into clauses, by rule, and the faults found.

    Args:
        tables: The tables, as TOML has them.
        rules: The complete rules of the variant, which select the statement about each.
    """
    clauses: dict[str, list[dict[str, Any]]] = {}
    faults: list[Fault] = []
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        return {}, [Fault("wrong_type", "common_clauses", shorten(tables), "[[common_clauses]]")]
    for number, table in enumerate(tables):
        where = f"common_clauses[{number}]"
        expected = " | ".join(("source", *STATUSES))
        faults += [
            Fault("unknown_key", f"{where}.{shorten(key)}", "-", expected)
            for key in table
            if key not in ("source", *STATUSES)
        ]
        if table.get("source") not in sources:
            expected = " | ".join(sources) or "[[about.sources]] document"
            faults.append(
                Fault("wrong_value", f"{where}.source", shorten(table.get("source", "-")), expected)
            )
        for status, leaf, path in _entries(table, where):
            clause = _clause(status, leaf, rules)
            if clause is None:
                faults.append(Fault("wrong_value", path, _found(status, leaf, rules), _known(status, leaf)))
            else:
                clauses.setdefault(str(leaf), []).append({"source": table.get("source"), **clause})
    return clauses, faults


def _entries(table: Mapping[str, object], where: str) -> Iterator[tuple[str, object, str]]:
    for status in STATUSES:
        leaves = table.get(status, [])
        for number, leaf in enumerate(leaves if isinstance(leaves, list) else [leaves]):
            yield status, leaf, f"{where}.{status}[{number}]"


def _found(status: str, leaf: object, rules: TreeDict) -> str:
    """Returns what may not stand in a list, for an error: a rule without a statement with its value."""
    if status not in ("text", "silent") or not isinstance(leaf, str) or leaf not in schema():
        return shorten(leaf)
    return shorten(f"{leaf}={format_value(leaf, value_at(rules, leaf))}")


def _known(status: str, leaf: object) -> str:
    """Returns what may stand in a list, for an error: the values of the rule with a statement, or rules."""
    common, name = _common(), str(leaf)
    choices = common["statements"] if status in ("text", "silent") else common[status]
    if name in choices and status in ("text", "silent"):
        return " | ".join(f"{name}={value}" for value in choices[name])
    return nearest_choices(name, choices)


def _clause(status: str, leaf: object, rules: TreeDict) -> dict[str, Any] | None:
    """Returns the clause of a rule, None if there are no common words for it."""
    common = _common()
    if not isinstance(leaf, str):
        return None
    if status in ("text", "silent"):
        says = _statement(common["statements"].get(leaf, {}), leaf, rules)
    else:
        says = common[status].get(leaf)
    if says is None:
        return None
    clause: dict[str, Any] = {"mark": STATUSES[status], "says": says}
    if leaf in common["parts"]:
        clause["parts"] = common["parts"][leaf]
    if status == "silent":
        silence = common["silent"]
        clause |= {"says": silence["says"], "ruling": says, **silence.get(leaf, {})}
    return clause


def _statement(by_value: Mapping[str, dict[str, str]], leaf: str, rules: TreeDict) -> dict[str, str] | None:
    """Returns the sentence for the value of a rule, with the numbers of the variant."""
    if "*" in by_value:
        start = value_at(rules, "start")
        facts = {
            "size": value_at(rules, "size"),
            "attackers": start.count("t"),
            "defenders": start.count("T"),
        }
        return {lang: sentence.format(**facts) for lang, sentence in by_value["*"].items()}
    return by_value.get(format_value(leaf, value_at(rules, leaf))) if by_value else None


@cache
def _common() -> dict[str, Any]:
    """Returns the sentences of `common_clauses.toml`, read on first use."""
    import tomllib

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
