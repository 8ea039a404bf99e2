"""Variants: named games, read from data files, found by id or name, changed by switches.

>>> from hnefi.variants import variant
>>> variant("tablut-kouvia").rules.size
9
"""

from typing import TYPE_CHECKING

from hnefi.lazy import on_first_use as _on_first_use
from hnefi.variants.built_in import booklet_ids, built_in_ids
from hnefi.variants.custom import CustomVariants, custom_variants
from hnefi.variants.files import load_variant, parse_variant
from hnefi.variants.finding import all_names, all_variants, find_variants, variant, variant_ids
from hnefi.variants.model import STATUSES, Variant

if TYPE_CHECKING:
    from hnefi.variants.conflicts import Resolution, resolve
    from hnefi.variants.custom import CustomVariantError, custom_id, derive, remove_variant, save_variant
    from hnefi.variants.files import format_variant
    from hnefi.variants.links import format_link, format_query, parse_link, parse_query, query_switches
    from hnefi.variants.schema import RULE_GROUPS
    from hnefi.variants.similarity import (
        RuleDifference,
        Similarity,
        as_switches,
        match_rules,
        rule_differences,
        switches_between,
        variants_where,
    )
    from hnefi.variants.switches import CALL_SWITCHES, apply_switches, format_value, parse_switches

_NAMES = {
    "conflicts": ("Resolution", "resolve"),
    "custom": ("CustomVariantError", "custom_id", "derive", "remove_variant", "save_variant"),
    "files": ("format_variant",),
    "links": ("format_link", "format_query", "parse_link", "parse_query", "query_switches"),
    "schema": ("RULE_GROUPS",),
    "similarity": (
        "RuleDifference",
        "Similarity",
        "as_switches",
        "match_rules",
        "rule_differences",
        "switches_between",
        "variants_where",
    ),
    "switches": ("CALL_SWITCHES", "apply_switches", "format_value", "parse_switches"),
}
"""The names that are imported on first use, since few programs need them, by their modules."""

__getattr__, __dir__ = _on_first_use(__name__, _NAMES)

__all__ = [
    "CALL_SWITCHES",
    "RULE_GROUPS",
    "STATUSES",
    "CustomVariantError",
    "CustomVariants",
    "Resolution",
    "RuleDifference",
    "Similarity",
    "Variant",
    "all_names",
    "all_variants",
    "apply_switches",
    "as_switches",
    "booklet_ids",
    "built_in_ids",
    "custom_id",
    "custom_variants",
    "derive",
    "find_variants",
    "format_link",
    "format_query",
    "format_value",
    "format_variant",
    "load_variant",
    "match_rules",
    "parse_link",
    "parse_query",
    "parse_switches",
    "parse_variant",
    "query_switches",
    "remove_variant",
    "resolve",
    "rule_differences",
    "save_variant",
    "switches_between",
    "variant",
    "variant_ids",
    "variants_where",
]
