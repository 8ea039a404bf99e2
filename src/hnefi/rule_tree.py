"""The rules as typed values. Written by tools/write_rule_tree.py; do not edit."""

import json
from collections.abc import Mapping
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


@lru_cache(maxsize=256)
def parse_rule_tree(text: str) -> RuleTree:
    """Parses the complete rules as `Rules.to_json` returns them.

    >>> from hnefi import variant
    >>> parse_rule_tree(variant("brandub-globe").rules.to_json()).ends.goal
    'corner'
    """
    tree: Mapping[str, Any] = json.loads(text)
    board: Mapping[str, Any] = tree["board"]
    movement: Mapping[str, Any] = tree["movement"]
    hostility: Mapping[str, Any] = tree["hostility"]
    capture: Mapping[str, Any] = tree["capture"]
    ends: Mapping[str, Any] = tree["ends"]
    special: Mapping[str, Any] = tree["special"]
    return RuleTree(
        first=tree["first"],
        board=BoardRules(
            size=board["size"],
            start=board["start"],
            throne=board["throne"],
            corners=board["corners"],
            camps=tuple(map(tuple, board["camps"])),
        ),
        movement=MovementRules(
            range=Range(**movement["range"]),
            throne_stop=tuple(movement["throne_stop"]),
            throne_pass=tuple(movement["throne_pass"]),
            corner_stop=tuple(movement["corner_stop"]),
        ),
        hostility=HostilityRules(
            throne_hostile=HostileTo(**hostility["throne_hostile"]),
            corner_hostile=HostileTo(**hostility["corner_hostile"]),
            edge_hostile_king=hostility["edge_hostile_king"],
            camp_hostile=tuple(hostility["camp_hostile"]),
        ),
        capture=CaptureRules(
            king_armed=capture["king_armed"],
            king_capture=KingCapture(**capture["king_capture"]),
            linnaean=capture["linnaean"],
            blocked_groups=capture["blocked_groups"],
            shieldwall=capture["shieldwall"],
        ),
        ends=EndRules(
            goal=ends["goal"],
            king_captured=ends["king_captured"],
            guards_captured=ends["guards_captured"],
            attackers_captured=ends["attackers_captured"],
            tuichi=ends["tuichi"],
            enclosure=ends["enclosure"],
            exit_fort=ends["exit_fort"],
            no_move=ends["no_move"],
            repetition=Repetition(**ends["repetition"]),
            quiet_limit=ends["quiet_limit"],
        ),
        special=SpecialRules(
            berserk=special["berserk"],
            jumps=Jumps(**special["jumps"]),
            commander_pair=special["commander_pair"],
            knights_taken=special["knights_taken"],
            occupied_camps=special["occupied_camps"],
        ),
    )
