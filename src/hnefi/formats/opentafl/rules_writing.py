"""Converts rules to OpenTafl's rules strings, with a list of what they cannot express."""

from collections.abc import Iterable
from typing import Any

from hnefi._core import Rules, Setup
from hnefi.formats.gaps import Gap
from hnefi.formats.opentafl.position import read_position
from hnefi.formats.opentafl.rules_reading import (
    FIXED_ENDS,
    JUMP_OWNERS,
    JUMPERS,
    KIND_LETTERS,
    corner_squares,
    groups_of,
)
from hnefi.formats.opentafl.rules_text import ALL, ATTACKING, DEFENDING, Kinds, RulesText
from hnefi.pieces import Piece
from hnefi.rule_tree import RuleTree
from hnefi.variants.model import Variant

_ARMED = {"both": "y", "anvil": "a", "hammer": "h", "none": "n"}
_WALLS = {"none": "n", "pieces": "w", "with_corner": "s"}
_JUMPS = {"none": "n", "restricted": "r", "over": "j", "anyone": "j", "capture": "c"}
_STRENGTH = {
    ("four_sides", "four_sides"): "s",
    ("four_sides", "custodial"): "c",
    ("custodial", "custodial"): "w",
}
_SOLDIERS = str.maketrans("rR", "tT")
_OF_KIND = {"attackers": ATTACKING, "defenders": DEFENDING - {"K"}, "king": frozenset("K")}


def variant_rules_text(
    variant: Variant, *, follow_specification: bool = False
) -> tuple[RulesText, tuple[Gap, ...]]:
    """Returns the rules of a variant under its name, and what is lost of rules, calls and legs.

    Args:
        follow_specification: Whether the string follows the specification, not the program.
    """
    rules, gaps = rules_text_of(
        variant.rules, name=variant.name("en"), follow_specification=follow_specification
    )
    if variant.calls is not None:
        gaps = (*gaps, Gap("rules.calls"))
    if variant.match["legs"] != 1:
        gaps = (*gaps, Gap("rules.legs", {"legs": str(variant.match["legs"])}))
    return rules, gaps


def rules_text_of(
    rules: Rules, *, name: str = "", follow_specification: bool = False
) -> tuple[RulesText, tuple[Gap, ...]]:
    """Returns the nearest rules of OpenTafl, and what is lost.

    A gap that names a rule key also names the value that is written instead.
    """
    return _Writer(rules.tree, rules.start, follow_specification).text(name)


def diagram_of(setup: Setup) -> tuple[str, ...]:
    """Returns the rows of a setup from the top; renegades, which OpenTafl lacks, become soldiers."""
    return read_position(str(setup).split()[0].translate(_SOLDIERS), inverted=True)


