"""`hnefi variants export`: writes a variant as a file, a rules string of OpenTafl or a link."""

from pathlib import Path

import click

from hnefi.cli.commands import command, option
from hnefi.cli.files import output_file, write_file
from hnefi.cli.naming import switches_option, variant_argument
from hnefi.cli.texts import language, translate
from hnefi.cli.values import Choice
from hnefi.formats import explain_gap
from hnefi.formats.opentafl import format_rules_text, variant_rules_text
from hnefi.variants.files import format_variant
from hnefi.variants.links import format_link
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("variants export fetlar-11 --switch king_armed=none", "toml"),
    ("variants export fetlar-11 --to opentafl", "opentafl"),
    ("variants export brandub-globe --to link", "link"),
)


@command("export", _EXAMPLES, group="variants")
@variant_argument()
@option(
    "--to",
    "form",
    type=Choice(("toml", "opentafl", "link")),
    default="toml",
    metavar="format",
    help="variant_form",
)
@output_file("out", replaces="variant", help="converted")
@switches_option
def export(variant: Variant, form: str, out: str | None) -> int:
    """Writes a variant."""
    gaps: list[str] = []
    if form == "toml":
        text = format_variant(variant)
    elif form == "link":
        text = f"{format_link(variant)}\n"
    else:
        rules, missing = variant_rules_text(variant)
        text = f"{format_rules_text(rules)}\n"
        gaps = [explain_gap(gap, language()) for gap in missing]
    if out in (None, "-"):
        click.echo(text, nl=False)
    else:
        write_file(Path(str(out)), text)
    for gap in gaps:
        click.echo(translate("cli.variants.export.gap", gap=gap), err=True)
    return 0
