"""`hnefi variants identify`: finds the variant of given rules."""

import click

from hnefi.cli.commands import argument, command
from hnefi.cli.naming import json_option, read_variant
from hnefi.cli.texts import language, translate
from hnefi.cli.values import Text
from hnefi.cli.variants.listing import show_nearest
from hnefi.variants.finding import all_variants
from hnefi.variants.model import Variant
from hnefi.variants.similarity import match_rules

_EXAMPLES = (
    (
        "variants identify 'dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/'",
        "cli.variants.example.identify",
    ),
    ("variants identify 'dim:7 start:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/' --json", "cli.variants.example.like"),
)


@command("identify", _EXAMPLES, group="variants")
@argument("rules", key="rules_string", type=Text(), nargs=-1, required=True)
@json_option
def identify(rules: tuple[str, ...], as_json: bool) -> None:
    """Prints which variant has given rules, and the most similar variants."""
    given = read_variant(" ".join(rules))
    if not as_json:
        click.echo(_answer(given))
    show_nearest(given, all_variants(), is_narrowed=False, as_json=as_json)


def _answer(given: Variant) -> str:
    nearest = match_rules(given.rules)[0]
    if nearest.distance > 0:
        return translate("cli.variants.identified.none")
    return translate("cli.variants.identified", id=nearest.variant.id, name=nearest.variant.name(language()))
