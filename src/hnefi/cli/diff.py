"""`hnefi diff`: compares the rules of two variants."""

import textwrap

import click

from hnefi.cli.commands import command, option
from hnefi.cli.naming import SwitchText, json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.rules import text_width
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.variants.model import Variant
from hnefi.variants.schema import schema
from hnefi.variants.switches import format_value
from hnefi.words.differences import Difference, differences

_EXAMPLES = (
    ("diff brandub-globe brandub-breyer", "plain"),
    ("diff tablut-geoludie tablut-geoludie-slow --json", "json"),
    ("diff brandub-globe brandub-globe --other-switch quiet_limit=40", "switch"),
)


@command("diff", _EXAMPLES)
@variant_argument()
@variant_argument(name="other", key="other")
@switch_option
@option("--other-switch", "other_switches", multiple=True, type=SwitchText(), help="other_switch")
@json_option
def diff(
    variant: Variant,
    other: Variant,
    switches: tuple[str, ...],
    other_switches: tuple[str, ...],
    as_json: bool,
) -> None:
    """Compares the rules of two variants."""
    pair = switched(variant, switches), switched(other, other_switches)
    found = list(differences(*pair, language()))
    if as_json:
        print_json(_answer(pair, found))
        return
    shown = [_shown(one) for one in pair]
    if not found:
        click.echo(translate("cli.diff.none", first=shown[0], second=shown[1]))
        return
    for one in found:
        key = f" ({one.leaf})" if one.leaf in schema() else ""
        click.echo(f"{one.title}{key}")
        for name, value, sentence in zip(shown, one.values, one.sentences, strict=True):
            _print_value(one.leaf, name, value, sentence)
        click.echo()
    click.echo(translate_plural("cli.diff.count", len(found)))


def _shown(one: Variant) -> str:
    """Returns the id of a variant with its switches."""
    switches = ", ".join(f"{key}={value}" for key, value in one.switches.items())
    return f"{one.id} ({switches})" if switches else one.id


def _print_value(leaf: str, name: str, value: object, sentence: str) -> None:
    """Prints the value of a rule, as a switch and in words."""
    text = sentence or translate("cli.diff.nothing")
    first = format_value(leaf, value) if leaf in schema() else text
    width = text_width()
    line = translate("cli.diff.value", variant=name, value=first)
    click.echo(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="      "))
    if first != text:
        click.echo(textwrap.fill(text, width, initial_indent="    ", subsequent_indent="    "))


def _answer(pair: tuple[Variant, Variant], found: list[Difference]) -> dict[str, object]:
    first, second = pair
    return {
        "variants": [first.id, second.id],
        "switches": [dict(first.switches), dict(second.switches)],
        "same_rules": first.rules == second.rules,
        "differences": [
            {
                "leaf": one.leaf,
                "path": one.path,
                "title": one.title,
                "values": list(one.values),
                "words": list(one.sentences),
            }
            for one in found
        ],
    }
