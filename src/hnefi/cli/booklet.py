"""`hnefi booklet`: writes the rules of a variant as a booklet, in PDF."""

from hnefi.cli.commands import Choice, command, option
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.print.writing import check_output, output_option, write_output
from hnefi.cli.texts import language
from hnefi.paper import BOOKLET_FORMATS, Imprint
from hnefi.paper import booklet as booklet_of
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("booklet brandub-globe -o brandub.pdf", "cli.booklet.example.read"),
    ("booklet tablut-kouvia --lang fr --format fold -o tablut.pdf", "cli.booklet.example.fold"),
    ("booklet my-tafl.toml --format a4 -o my-tafl.pdf", "cli.booklet.example.custom"),
    (
        "booklet brandub-globe --publisher 'The Oak Workshop' --url https://shop.example -o brandub.pdf",
        "cli.booklet.example.imprint",
    ),
)


@command("booklet", _EXAMPLES)
@variant_argument()
@option(
    "--format",
    "form",
    type=Choice(BOOKLET_FORMATS),
    default="a5",
    metavar="cli.word.format",
    help="cli.option.booklet_format",
)
@output_option
@imprint_options
@switch_option
@json_option
def booklet(
    variant: Variant, form: str, imprint: Imprint, out: str | None, switches: tuple[str, ...], as_json: bool
) -> None:
    """Writes a booklet as PDF."""
    target = check_output(out, as_json=as_json)
    chosen = switched(variant, switches)
    pdf = booklet_of(chosen, language(), format=form, imprint=imprint)
    facts = {"variant": chosen.id, "language": language(), "format": form}
    write_output(target, pdf, facts, as_json=as_json)
