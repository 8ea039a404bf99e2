"""The schema of the rules: every rule key with its path, kind and values."""

from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any

from hnefi._core import Rules

if TYPE_CHECKING:
    from hnefi.rule_tree import RuleTree

TreeDict = dict[str, Any]
"""Rules as nested dictionaries, as TOML and JSON have them: what switches change."""

RULE_GROUPS: Mapping[str, tuple[str, ...]] = {
    "board": ("size", "start", "first", "goal"),
    "squares": ("throne", "corners", "camps"),
    "moves": ("range", "throne_stop", "throne_pass", "corner_stop"),
    "captures": ("king_armed", "king_capture", "linnaean", "blocked_groups", "shieldwall"),
    "hostility": ("throne_hostile", "corner_hostile", "edge_hostile_king", "camp_hostile", "occupied_camps"),
    "ends": (
        *("king_captured", "guards_captured", "attackers_captured", "tuichi", "enclosure", "exit_fort"),
        *("no_move", "repetition", "quiet_limit"),
    ),
    "special": ("berserk", "jumps", "commander_pair", "knights_taken"),
}
"""The rule keys in groups, in the order in which the rule editor asks for them."""

# The order in which these entries of a map are written; those of the other maps are in alphabetical order.
_ZONES = ("on_throne", "beside_throne", "elsewhere")


@cache
def schema() -> dict[str, dict[str, Any]]:
    """Returns the rule keys by leaf name, each with its path, kind, values and neutral value.

    >>> schema()["quiet_limit"]["path"]
    'ends.quiet_limit'
    """
    import json

    return {entry["name"]: entry for entry in json.loads(Rules.schema())}


@cache
def rule_sections() -> frozenset[str]:
    """Returns the names of the sections of a rule tree: `board`, `capture` and so on."""
    return frozenset(str(entry["path"]).split(".")[0] for entry in schema().values() if "." in entry["path"])


def neutral_section(section: str) -> TreeDict:
    """Returns a section of a rule tree with the neutral value of every key, as if it were left out.

    >>> neutral_section("special")["berserk"]
    'none'
    """
    return {
        leaf: deepcopy(entry["neutral"])
        for leaf, entry in schema().items()
        if entry["path"] == f"{section}.{leaf}"
    }


def completed(tree: TreeDict) -> TreeDict:
    """Returns a copy of a rule tree with the keys that a file may leave out: those of the section `special`.

    >>> completed({"first": "attackers", "special": {"berserk": "may"}})["special"]["commander_pair"]
    'none'
    """
    complete = deepcopy(tree)
    complete["special"] = neutral_section("special") | complete.get("special", {})
    return complete


def value_at(tree: "RuleTree | TreeDict", leaf: str) -> Any:
    """Returns the value of a rule in a complete rule tree, as in JSON.

    >>> value_at({"ends": {"quiet_limit": 40}}, "quiet_limit")
    40
    """
    from hnefi.rule_tree import json_value

    value: Any = tree
    for name in schema()[leaf]["path"].split("."):
        value = value[name] if isinstance(value, dict) else getattr(value, name)
    return json_value(value)


def entries_in_order(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the entries of a map in the order in which a switch lists their values.

    >>> list(entries_in_order({"king": 0, "attackers": 1}))
    ['attackers', 'king']
    """
    return {key: keys[key] for key in (_ZONES if set(keys) == set(_ZONES) else sorted(keys))}
