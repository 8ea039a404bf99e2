"""Writes src/hnefi/rule_tree.py, the typed form of the rules, from the schema of the core."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hnefi._core import Rules

TARGET = Path(__file__).parents[1] / "src" / "hnefi" / "rule_tree.py"
SECTIONS = {
    "board": ("BoardRules", "The board: size, start position and special squares."),
    "movement": ("MovementRules", "How the pieces move."),
    "hostility": ("HostilityRules", "Which squares capture like an enemy piece."),
    "capture": ("CaptureRules", "How pieces are captured."),
    "ends": ("EndRules", "How a game ends."),
    "special": ("SpecialRules", "Rules of few variants."),
}
# Class names of the maps. Maps with the same keys and values share a class.
MAPS = {
    "range": ("Range", "The greatest distance of a move, by kind of piece; 0 is unlimited."),
    "throne_hostile": ("HostileTo", "When a square is hostile, by kind of piece."),
    "corner_hostile": ("HostileTo", "When a square is hostile, by kind of piece."),
    "king_capture": ("KingCapture", "How the king is captured, by the kind of square he is on."),
    "repetition": ("Repetition", "The result of a repeated position, and the count that ends the game."),
    "jumps": ("Jumps", "Which pieces jump, and over whom."),
}
HEAD = '''"""The rules as typed values. Written by tools/write_rule_tree.py; do not edit."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

Kind = Literal["attackers", "defenders", "king"]


class RuleValues:
    """The base of the classes that hold values of rules."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        """Returns the values as in JSON: nested dictionaries and lists."""
        return {name: json_value(getattr(self, name)) for name in self.__slots__}


def json_value(value: object) -> object:
    """Returns a value of a rule as in JSON: tuples as lists, maps as dictionaries."""
    if isinstance(value, RuleValues):
        return value.to_dict()
    if isinstance(value, tuple):
        return [json_value(entry) for entry in value]
    return value

'''


def text() -> str:
    """Returns the text of the file."""
    entries: dict[str, list[dict[str, Any]]] = {}
    for entry in json.loads(Rules.schema()):
        entries.setdefault(entry["path"].rpartition(".")[0], []).append(entry)
    classes: dict[str, str] = {}
    for leaves in entries.values():
        for entry in leaves:
            if entry["kind"] == "map":
                name, doc = MAPS[entry["name"]]
                fields = {key: _type(value) for key, value in entry["keys"].items()}
                added = _class(name, doc, fields)
                if classes.setdefault(name, added) != added:
                    raise ValueError(f"{entry['name']}: its values are not those of {name}")
    for section, (name, doc) in SECTIONS.items():
        classes[name] = _class(name, doc, {entry["name"]: _type(entry) for entry in entries[section]})
    tree = {entry["name"]: _type(entry) for entry in entries[""]}
    tree |= {section: name for section, (name, _) in SECTIONS.items()}
    classes["RuleTree"] = _class("RuleTree", "The rules of a variant, complete.", tree)
    parts = [HEAD, *classes.values(), _parser()]
    return _formatted("\n\n".join(parts))


def _class(name: str, doc: str, fields: Mapping[str, str]) -> str:
    lines = ["@dataclass(frozen=True, slots=True)", f"class {name}(RuleValues):", f'    """{doc}"""', ""]
    return "\n".join([*lines, *(f"    {field}: {kind}" for field, kind in fields.items())]) + "\n"


def _type(entry: Mapping[str, Any]) -> str:
    match entry["kind"]:
        case "size" | "integer":
            return "int"
        case "flag":
            return "bool"
        case "rows":
            return "str"
        case "camps":
            return "tuple[tuple[str, ...], ...]"
        case "kinds":
            return "tuple[Kind, ...]"
        case "map":
            return MAPS[entry["name"]][0]
        case "choice":
            return f"Literal[{', '.join(json.dumps(value) for value in entry['values'])}]"
    raise ValueError(f"{entry['name']}: no type for {entry['kind']}")


def _parser() -> str:
    maps = {name: kind for name, (kind, _) in MAPS.items()}
    sections = {name: kind for name, (kind, _) in SECTIONS.items()}
    classes = ", ".join(f'"{name}": {kind}' for name, kind in (maps | sections).items())
    return f'''_CLASSES: Mapping[str, Callable[..., RuleValues]] = {{{classes}}}


@lru_cache(maxsize=256)
def parse_rule_tree(text: str) -> RuleTree:
    """Parses the complete rules as `Rules.to_json` returns them.

    >>> from hnefi import variant
    >>> parse_rule_tree(variant("brandub-globe").rules.to_json()).ends.goal
    'corner'
    """
    return RuleTree(**_parsed(json.loads(text)))


def _parsed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Returns values of JSON as fields: maps as objects of their classes, lists as tuples."""
    found: dict[str, Any] = {{}}
    for name, value in values.items():
        if isinstance(value, list):
            found[name] = tuple(tuple(one) if isinstance(one, list) else one for one in value)
        else:
            found[name] = _CLASSES[name](**_parsed(value)) if isinstance(value, dict) else value
    return found
'''


def _formatted(source: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
