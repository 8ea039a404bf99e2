"""Switches: rules changed by name when a game is created (`quiet_limit=40`), and how they are read."""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from hnefi._core import Rules
from hnefi.errors import VariantError, shown

Tree = dict[str, Any]

# The words of the rules study, understood as input and never written (decision 3).
_LEAF_WORDS = {
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
_VALUE_WORDS = {
    "king_capture": {"two": "custodial", "four": "four_sides"},
    "linnaean": {"king": "guard_and_king"},
    "goal": {"refuge": "corner"},
    "corners": {"corners": "1x1", "corners2x2": "2x2"},
    "edge_hostile_king": {"yes": "true", "no": "false"},
}
_KINDS = {"A": "attackers", "D": "defenders", "K": "king"}
# The order in which these entries of a map are written; those of the other maps are in alphabetical order.
_ZONES = ("on_throne", "beside_throne", "elsewhere")
_NOBODY = ("", "none", "nobody", "-")

# The calls' own switches; they are not part of the rules (decision 10).
CALL_SWITCHES: dict[str, tuple[str, ...]] = {
    "sanction": ("none", "replay"),
    "replay": ("same_piece", "any_piece"),
}


@cache
def schema() -> dict[str, dict[str, Any]]:
    """Gives the parameters of the rules by leaf name: path, kind, values, neutral value.

    >>> schema()["quiet_limit"]["path"]
    'ends.quiet_limit'
    """
    import json

    return {entry["name"]: entry for entry in json.loads(Rules.schema())}


def neutral_section(section: str) -> Tree:
    """Gives a section of a rules tree with the neutral value of every key: what stands for it if left out.

    >>> neutral_section("special")["berserk"]
    'none'
    """
    entries = schema().values()
    return {entry["name"]: deepcopy(entry["neutral"]) for entry in entries if _of_section(entry, section)}


def completed(tree: Tree) -> Tree:
    """Gives a copy of a rules tree with what a file may leave out: the keys of the section `special`.

    >>> completed({"first": "attackers", "special": {"berserk": "may"}})["special"]["commander_pair"]
    'none'
    """
    found = deepcopy(tree)
    special = found.get("special", {})
    if isinstance(special, dict):
        found["special"] = {**neutral_section("special"), **special}
    return found


def _of_section(entry: Mapping[str, Any], section: str) -> bool:
    return bool(entry["path"] == f"{section}.{entry['name']}")


def parse_switches(items: list[str] | tuple[str, ...]) -> dict[str, str]:
    """Reads `KEY=VALUE` texts; the last of the same key counts.

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
    """Makes the error of a switch that cannot be used.

    Args:
        switch: The switch, as it was typed.
        found: What is wrong about it.
        expected: What may stand there.
        part: `form`, `name`, `value`, or `calls` where a variant without calls is to change them.
    """
    switch, found = shown(switch), shown(found)
    message = f"switch {switch}: {found or '-'}, expected {expected}"
    return VariantError(
        "bad_switch", message, {"part": part, "switch": switch, "found": found, "expected": expected}
    )


def apply_switches(tree: Tree, switches: Mapping[str, str]) -> tuple[Tree, dict[str, str]]:
    """Gives a changed copy of a rules tree, and the switches in their one written form, sorted.

    A switch whose value the tree has already is left out of the written ones. The copy is complete, whatever
    the tree leaves out.

    Raises:
        VariantError: With code `bad_switch`, if a key is unknown or a value cannot be read.
    """
    before, changed = completed(tree), completed(tree)
    touched: dict[str, str | None] = {}
    for switch, text in switches.items():
        leaf, entry = find_leaf(switch)
        section = _section(changed, leaf)
        parameter = schema()[leaf]
        value = _read(switch, leaf, parameter, text, entry, section.get(leaf))
        section[leaf] = value
        touched[leaf] = None
    said = {
        leaf: written(leaf, _section(changed, leaf)[leaf])
        for leaf in sorted(touched)
        if _section(changed, leaf)[leaf] != _section(before, leaf)[leaf]
    }
    return changed, said


def _section(tree: Tree, leaf: str) -> Tree:
    section, _, name = str(schema()[leaf]["path"]).rpartition(".")
    assert name == leaf
    found: Tree = tree[section] if section else tree
    return found


def value_at(tree: Mapping[str, Any], leaf: str) -> Any:
    """Gives what a rule is in a complete rules tree.

    >>> value_at({"ends": {"quiet_limit": 40}}, "quiet_limit")
    40
    """
    found: Any = tree
    for name in schema()[leaf]["path"].split("."):
        found = found[name]
    return found


def find_leaf(switch: str) -> tuple[str, str | None]:
    """Splits a switch into its leaf and, for one entry of a map, the entry.

    Raises:
        VariantError: With code `bad_switch`, if there is no such rule or entry.

    >>> find_leaf("throne_hostile.K")
    ('throne_hostile', 'king')
    """
    parts = switch.removeprefix("rules.").split(".")
    sections = {str(entry["path"]).split(".")[0] for entry in schema().values() if "." in entry["path"]}
    if len(parts) > 1 and parts[0] in sections:
        parts = parts[1:]
    leaf = _LEAF_WORDS.get(parts[0], parts[0])
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


def _read(
    switch: str, leaf: str, parameter: Mapping[str, Any], text: str, entry: str | None, old: object
) -> object:
    kind = parameter["kind"]
    if kind != "map":
        return _scalar(switch, leaf, kind, text)
    keys: Mapping[str, Mapping[str, Any]] = parameter["keys"]
    values: dict[str, object] = dict(old) if isinstance(old, dict) else {}
    if entry is not None:
        values[entry] = _scalar(switch, leaf, keys[entry]["kind"], text)
        return values
    parts = [part.strip() for part in text.replace(" ", ",").split(",") if part.strip()]
    is_full = len(parts) in (1, len(keys)) and set(parts) <= _hostilities(keys)
    if leaf.endswith("_hostile") and not is_full:
        kinds = _read_kinds(switch, text)
        return {key: "empty" if key in kinds else "never" for key in keys}
    if leaf == "repetition" and len(parts) == 1 and parts[0] in ("none", "0"):
        parts = ["0", "none"]
    if len(parts) == 1 and len({description["kind"] for description in keys.values()}) == 1:
        parts *= len(keys)
    if len(parts) != len(keys):
        raise bad_switch(switch, text, ",".join(keys))
    return {
        key: _scalar(switch, leaf, description["kind"], part)
        for part, (key, description) in zip(parts, entries_in_order(keys).items(), strict=True)
    }


def _hostilities(keys: Mapping[str, Mapping[str, Any]]) -> set[str]:
    return {value for description in keys.values() for value in description["values"]}


def entries_in_order(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Gives the entries of a map in the order in which a switch has their values.

    >>> list(entries_in_order({"king": 0, "attackers": 1}))
    ['attackers', 'king']
    """
    return {key: keys[key] for key in (_ZONES if set(keys) == set(_ZONES) else sorted(keys))}


def _scalar(switch: str, leaf: str, kind: str, text: str) -> object:
    text = _VALUE_WORDS.get(leaf, {}).get(text, text)
    if kind == "flag":
        if text not in ("true", "false"):
            raise bad_switch(switch, text, "true | false")
        return text == "true"
    if kind in ("integer", "size"):
        if not (text.isascii() and text.isdigit() and len(text) <= 6):
            raise bad_switch(switch, text, "0…999999")
        return int(text)
    if kind == "kinds":
        return _read_kinds(switch, text)
    if kind == "camps":
        if text in _NOBODY:
            return []
        groups = [group.split() for group in text.replace(",", " ").split("/")]
        return [group for group in groups if group]
    return text


def _read_kinds(switch: str, text: str) -> list[str]:
    if text in _NOBODY:
        return []
    if text.isupper() and set(text) <= set(_KINDS):
        named = {_KINDS[letter] for letter in text}
    else:
        named = {part.strip() for part in text.split(",")}
    unknown = named - set(_KINDS.values())
    if unknown:
        raise bad_switch(switch, ", ".join(sorted(unknown)), " | ".join(_KINDS.values()))
    return [kind for kind in _KINDS.values() if kind in named]


def written(leaf: str, value: object) -> str:
    """Writes the value of a leaf so that it reads back the same."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return ",".join(written(leaf, entry) for entry in entries_in_order(value).values())
    if isinstance(value, list):
        if value and isinstance(value[0], list):
            return "/".join(" ".join(group) for group in value)
        return ",".join(value) or "none"
    return str(value)
