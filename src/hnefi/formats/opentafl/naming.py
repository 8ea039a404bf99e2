"""Identifies the variant of OpenTafl rules: a known one, or a new one with the name in the rules."""

import json
from dataclasses import replace
from functools import cache

from hnefi._core import Rules, Setup
from hnefi.errors import VariantError
from hnefi.formats.gaps import Gap
from hnefi.formats.opentafl.position import UNKNOWN_LETTERS, setup_of
from hnefi.formats.opentafl.rules_reading import tree_of
from hnefi.formats.opentafl.rules_text import RulesText
from hnefi.formats.opentafl.rules_writing import rules_text_of
from hnefi.pieces import Side
from hnefi.rule_tree import RuleTree
from hnefi.variants.custom import plain_words
from hnefi.variants.finding import all_variants, variant, variant_ids
from hnefi.variants.model import Variant
from hnefi.variants.similarity import match_rules
from hnefi.variants.switches import parse_switches

Named = tuple[Variant, Setup | None, tuple[Gap, ...]]
"""A variant, the start position if it is not the variant's, and what the variant cannot express."""


def named_rules(rules: RulesText, *, follow_specification: bool = False) -> Named:
    """Returns the variant with the given rules: a known one, else a new one with the name in the rules.

    Rules that differ only in the start position are the same variant with another start.

    Raises:
        VariantError: If the rules contradict each other.
        SetupError: `special_piece`.
    """
    unnamed, gaps = variant_from_rules(rules, follow_specification=follow_specification)
    compiled = unnamed.rules
    found = _same_hash().get(compiled.hash) or _same_play(compiled)
    if found is not None:
        return variant(found), None, gaps
    elsewhere = [one for one in all_variants() if _without_start(one.rules) == _without_start(compiled)]
    if elsewhere:
        pieces = compiled.start.pieces
        best = min(elsewhere, key=lambda one: (one.rules.start.pieces != pieces, one.id))
        return best, compiled.start, gaps
    return unnamed, None, gaps


def variant_named(
    name: str, rules: RulesText, *, follow_specification: bool = False
) -> tuple[Variant, Setup | None] | None:
    """Returns the variant that a file names, if its rules are those Hnefi writes for that variant.

    So variants survive a round trip through OpenTafl's notation, including what it cannot express.

    Args:
        name: The id, optionally with a semicolon and switches.
        follow_specification: As for `named_rules`.
    """
    identity, _, switches = (part.strip() for part in name.partition(";"))
    if identity not in variant_ids():
        return None
    found = variant(identity)
    try:
        if switches:
            found = found.with_switches(parse_switches(switches.split(";")))
    except VariantError:
        return None
    expected, _ = rules_text_of(found.rules, follow_specification=follow_specification)
    if replace(rules, name="", start=expected.start, atkf=expected.atkf) != expected:
        return None
    start = setup_of(rules.start, Side.ATTACKERS if rules.atkf else Side.DEFENDERS)
    return found, None if start == found.rules.start else start


def variant_from_rules(
    rules: RulesText, *, follow_specification: bool = False
) -> tuple[Variant, tuple[Gap, ...]]:
    """Returns a new variant with the name in the rules, and what it cannot express.

    Raises:
        VariantError: If the rules contradict each other.
        SetupError: `special_piece`.
    """
    if any(letter in UNKNOWN_LETTERS for row in rules.start for letter in row):
        setup_of(rules.start, Side.ATTACKERS)
    tree, gaps = tree_of(rules, follow_specification=follow_specification)
    name = rules.name or "OpenTafl"
    about = {"names": {"en": name, "fr": name}}
    return Variant(_slug(name), 1, Rules(json.dumps(tree)), tree_dict=tree, about=about), gaps


def _slug(name: str) -> str:
    """Returns an id that no built-in variant has.

    >>> _slug("Sea_Battle (Parlett)")
    'opentafl-sea-battle-parlett'
    """
    return "-".join(filter(None, ("opentafl", plain_words(name)[:60])))


@cache
def _same_hash() -> dict[str, str]:
    return {one.rules.hash: one.id for one in reversed(all_variants())}


@cache
def _same_play(rules: Rules) -> str | None:
    """Returns the id of a variant that differs only in rules without effect, None if there is none."""
    nearest = match_rules(rules)[0]
    return nearest.variant.id if nearest.distance == 0 else None


@cache
def _without_start(rules: Rules) -> RuleTree:
    tree = rules.tree
    return replace(tree, first="attackers", board=replace(tree.board, start=""))
