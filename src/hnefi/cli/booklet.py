"""`hnefi booklet`: writes the rules of a variant as a booklet, in PDF."""

from hnefi import i18n
from hnefi.cli.commands import command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.print.writing import bleed_option, check_output, colour_option, output_option, write_output
from hnefi.cli.texts import language, translate
from hnefi.cli.values import Choice, Choices
from hnefi.paper import BOOKLET_EXTRAS, BOOKLET_FORMATS, Imprint
from hnefi.paper import booklet as booklet_of
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("booklet brandub-globe -o brandub.pdf", "read"),
    ("booklet tablut-kouvia --lang fr --format fold -o tablut.pdf", "fold"),
    ("booklet my-tafl.toml --format a4 -o my-tafl.pdf", "custom"),
    ("booklet ard-ri-globe --with sources,doubts -o ard-ri.pdf", "extras"),
    ("booklet brandub-globe --languages fr,en --format fold -o two.pdf", "languages"),
    ("booklet brandub-globe --format a6 --bleed 3 --colour -o print-shop.pdf", "bleed"),
    (
        "booklet brandub-globe --publisher 'The Oak Workshop' --url https://shop.example -o brandub.pdf",
        "imprint",
    ),
)


@command("booklet", _EXAMPLES)
@variant_argument()
@option(
    "--format", "form", type=Choice(BOOKLET_FORMATS), default="a5", metavar="format", help="booklet_format"
)
@option(
    "--with",
    "including",
    type=Choices(BOOKLET_EXTRAS),
    default=(),
    metavar="booklet_extras",
    help="booklet_with",
)
@option(
    "--languages", type=Choices(i18n.languages()), default=(), metavar="languages", help="booklet_languages"
)
@colour_option
@bleed_option("booklet_bleed")
@output_option
@imprint_options
@switches_option
@json_option
def booklet(
    variant: Variant,
    form: str,
    including: tuple[str, ...],
    languages: tuple[str, ...],
    colour: bool,
    bleed: float,
    imprint: Imprint,
    out: str | None,
    as_json: bool,
) -> None:
    """Writes a booklet as PDF."""
    if bleed and form.startswith("fold"):
        raise bad_usage("together", first="--bleed", second=f"--format {form}")
    if len(languages) > 2:
        found = ",".join(languages)
        raise bad_usage("choice", name="--languages", found=found, expected=translate("cli.two_languages"))
    languages = languages or (language(),)
    target = check_output(out, as_json=as_json)
    pdf = booklet_of(
        variant,
        languages[0],
        format=form,
        including=including,
        colour=colour,
        bleed=bleed,
        second_lang=languages[1] if len(languages) == 2 else None,
        imprint=imprint,
    )
    facts = {"variant": variant.id, "languages": list(languages), "format": form, "with": list(including)}
    write_output(target, pdf, {**facts, "colour": colour, "bleed": bleed}, as_json=as_json)
