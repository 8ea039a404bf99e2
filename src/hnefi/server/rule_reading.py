"""Rules that somebody has written down: a variant file, a rules string of OpenTafl, a link, as switches."""

import re
from urllib.parse import parse_qsl, urlsplit

from hnefi.authoring import as_switches, parse_link
from hnefi.formats import explain_gap
from hnefi.formats.opentafl import own_variant, parse_rules_text
from hnefi.i18n import text
from hnefi.server.addresses import changes_in
from hnefi.server.rule_requests import RulesRead
from hnefi.variant import parse_variant, variant

__all__ = ["read_rules"]

_ADDRESS = re.compile(r"\S*\?\S*\bvariant=\S+")
_RULES_STRING = re.compile(r"(?:\S+:\S*\s+)*dim:\d")
_LETTERS = re.compile(r"\S*?#?[A-Za-z0-9_-]+")


def read_rules(written: str, lang: str) -> RulesRead:
    """Reads rules, and finds the variant that they are nearest to.

    Raises:
        HnefiError: If they cannot be read or played: `bad_variant`, `bad_rules`, `bad_rules_text`,
            `bad_link`, `bad_switch`, `unknown_variant`, `special_piece`.
    """
    told = written.strip()
    if _ADDRESS.fullmatch(told):
        return _of_address(told)
    notes: list[str] = []
    if _RULES_STRING.match(told):
        found, gaps = own_variant(parse_rules_text(told))
        notes = [explain_gap(gap, lang) for gap in gaps]
    else:
        found = parse_link(told) if _LETTERS.fullmatch(told) else parse_variant(told)
    base, switches = as_switches(found)
    if found.calls is not None and base.calls is None:
        notes.append(text("page.editor.read.no_calls", lang, name=base.name(lang)))
    return RulesRead(variant=base.id, switches=switches, name=found.name(lang)[:60], notes=notes)


def _of_address(address: str) -> RulesRead:
    query = dict(parse_qsl(urlsplit(address).query))
    base = variant(query["variant"])
    switches = dict(base.with_switches(changes_in(query)).switches)
    return RulesRead(variant=base.id, switches=switches, name=query.get("name", "")[:60], notes=[])
