"""Variant files: parsing and writing the TOML format of docs/reference/variant-files.md."""

import re
from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hnefi._core import Rules
from hnefi.errors import Fault, VariantError, shorten
from hnefi.text_faults import encoding_fault, parse_toml, toml_fault
from hnefi.variants.clauses import (
    about_value,
    clause_tables,
    value_of_calls,
    value_of_match,
    value_of_rule,
    without_clauses,
)
from hnefi.variants.common_clauses import expand_common_clauses
from hnefi.variants.model import ONE_GAME, Variant
from hnefi.variants.schema import TreeDict, completed, rule_sections
from hnefi.variants.section_faults import missing_key, section_faults
from hnefi.variants.switches import CALL_DEFAULTS

if TYPE_CHECKING:
    from hnefi.rule_tree import RuleTree

_LARGEST = 1_000_000
_ID_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_NEEDED = {"id": "a-z 0-9 -", "revision": "1…", "rules": "[rules]"}
_SECTIONS = ("id", "revision", "about", "rules", "calls", "match", "common_clauses", "why", "fixed")


def load_variant(path: str | Path) -> Variant:
    """Reads a variant file.

    Raises:
        VariantError: With all faults of the file.
        OSError: If the file cannot be read.
    """
    with Path(path).open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise bad_variant([Fault("wrong_value", "-", "> 1 MB", "≤ 1 MB")]).of_file(str(path))
    return parse_content(content, str(path))


