"""The rules as typed values. Written by tools/write_rule_tree.py; do not edit."""

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


@dataclass(frozen=True, slots=True)
class Range(RuleValues):
    """The greatest distance of a move, by kind of piece; 0 is unlimited."""

    attackers: int
    defenders: int
    king: int


@dataclass(frozen=True, slots=True)
class HostileTo(RuleValues):
    """When a square is hostile, by kind of piece."""

    attackers: Literal["never", "empty", "always"]
    defenders: Literal["never", "empty", "always"]
    king: Literal["never", "empty", "always"]


@dataclass(frozen=True, slots=True)
class KingCapture(RuleValues):
    """How the king is captured, by the kind of square he is on."""

    beside_throne: Literal["custodial", "four_sides", "never"]
    elsewhere: Literal["custodial", "four_sides", "never"]
    on_throne: Literal["custodial", "four_sides", "never"]


@dataclass(frozen=True, slots=True)
class Repetition(RuleValues):
    """The result of a repeated position, and the count that ends the game."""

    count: int
    result: Literal["none", "draw", "draw_in_a_row", "defenders_lose", "mover_loses"]


@dataclass(frozen=True, slots=True)
class Jumps(RuleValues):
    """Which pieces jump, and over whom."""

    commanders: Literal["none", "restricted", "over", "anyone", "capture"]
    king: Literal["none", "restricted", "over", "anyone", "capture"]
    knights: Literal["none", "restricted", "over", "anyone", "capture"]


@dataclass(frozen=True, slots=True)
class BoardRules(RuleValues):
    """The board: size, start position and special squares."""

    size: int
    start: str
    throne: Literal["none", "centre"]
    corners: Literal["none", "1x1", "2x2"]
    camps: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MovementRules(RuleValues):
    """How the pieces move."""

    range: Range
    throne_stop: tuple[Kind, ...]
    throne_pass: tuple[Kind, ...]
    corner_stop: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class HostilityRules(RuleValues):
    """Which squares capture like an enemy piece."""

    throne_hostile: HostileTo
    corner_hostile: HostileTo
    edge_hostile_king: bool
    camp_hostile: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class CaptureRules(RuleValues):
    """How pieces are captured."""

    king_armed: Literal["both", "hammer", "anvil", "none"]
    king_capture: KingCapture
    linnaean: Literal["none", "guard", "guard_and_king"]
    blocked_groups: Literal["none", "king_and_one", "king_and_one_surrounded", "groups", "groups_and_rows"]
    shieldwall: Literal["none", "pieces", "with_corner"]


@dataclass(frozen=True, slots=True)
class EndRules(RuleValues):
    """How a game ends."""

    goal: Literal["corner", "edge"]
    king_captured: Literal["attackers_win", "draw"]
    guards_captured: Literal["none", "attackers_win"]
    attackers_captured: Literal["none", "defenders_win"]
    tuichi: Literal["none", "defenders_win"]
    enclosure: Literal["none", "attackers_win"]
    exit_fort: Literal["none", "defenders_win"]
    no_move: Literal["loses", "draw", "pass"]
    repetition: Repetition
    quiet_limit: int


@dataclass(frozen=True, slots=True)
class SpecialRules(RuleValues):
    """Rules of few variants."""

    berserk: Literal["none", "may", "must"]
    jumps: Jumps
    commander_pair: Literal["none", "open", "everywhere"]
    knights_taken: Literal["by_two", "by_three"]
    occupied_camps: Literal["harmless", "hostile"]


@dataclass(frozen=True, slots=True)
class RuleTree(RuleValues):
    """The rules of a variant, complete."""

    first: Literal["attackers", "defenders"]
    board: BoardRules
    movement: MovementRules
    hostility: HostilityRules
    capture: CaptureRules
    ends: EndRules
    special: SpecialRules


_CLASSES: Mapping[str, Callable[..., RuleValues]] = {
    "range": Range,
    "throne_hostile": HostileTo,
    "corner_hostile": HostileTo,
    "king_capture": KingCapture,
    "repetition": Repetition,
    "jumps": Jumps,
    "board": BoardRules,
    "movement": MovementRules,
    "hostility": HostilityRules,
    "capture": CaptureRules,
    "ends": EndRules,
    "special": SpecialRules,
}


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
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, list):
            found[name] = tuple(tuple(one) if isinstance(one, list) else one for one in value)
        else:
            found[name] = _CLASSES[name](**_parsed(value)) if isinstance(value, dict) else value
    return found
