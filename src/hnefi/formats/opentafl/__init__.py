"""The notation of OpenTafl: rules strings, positions, moves and records."""

from hnefi.formats.opentafl.naming import named_rules, variant_from_rules
from hnefi.formats.opentafl.position import position_of, read_position, setup_of
from hnefi.formats.opentafl.rules_reading import tree_of
from hnefi.formats.opentafl.rules_text import RulesText, format_rules_text, parse_rules_text
from hnefi.formats.opentafl.rules_writing import diagram_of, rules_text_of, variant_rules_text

__all__ = [
    "RulesText",
    "diagram_of",
    "format_rules_text",
    "named_rules",
    "parse_rules_text",
    "position_of",
    "read_position",
    "rules_text_of",
    "setup_of",
    "tree_of",
    "variant_from_rules",
    "variant_rules_text",
]