def parse_content(content: bytes, path: str) -> Variant:
    """Parses the content of a variant file; its faults name the path.

    Raises:
        VariantError: With all faults of the file.
    """
    try:
        return parse_variant(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise bad_variant([encoding_fault(error, path)]).of_file(path) from error
    except VariantError as error:
        raise error.of_file(path) from None


def parse_variant(text: str) -> Variant:
    """Parses the TOML text of a variant file (docs/reference/variant-files.md).

    Raises:
        VariantError: With all faults of the text; `bad_toml` also for integers of more than 4,300 digits.
    """
    import json

    try:
        # JSON has no infinite numbers: they become text, which the core refuses, too.
        data = parse_toml(text, lambda found: float(found) if isfinite(float(found)) else found)
    except (ValueError, RecursionError) as error:
        raise bad_variant([toml_fault(error, text)]) from error
    faults = _shape_faults(data)
    try:
        # Dates, which TOML has and JSON lacks, become text, which the core refuses.
        rules = Rules(json.dumps(data.get("rules", {}), default=str))
    except VariantError as error:
        for fault in error.faults:
            faults.append(fault if fault.path == "rules" else replace(fault, path=f"rules.{fault.path}"))
        raise bad_variant(faults) from None
    tree = completed(data["rules"])
    common, common_faults = expand_common_clauses(data.get("common_clauses", []), tree, _documents(data))
    faults += common_faults
    if faults:
        raise bad_variant(faults)
    match = {**ONE_GAME, **data.get("match", {})}
    match["why"] = about_value([*common.pop("match", []), *match.get("why", [])], value_of_match(match))
    calls = CALL_DEFAULTS | data["calls"] if "calls" in data else None
    if calls is not None:
        calls["why"] = about_value(calls.get("why", []), value_of_calls(calls))
    fixed = [*common.pop("fixed", []), *data.get("fixed", [])]
    why = data.get("why", {})
    own = {leaf: about_value(clauses, value_of_rule(rules, leaf)) for leaf, clauses in why.items()}
    return Variant(
        id=data["id"],
        revision=data["revision"],
        rules=rules,
        tree_dict=tree,
        about=data.get("about", {}),
        calls=calls,
        match=match,
        why=own | {leaf: [*clauses, *own.get(leaf, [])] for leaf, clauses in common.items()},
        fixed=tuple(fixed),
    )


def _documents(data: TreeDict) -> tuple[str, ...]:
    """Returns the documents of the sources that a file names."""
    about = data.get("about")
    sources = about.get("sources") if isinstance(about, dict) else None
    documents = (
        source.get("document")
        for source in (sources if isinstance(sources, list) else [])
        if isinstance(source, dict)
    )
    return tuple(document for document in documents if isinstance(document, str))


def bad_variant(faults: list[Fault]) -> VariantError:
    """Creates the error for a variant file with faults."""
    return VariantError.of_faults("bad_variant", faults)


def _shape_faults(data: TreeDict) -> list[Fault]:
    faults = [
        Fault("unknown_key", shorten(key), "-", " | ".join(_SECTIONS)) for key in data if key not in _SECTIONS
    ]
    variant_id, revision = data.get("id"), data.get("revision")
    faults += [missing_key(key, expected) for key, expected in _NEEDED.items() if key not in data]
    if "id" in data and not (
        isinstance(variant_id, str) and variant_id.strip("-") and set(variant_id) <= _ID_LETTERS
    ):
        faults.append(Fault("wrong_value", "id", shorten(variant_id), _NEEDED["id"]))
    if "revision" in data and not (type(revision) is int and revision >= 1):
        faults.append(Fault("wrong_value", "revision", shorten(revision), _NEEDED["revision"]))
    if not isinstance(data.get("rules", {}), dict):
        faults.append(Fault("wrong_type", "rules", shorten(data["rules"]), _NEEDED["rules"]))
    return [*faults, *section_faults(data)]


def format_variant(variant: Variant) -> str:
    """Formats a variant as a variant file, with all that it says of the game.

    A clause (`why`) has the value of its rule, so that it does not hold once the file has another one. The
    format is described in docs/reference/variant-files.md.

    >>> from hnefi import variant
    >>> text = format_variant(variant("tablut-kouvia"))
    >>> parse_variant(text).rules == variant("tablut-kouvia").rules
    True
    """
    lines = [f"id = {_toml(variant.id)}", f"revision = {variant.revision}", "", "[about]"]
    lines += _about_lines(variant.about)
    lines += _rules_lines(variant.tree)
    bare = without_clauses(variant)
    if bare.calls is not None:
        lines += ["", "[calls]", *(f"{key} = {_toml(value)}" for key, value in bare.calls.items())]
    lines += ["", "[match]", *(f"{key} = {_toml(value)}" for key, value in bare.match.items())]
    for name, clause in clause_tables(variant):
        lines += ["", f"[[{name}]]", *(f"{key} = {_toml(value)}" for key, value in clause.items())]
    return "\n".join(lines) + "\n"


def _about_lines(about: Mapping[str, Any]) -> list[str]:
    """Returns the lines of what a variant says of its game, long texts in lines and lists of tables last."""
    lines: list[str] = []
    tables: list[str] = []
    for key, value in about.items():
        if isinstance(value, list | tuple) and value and all(isinstance(entry, Mapping) for entry in value):
            for entry in value:
                facts = (f"{_key(str(name))} = {_toml(fact)}" for name, fact in entry.items())
                tables += ["", f"[[about.{_key(key)}]]", *facts]
        elif isinstance(value, Mapping) and any("\n" in str(text) for text in value.values()):
            lines += [f"{_key(key)}.{_key(str(name))} = {_long(str(text))}" for name, text in value.items()]
        elif value or value is False:
            lines.append(f"{_key(key)} = {_toml(value)}")
    return lines + tables


def _long(text: str) -> str:
    """Formats a text of several lines."""
    return '"""\n' + "\n".join(_json(line)[1:-1] for line in text.split("\n")) + '"""'


def _rules_lines(tree: "RuleTree") -> list[str]:
    lines = ["", "[rules]"]
    for name, section in tree.to_dict().items():
        if name not in rule_sections():
            lines.append(f"{name} = {_toml(section)}")
            continue
        lines += ["", f"[rules.{name}]"]
        lines += [
            f"{key} = {_diagram(value) if key == 'start' else _toml(value)}" for key, value in section.items()
        ]
    return lines


def _diagram(start: str) -> str:
    """Formats a start position as a multi-line string, one line for each row of the board."""
    rows = start.strip().split("/") if "/" in start else start.strip().splitlines()
    cells = (re.sub(r"\d+", lambda number: "." * int(number[0]), row) for row in rows)
    return '"""\n' + "\n".join(" ".join("".join(row.split())) for row in cells) + '\n"""'


def _toml(value: object) -> str:
    """Formats a value as TOML. The strings of JSON are valid TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {_toml(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return _json(value).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _json(key)


def _json(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
