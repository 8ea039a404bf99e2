"""Switches: rules changed by name, such as `quiet_limit=40`."""

from collections.abc import Mapping
from typing import Any

from hnefi.errors import Fault, VariantError, shorten
from hnefi.variants.schema import TreeDict, completed, entries_in_order, rule_sections, schema

# Other names of keys and values, accepted as input and never written (decision 3).
_LEAF_ALIASES = {
    "refuges": "corners",
    "refuge_stop": "corner_stop",
    "refuge_hostile": "corner_hostile",
    "throne_guard": "linnaean",
    "enclosed": "blocked_groups",
    "two_routes": "tuichi",
    "surround": "enclosure",
    "king_taken": "king_captured",
    "guards_taken": "guards_captured",
    "attackers_taken": "attackers_captured",
}
_VALUE_ALIASES = {
    "king_capture": {"two": "custodial", "four": "four_sides"},
    "linnaean": {"king": "guard_and_king"},
    "goal": {"refuge": "corner"},
    "corners": {"corners": "1x1", "corners2x2": "2x2"},
    "edge_hostile_king": {"yes": "true", "no": "false"},
}
_KINDS = {"A": "attackers", "D": "defenders", "K": "king"}
_EMPTY_LISTS = ("", "none", "nobody", "-")

# The switches of the calls; they are not part of the rules (decision 10).
CALL_SWITCHES: dict[str, tuple[str, ...]] = {
    "sanction": ("none", "replay", "until_called"),
    "replay": ("same_piece", "any_piece"),
    "wrong_number": ("call", "forgotten"),
}
CALL_DEFAULTS: dict[str, str] = {"wrong_number": "call"}
"""The values of the switches of the calls that a variant file, a record and a stored game may leave out."""


def parse_switches(items: list[str] | tuple[str, ...]) -> dict[str, str]:
    """Parses `KEY=VALUE` texts; the last of the same key counts.

    Raises:
        VariantError: With code `bad_switch`, if a text has no `=`.

    >>> parse_switches(["quiet_limit=40", "throne_hostile.A = always"])
    {'quiet_limit': '40', 'throne_hostile.A': 'always'}
    """
    switches: dict[str, str] = {}
    for item in items:
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise bad_switch(item, item, "KEY=VALUE", part="form")
        switches[key.strip()] = value.strip()
    return switches


def bad_switch(switch: str, found: str, expected: str, part: str = "value") -> VariantError:
    """Creates the error for a switch that cannot be applied.

    Args:
        switch: The switch as typed.
        found: The part that is wrong.
        expected: The allowed values.
        part: `form`, `name`, `value`, or `calls` if it changes the calls of a variant without calls.
    """
    switch, found = shorten(switch), shorten(found)
    message = f"switch {switch}: {found or '-'}, expected {expected}"
    return VariantError(
        "bad_switch", message, {"part": part, "switch": switch, "found": found, "expected": expected}
    )


def switch_texts(switches: Mapping[str, str | int]) -> dict[str, str]:
    """Returns switches with numbers and truth values as texts."""
    return {key: value if isinstance(value, str) else str(value).lower() for key, value in switches.items()}


def apply_switches(tree: TreeDict, switches: Mapping[str, str]) -> tuple[TreeDict, dict[str, str]]:
    """Returns a changed, complete copy of a rule tree and the switches in canonical form, sorted.

    Switches that change nothing are left out of the returned ones.

    Raises:
        VariantError: With code `bad_switch`, if a key is unknown or a value cannot be parsed; it is about the
            first such switch, and has the others as faults.
    """
    before, changed = completed(tree), completed(tree)
    leaves: set[str] = set()
    errors: list[VariantError] = []
    for switch, text in switches.items():
        try:
            leaf, entry = find_leaf(switch)
            section = _section(changed, leaf)
            section[leaf] = _parse_value(switch, leaf, text, entry, section.get(leaf))
            leaves.add(leaf)
        except VariantError as error:
            errors.append(error)
    if errors:
        first, *others = errors
        faults = [_fault(error.parameters) for error in others]
        raise VariantError(first.code, "\n".join(one.detail for one in errors), first.parameters, faults)
    return changed, {
        leaf: format_value(leaf, _section(changed, leaf)[leaf])
        for leaf in sorted(leaves)
        if _section(changed, leaf)[leaf] != _section(before, leaf)[leaf]
    }


