"""How near rules are to each other: what differs between two trees, and the variants nearest to one."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.switches import Tree, apply_switches, bad_switch, schema, value_at
from hnefi.variant import Variant, variants

__all__ = ["Likeness", "RuleDifference", "match_rules", "rule_differences", "variants_where"]

# How much a rule counts; all others count one. Another board is another game, another layout nearly so.
_WEIGHTS = {"size": 12.0, "start": 2.0, "goal": 2.0}


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One rule that two trees have otherwise.

    Attributes:
        leaf: The name of the rule.
        path: Where it stands below `rules`.
        values: What the first tree says, and what the second says.
    """

    leaf: str
    path: str
    values: tuple[Any, Any]

    @property
    def distance(self) -> float:
        """How far it sets two games apart; a map counts by the part of its entries that differ."""
        weight = _WEIGHTS.get(self.leaf, 1.0)
        first, second = self.values
        if not (isinstance(first, dict) and isinstance(second, dict) and first):
            return weight
        differing: int = sum(first[key] != second.get(key) for key in first)
        return weight * differing / len(first)


@dataclass(frozen=True, slots=True)
class Likeness:
    """A variant, and how it differs from the rules it was compared with.

    Attributes:
        variant: The variant.
        differences: The rules it has otherwise: first what was asked for, then what it has.
        distance: 0 where play is the same; the more, the less alike.
    """

    variant: Variant
    differences: tuple[RuleDifference, ...]
    distance: float


def rule_differences(first: Mapping[str, Any], second: Mapping[str, Any]) -> tuple[RuleDifference, ...]:
    """Gives the rules in which two trees in canonical form differ, in the order of the schema."""
    found = []
    for leaf, parameter in schema().items():
        path = str(parameter["path"])
        values = value_at(first, leaf), value_at(second, leaf)
        if values[0] != values[1]:
            found.append(RuleDifference(leaf, path, values))
    return tuple(found)


def match_rules(tree: Tree, among: Iterable[Variant] | None = None) -> tuple[Likeness, ...]:
    """Compares a rules tree with variants, those first that are nearest.

    Values that are written otherwise and play alike count as equal: a throne that is always hostile to the
    attackers and one that is so while empty, where the king who sits on it is an anvil himself.

    Args:
        tree: The rules, as in a variant file or as `Variant.tree`.
        among: The variants to compare with; all that Hnefi brings if None.

    Raises:
        VariantError: With all faults, if the tree is no rules.

    >>> from hnefi.variant import variant
    >>> nearest = match_rules(variant("fetlar-11").tree)
    >>> nearest[0].variant.id, nearest[0].distance
    ('fetlar-11', 0)
    """
    wanted = _as_played(json.loads(Rules(json.dumps(tree)).to_json()))
    found = []
    for one in variants() if among is None else among:
        differences = rule_differences(wanted, _as_played(json.loads(one.rules.to_json())))
        found.append(Likeness(one, differences, sum(each.distance for each in differences)))
    return tuple(sorted(found, key=lambda one: (one.distance, one.variant.id)))


def variants_where(answers: Mapping[str, str], among: Iterable[Variant] | None = None) -> tuple[Variant, ...]:
    """Gives the variants in which rules are as asked; rules are written as switches are.

    Raises:
        VariantError: With code `bad_switch`, if a rule or a value is unknown.

    >>> [one.id for one in variants_where({"king_armed": "none", "size": "9", "goal": "corner"})]
    ['tablut-geoludie']
    """
    chosen = variants() if among is None else tuple(among)
    if chosen:
        _check(apply_switches(chosen[0].tree, answers)[0])
    return tuple(one for one in chosen if not apply_switches(one.tree, answers)[1])


def _check(tree: Tree) -> None:
    """Refuses values that no rules have; that these contradict each other is for nobody to mind."""
    try:
        Rules(json.dumps(tree))
    except VariantError as error:
        wrong = [fault for fault in error.faults if fault.code in ("wrong_value", "wrong_type")]
        if wrong:
            first = wrong[0]
            raise bad_switch(first.path, first.found, first.expected) from error


def _as_played(tree: dict[str, Any]) -> dict[str, Any]:
    """Gives a tree in canonical form with one value for those that play alike; it may be changed."""
    throne = tree["hostility"]["throne_hostile"]
    if tree["capture"]["king_armed"] in ("both", "anvil") and throne["attackers"] == "always":
        throne["attackers"] = "empty"
    if tree["ends"]["goal"] == "edge":
        # The king on the edge has won.
        tree["hostility"]["edge_hostile_king"] = False
    return tree
