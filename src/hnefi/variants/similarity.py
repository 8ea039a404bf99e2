"""Similarity of rules: the differences of two rule trees, and the variants nearest to one."""

import json
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from hnefi._core import Rules
from hnefi.errors import VariantError
from hnefi.rule_tree import RuleTree
from hnefi.variants.finding import all_variants, rules_of
from hnefi.variants.finding import variant as find_variant
from hnefi.variants.model import Variant
from hnefi.variants.schema import TreeDict, schema, value_at
from hnefi.variants.switches import CALL_SWITCHES, apply_switches, bad_switch, format_value, switch_texts

# The weight of a rule; all others weigh one. Another board is another game, another layout nearly so.
_WEIGHTS = {"size": 12.0, "start": 2.0, "goal": 2.0}
# Switches cannot add calls to a variant, nor remove them.
_CALLS_WEIGHT = 6.0


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One rule in which two rule trees differ.

    Attributes:
        leaf: The name of the rule.
        path: Its path below `rules`.
        values: Its value in the first tree and in the second.
    """

    leaf: str
    path: str
    values: tuple[Any, Any]

    @property
    def distance(self) -> float:
        """The weight of the difference; a map counts by the share of its entries that differ."""
        weight = _WEIGHTS.get(self.leaf, 1.0)
        first, second = self.values
        if not (isinstance(first, dict) and isinstance(second, dict) and first):
            return weight
        differing: int = sum(first[key] != second.get(key) for key in first)
        return weight * differing / len(first)


@dataclass(frozen=True, slots=True)
class Similarity:
    """The differences between a variant and a set of rules.

    Attributes:
        differences: The differing rules: first the value of the given rules, then that of the variant.
        distance: The sum of the differences' weights; 0 if play is the same.
    """

    variant: Variant
    differences: tuple[RuleDifference, ...]
    distance: float


def rule_differences(first: RuleTree, second: RuleTree) -> tuple[RuleDifference, ...]:
    """Returns the rules in which two rule trees differ, in the order of the schema."""
    ours, theirs = _values(first), _values(second)
    return tuple(
        RuleDifference(leaf, entry["path"], (ours[leaf], theirs[leaf]))
        for leaf, entry in schema().items()
        if ours[leaf] != theirs[leaf]
    )


@lru_cache(maxsize=128)
def _values(tree: RuleTree) -> dict[str, Any]:
    """Returns the value of every rule; trees of built-in variants are compared with every edit."""
    return {leaf: value_at(tree, leaf) for leaf in schema()}


def match_rules(
    rules: Rules | RuleTree | TreeDict | Variant | str, among: Iterable[Variant] | None = None
) -> tuple[Similarity, ...]:
    """Compares rules with variants and returns them by distance, the nearest first.

    Values that are written differently and play alike count as equal: a throne that is always hostile to the
    attackers and one that is hostile while empty, if the king on it is an anvil himself.

    Args:
        rules: The rules, compiled or as a tree, or a variant or its id or name.
        among: The variants to compare with; all variants if None.

    Raises:
        VariantError: With all faults, if a tree as in a variant file is not valid.

    >>> nearest = match_rules("fetlar-11")
    >>> nearest[0].variant.id, nearest[0].distance
    ('fetlar-11', 0)
    """
    if isinstance(rules, dict):
        rules = Rules(json.dumps(rules))
    played = _as_played(rules if isinstance(rules, RuleTree) else rules_of(rules).tree)
    similarities = []
    for one in all_variants() if among is None else among:
        differences = rule_differences(played, _as_played(one.tree))
        similarities.append(Similarity(one, differences, sum(each.distance for each in differences)))
    return tuple(sorted(similarities, key=lambda one: (one.distance, one.variant.id)))


def variants_where(
    switches: Mapping[str, str | int],
    among: Iterable[Variant] | None = None,
    *,
    sizes: Container[int] | None = None,
) -> tuple[Variant, ...]:
    """Returns the variants whose rules match all the given switches.

    Args:
        switches: The values as at the command line; numbers and truth values may be given as such.
        among: The variants to choose from; all variants if None.
        sizes: The sizes of the board, such as `(7, 9)` or `range(7, 12)`; all sizes if None.

    Raises:
        VariantError: With code `bad_switch`, if a rule or a value is unknown.

    >>> [one.id for one in variants_where({"king_armed": "none", "size": 9, "goal": "corner"})]
    ['tablut-geoludie']
    >>> len(variants_where({"goal": "edge"}, sizes=range(7, 10)))
    15
    """
    every = all_variants() if among is None else among
    candidates = tuple(one for one in every if sizes is None or one.rules.size in sizes)
    if not switches:
        return candidates
    texts = switch_texts(switches)
    if candidates:
        _check_values(apply_switches(candidates[0].tree_dict, texts)[0])
    return tuple(one for one in candidates if not apply_switches(one.tree_dict, texts)[1])


def _check_values(tree: TreeDict) -> None:
    """Raises an error for values that no rules have; contradictions between rules are allowed."""
    try:
        Rules(json.dumps(tree))
    except VariantError as error:
        wrong = [fault for fault in error.faults if fault.code in ("wrong_value", "wrong_type")]
        if wrong:
            first = wrong[0]
            raise bad_switch(first.path, first.found, first.expected) from error


@lru_cache(maxsize=128)
def _as_played(tree: RuleTree) -> RuleTree:
    """Returns the rules with values that play alike replaced by one of them."""
    hostility = tree.hostility
    throne = hostility.throne_hostile
    if tree.capture.king_armed in ("both", "anvil") and throne.attackers == "always":
        hostility = replace(hostility, throne_hostile=replace(throne, attackers="empty"))
    if tree.ends.goal == "edge" and hostility.edge_hostile_king:
        # A king on the edge has won.
        hostility = replace(hostility, edge_hostile_king=False)
    return tree if hostility is tree.hostility else replace(tree, hostility=hostility)


def switches_between(base: Variant | str, rules: Rules | Variant | str) -> dict[str, str]:
    """Returns the switches that change the rules of a variant into other rules.

    >>> switches_between("fetlar-11", "copenhagen-11")["exit_fort"]
    'defenders_win'
    """
    differences = rule_differences(rules_of(base).tree, rules_of(rules).tree)
    return {one.leaf: format_value(one.leaf, one.values[1]) for one in differences}


def as_switches(
    variant: Variant | str, among: Iterable[Variant] | None = None
) -> tuple[Variant, dict[str, str]]:
    """Returns the nearest variant, and the switches that turn it into a given one.

    Args:
        variant: The given variant, or its id or name.
        among: The variants to choose from; all variants if None.

    >>> from hnefi import variant
    >>> from hnefi.variants import derive
    >>> mine = derive(variant("tablut-kouvia"), "mine", {"en": "Mine"}, {"quiet_limit": "60"})
    >>> base, switches = as_switches(mine)
    >>> base.id, switches
    ('tablut-kouvia', {'quiet_limit': '60'})
    """
    given = find_variant(variant)

    def distance(one: Similarity) -> float:
        differ_in_calls = (one.variant.calls is None) != (given.calls is None)
        return one.distance + (_CALLS_WEIGHT if differ_in_calls else 0.0)

    nearest = min(match_rules(given, among), key=distance).variant
    switches = switches_between(nearest, given.rules)
    if nearest.calls is not None and given.calls is not None:
        calls = {key: str(given.calls[key]) for key in CALL_SWITCHES}
        switches |= {key: value for key, value in calls.items() if nearest.calls[key] != value}
    return nearest, switches