def _fault(facts: Mapping[str, str]) -> Fault:
    code = "unknown_key" if facts["part"] == "name" else "wrong_value"
    return Fault(code, facts["switch"], facts["found"], facts["expected"])


def _section(tree: TreeDict, leaf: str) -> TreeDict:
    name = str(schema()[leaf]["path"]).rpartition(".")[0]
    section: TreeDict = tree[name] if name else tree
    return section


def find_leaf(switch: str) -> tuple[str, str | None]:
    """Splits the key of a switch into the rule and, for one entry of a map, the entry.

    Raises:
        VariantError: With code `bad_switch`, if there is no such rule or entry.

    >>> find_leaf("throne_hostile.K")
    ('throne_hostile', 'king')
    """
    parts = switch.removeprefix("rules.").split(".")
    if len(parts) > 1 and parts[0] in rule_sections():
        parts = parts[1:]
    leaf = _LEAF_ALIASES.get(parts[0], parts[0])
    parameter = schema().get(leaf)
    if parameter is None:
        raise bad_switch(switch, parts[0], " | ".join([*schema(), *CALL_SWITCHES]), part="name")
    if len(parts) == 1:
        return leaf, None
    entry = _KINDS.get(parts[1].upper(), parts[1])
    keys = parameter.get("keys", {})
    if len(parts) > 2 or entry not in keys:
        raise bad_switch(switch, ".".join(parts[1:]), " | ".join(keys) or leaf, part="name")
    return leaf, entry


def _parse_value(switch: str, leaf: str, text: str, entry: str | None, old: object) -> object:
    parameter = schema()[leaf]
    if parameter["kind"] != "map":
        return _parse_scalar(switch, leaf, parameter["kind"], text)
    keys: Mapping[str, Mapping[str, Any]] = parameter["keys"]
    values: dict[str, object] = dict(old) if isinstance(old, dict) else {}
    if entry is not None:
        values[entry] = _parse_scalar(switch, leaf, keys[entry]["kind"], text)
        return values
    parts = [part.strip() for part in text.replace(" ", ",").split(",") if part.strip()]
    is_full = len(parts) in (1, len(keys)) and set(parts) <= _hostilities(keys)
    if leaf.endswith("_hostile") and not is_full:
        kinds = _parse_kinds(switch, text)
        return {key: "empty" if key in kinds else "never" for key in keys}
    if leaf == "repetition" and len(parts) == 1 and parts[0] in ("none", "0"):
        parts = ["0", "none"]
    if len(parts) == 1 and len({description["kind"] for description in keys.values()}) == 1:
        parts *= len(keys)
    if len(parts) != len(keys):
        raise bad_switch(switch, text, ",".join(keys))
    return {
        key: _parse_scalar(switch, leaf, description["kind"], part)
        for part, (key, description) in zip(parts, entries_in_order(keys).items(), strict=True)
    }


def _hostilities(keys: Mapping[str, Mapping[str, Any]]) -> set[str]:
    return {value for description in keys.values() for value in description["values"]}


def _parse_scalar(switch: str, leaf: str, kind: str, text: str) -> object:
    text = _VALUE_ALIASES.get(leaf, {}).get(text, text)
    if kind == "flag":
        if text not in ("true", "false"):
            raise bad_switch(switch, text, "true | false")
        return text == "true"
    if kind in ("integer", "size"):
        if not (text.isascii() and text.isdigit() and len(text) <= 6):
            raise bad_switch(switch, text, "0…999999")
        return int(text)
    if kind == "kinds":
        return _parse_kinds(switch, text)
    if kind == "camps":
        if text in _EMPTY_LISTS:
            return []
        groups = [group.split() for group in text.replace(",", " ").split("/")]
        return [group for group in groups if group]
    return text


def _parse_kinds(switch: str, text: str) -> list[str]:
    if text in _EMPTY_LISTS:
        return []
    if text.isupper() and set(text) <= set(_KINDS):
        named = {_KINDS[letter] for letter in text}
    else:
        named = {part.strip() for part in text.split(",")}
    unknown = named - set(_KINDS.values())
    if unknown:
        raise bad_switch(switch, ", ".join(sorted(unknown)), " | ".join(_KINDS.values()))
    return [kind for kind in _KINDS.values() if kind in named]


def format_value(leaf: str, value: object) -> str:
    """Formats the value of a rule so that a switch reads it back the same."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ",".join(format_value(leaf, entry) for entry in entries_in_order(value).values())
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return "/".join(" ".join(group) for group in value)
        return ",".join(value) or "none"
    return str(value)
