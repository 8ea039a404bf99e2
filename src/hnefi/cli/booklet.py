"""`hnefi booklet`: writes the rules of a variant as a booklet, in PDF."""

from hnefi.cli.commands import Choice, Choices, command, option
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.print.writing import check_output, output_option, write_output
from hnefi.cli.texts import language
from hnefi.paper import BOOKLET_EXTRAS, BOOKLET_FORMATS, Imprint
from hnefi.paper import booklet as booklet_of
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("booklet brandub-globe -o brandub.pdf", "cli.booklet.example.read"),
    ("booklet tablut-kouvia --lang fr --format fold -o tablut.pdf", "cli.booklet.example.fold"),
    ("booklet my-tafl.toml --format a4 -o my-tafl.pdf", "cli.booklet.example.custom"),
    ("booklet ard-ri-globe --with sources,doubts -o ard-ri.pdf", "cli.booklet.example.extras"),
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
@option(
    "--with",
    "including",
    type=Choices(BOOKLET_EXTRAS),
    default=(),
    metavar="cli.word.booklet_extras",
    help="cli.option.booklet_with",
)
@output_option
@imprint_options
@switch_option
@json_option
def booklet(
    variant: Variant,
    form: str,
    including: tuple[str, ...],
    imprint: Imprint,
    out: str | None,
    switches: tuple[str, ...],
    as_json: bool,
) -> None:
    """Writes a booklet as PDF."""
    target = check_output(out, as_json=as_json)
    chosen = switched(variant, switches)
    pdf = booklet_of(chosen, language(), format=form, including=including, imprint=imprint)
    facts = {"variant": chosen.id, "language": language(), "format": form, "with": list(including)}
    write_output(target, pdf, facts, as_json=as_json)
