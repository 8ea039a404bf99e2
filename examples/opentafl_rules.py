"""How do I carry rules to OpenTafl's notation and back?"""

from hnefi import match_rules, variant
from hnefi.formats import explain_gap
from hnefi.formats.opentafl import format_rules_text, named_rules, parse_rules_text, variant_rules_text

for name in ("brandub-breyer", "tablut-kouvia", "fetlar-11"):
    written, lost = variant_rules_text(variant(name))
    text = format_rules_text(written)
    print(text)
    for gap in lost:
        print("  cannot be written:", explain_gap(gap, "en"))

    found, start, unknown = named_rules(parse_rules_text(text))
    for gap in unknown:
        print("  cannot be read:", explain_gap(gap, "en"))
    nearest = match_rules(found.rules)[0]
    print(f"  read back: {found.id}; nearest {nearest.variant.id}, distance {nearest.distance}")