class _Writer:
    def __init__(self, tree: RuleTree, start: Setup, follow_specification: bool) -> None:
        self._tree = tree
        self._start = start
        self._by_specification = follow_specification
        self._gaps: list[Gap] = []
        self._has_throne = tree.board.throne != "none"
        self._corners = tree.board.corners

    def text(self, name: str) -> tuple[RulesText, tuple[Gap, ...]]:
        tree, board = self._tree, self._tree.board
        capture, ends, hostility = tree.capture, tree.ends, tree.hostility
        camps = [square for camp in board.camps for square in camp]
        has_corners = self._corners != "none"
        movement = tree.movement
        stop_corner = _letters(movement.corner_stop)
        rules = RulesText(
            dim=board.size,
            start=diagram_of(self._start),
            name=name,
            esc="c" if ends.goal == "corner" else "e",
            surf=ends.enclosure != "none",
            atkf=tree.first == "attackers",
            tfr=self._repetition(),
            ka=_ARMED[capture.king_armed],
            ks=self._strength(),
            spd=self._speeds(),
            cor=self._corner_list(),
            cen=None if self._has_throne else (),
            afor=tuple(camps),
            corh=self._corner_hostile() if has_corners else ALL,
            cenh=self._throne_hostile("always") if self._has_throne else ATTACKING,
            cenhe=self._throne_hostile("empty", "always") if self._has_throne else ALL,
            aforh=_letters(hostility.camp_hostile) if camps else DEFENDING,
            corp=stop_corner if self._corners == "2x2" else frozenset("K"),
            cenp=_letters(movement.throne_pass) if self._has_throne else ALL,
            cors=stop_corner if has_corners else frozenset("K"),
            cens=_letters(movement.throne_stop) if self._has_throne else frozenset("K"),
            # The program reads the other re-entry keys only beside `cenre`.
            corre=ALL if camps else None,
            cenre=ALL if camps else None,
            aforre=frozenset() if camps else None,
            sw=_WALLS[capture.shieldwall],
            efe=ends.exit_fort != "none",
            linc=self._linnaean(),
            **self._special(),
        )
        self._other_gaps()
        return rules, tuple(self._gaps)

    def _corner_list(self) -> tuple[str, ...] | None:
        if self._corners == "1x1":
            return None
        depth = 2 if self._corners == "2x2" else 0
        squares = corner_squares(self._tree.board.size, depth)
        return tuple(sorted(squares, key=lambda name: (name[0], int(name[1:]))))

    def _repetition(self) -> str:
        repetition = self._tree.ends.repetition
        count, result = repetition.count, repetition.result
        if result == "none":
            if not self._by_specification:
                self._gap("repetition", value="none", instead="draw")
            return "i"
        instead = {"defenders_lose": "mover_loses", "draw_in_a_row": "draw"}.get(result, result)
        if count != 3 or result != instead:
            self._gap("repetition", value=f"{count}, {result}", instead=f"3, {instead}")
        if instead == "draw":
            return "d"
        return "l" if self._by_specification else "w"

    def _strength(self) -> str:
        zones = self._tree.capture.king_capture
        on, beside, elsewhere = zones.on_throne, zones.beside_throne, zones.elsewhere
        at_edge = self._tree.hostility.edge_hostile_king
        found = _STRENGTH.get((beside, elsewhere))
        if found is None or on != beside:
            self._gap("king_capture", value=f"{on}, {beside}, {elsewhere}")
        found = found or ("s" if elsewhere == "four_sides" else "w" if beside == "custodial" else "c")
        if at_edge and found == "s":
            return "m"
        if at_edge:
            self._gap("edge_hostile_king")
        return found

    def _speeds(self) -> tuple[int, ...]:
        ranges: dict[str, int] = self._tree.movement.range.to_dict()
        if not any(ranges.values()):
            return (-1,)
        limits = {kind: ranges[kind] or -1 for kind in KIND_LETTERS}
        if len(set(limits.values())) == 1:
            return (limits["king"],)
        attackers, defenders = limits["attackers"], limits["defenders"]
        return (*[attackers] * 6, *[defenders] * 3, limits["king"], *[defenders] * 2)

    def _corner_hostile(self) -> Kinds:
        hostile = self._tree.hostility.corner_hostile.to_dict()
        if always := [kind for kind, value in hostile.items() if value == "always"]:
            self._gap("corner_hostile", kinds=", ".join(always))
        return _letters([kind for kind, value in hostile.items() if value != "never"])

    def _throne_hostile(self, *values: str) -> Kinds:
        hostile = self._tree.hostility.throne_hostile.to_dict()
        return _letters([kind for kind, value in hostile.items() if value in values])

    def _special(self) -> dict[str, Any]:
        """Returns the keys for jumps and turns of several captures; empty if the rules have none."""
        special = self._tree.special
        letters = {letter for row in diagram_of(self._start) for letter in row}
        pair = "open" if letters & set("cC") else "none"
        if special.berserk == "may":
            self._gap("no_key", key="berserk", value="may", instead="must")
        if special.commander_pair != pair:
            self._gap("no_key", key="commander_pair", value=special.commander_pair, instead=pair)
        if special.knights_taken != "by_two":
            self._gap("no_key", key="knights_taken", value=special.knights_taken, instead="by_two")
        jumps: dict[str, str] = special.jumps.to_dict()
        # The string loses the jumps of pieces that are absent from the start.
        keys = {name: key for key, name in JUMPERS.items() if letters & set(JUMP_OWNERS[key])}
        if lost := [name for name, word in jumps.items() if word != "none" and name not in keys]:
            self._gap("no_key", key="jumps", value=", ".join(lost), instead="none")
        if anyone := [name for name, word in jumps.items() if word == "anyone"]:
            self._gap("no_key", key="jumps", value=f"anyone ({', '.join(anyone)})", instead="over")
        if {Piece.ATTACKER_RENEGADE, Piece.DEFENDER_RENEGADE} & set(self._start.pieces.values()):
            self._gap("renegades", key="start")
        found = {key: _JUMPS[jumps[name]] for name, key in keys.items()}
        return {**found, "ber": "n" if special.berserk == "none" else "c"}

    def _linnaean(self) -> bool:
        value = self._tree.capture.linnaean
        if value == "guard_and_king":
            self._gap("linnaean", value=value, instead="guard")
        return bool(value != "none")

    def _other_gaps(self) -> None:
        """Adds a gap for each rule without a key that differs from what OpenTafl always plays."""
        played = {"blocked_groups": self._tree.capture.blocked_groups, **self._tree.ends.to_dict()}
        for key, default in {"blocked_groups": "none", **FIXED_ENDS}.items():
            if played[key] != default:
                code = "quiet_limit" if key == "quiet_limit" else "no_key"
                self._gap(code, key=key, value=str(played[key]), instead=str(default))
        if "attackers" in self._tree.hostility.camp_hostile:
            self._gap("occupied_camps", key="occupied_camps")
        camps = self._tree.board.camps
        if len(groups_of([square for camp in camps for square in camp])) != len(camps):
            self._gap("touching_camps")

    def _gap(self, code: str, **facts: str) -> None:
        self._gaps.append(Gap(f"rules.{code}", facts))


def _letters(kinds: Iterable[str]) -> Kinds:
    return frozenset(letter for kind in kinds for letter in _OF_KIND[kind])
