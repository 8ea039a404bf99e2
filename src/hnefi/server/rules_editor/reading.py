"""Reads rules from a variant file, a rules string of OpenTafl or a link, as a variant with switches."""

import re

from hnefi.formats import explain_gap
from hnefi.formats.opentafl import parse_rules_text, variant_from_rules
from hnefi.i18n import text
from hnefi.server.messages.rules import RulesReadResponse
from hnefi.server.names import LONGEST_TITLE
from hnefi.variants.files import parse_variant
from hnefi.variants.finding import variant
from hnefi.variants.links import parse_link, parse_query, query_switches
from hnefi.variants.similarity import as_switches

# Links have no "=" outside of a query, and no bracket at their begin.
_TOML = re.compile(r"""[\w."'-]+=|\[""")
_RULES_STRING = re.compile(r"[a-z]+:")


def read_rules(source: str, lang: str) -> RulesReadResponse:
    """Reads a variant file, a rules string of OpenTafl or a link, as switches of the nearest variant.

    Raises:
        HnefiError: If they cannot be parsed or are not valid: `bad_variant`, `bad_rules`, `bad_rules_text`,
            `damaged_link`, `bad_switch`, `unknown_variant`, `special_piece`.
    """
    source = source.strip()
    is_one_word = len(source.split(maxsplit=1)) == 1
    if is_one_word and "variant" in (query := parse_query(source)):
        base, name = variant(query["variant"]), query.get("name", "")[:LONGEST_TITLE]
        switches = dict(base.with_switches(query_switches(query)).switches)
        return RulesReadResponse(variant=base.id, switches=switches, name=name, notes=[])
    notes: list[str] = []
    if _RULES_STRING.match(source) and "dim:" in source:
        found, gaps = variant_from_rules(parse_rules_text(source))
        notes = [explain_gap(gap, lang) for gap in gaps]
    else:
        found = parse_link(source) if is_one_word and not _TOML.match(source) else parse_variant(source)
    base, switches = as_switches(found)
    if found.calls is not None and base.calls is None:
        notes.append(text("page.editor.read.no_calls", lang, name=base.name(lang)))
    return RulesReadResponse(
        variant=base.id, switches=switches, name=found.name(lang)[:LONGEST_TITLE], notes=notes
    )
