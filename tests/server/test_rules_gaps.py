"""Rules that OpenTafl cannot express, in words."""

import re

from hnefi import variant
from hnefi.formats.opentafl import variant_rules_text
from hnefi.server.rules_editor.gaps import gap_words
from hnefi.variants.finding import variant_ids


def test_gaps_of_opentafl_are_reported_in_words() -> None:
    """No gap of a built-in variant shows the name of a rule or of a value as it is in files."""
    reported = {lang: set[str]() for lang in ("en", "fr")}
    for name in variant_ids():
        of = variant(name)
        for gap in variant_rules_text(of)[1]:
            for lang, texts in reported.items():
                texts.add(gap_words(gap, of.tree, lang))
    raw = re.compile(r"\w_\w|[=`]|\bnone\b|\bcustodial\b|\bguard\b")
    for lang, texts in reported.items():
        assert not [one for one in texts if raw.search(one)], lang
        assert all(one[0].isupper() and one.endswith(".") for one in texts), lang
    assert "Repetition: here, allowed; in this format, 3 times, then the game is drawn." in reported["en"]
