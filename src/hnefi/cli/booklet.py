"""`hnefi booklet`: writes the rules of a variant as a booklet, in PDF."""

import sys
from pathlib import Path

import click

from hnefi.cli.commands import Choice, FilePath, command, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import write_file
from hnefi.cli.naming import json_option, switch_option, switched, variant_argument
from hnefi.cli.output import print_json
from hnefi.cli.texts import language, translate
from hnefi.paper import BOOKLET_FORMATS
from hnefi.paper import booklet as booklet_of
from hnefi.variants.model import Variant

__all__ = ["booklet"]

_EXAMPLES = (
    ("booklet brandub-globe -o brandub.pdf", "cli.booklet.example.read"),
    ("booklet tablut-kouvia --lang fr --format fold -o tablut.pdf", "cli.booklet.example.fold"),
    ("booklet my-tafl.toml --format a4 -o my-tafl.pdf", "cli.booklet.example.custom"),
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
@option("--output", "-o", "out", type=FilePath(), metavar="cli.word.file", help="cli.option.pdf_output")
@switch_option
@json_option
def booklet(variant: Variant, form: str, out: str | None, switches: tuple[str, ...], as_json: bool) -> None:
    """Writes a booklet as PDF."""
    if out is None:
        raise bad_usage("missing", name="--output")
    if out == "-" and as_json:
        raise bad_usage("together", first="--json", second="--output -")
    chosen = switched(variant, switches)
    pdf = booklet_of(chosen, language(), format=form)
    if out == "-":
        sys.stdout.buffer.write(pdf)
        return
    write_file(Path(out), pdf)
    if as_json:
        facts = {"variant": chosen.id, "language": language(), "format": form, "file": out, "bytes": len(pdf)}
        print_json(facts)
    else:
        click.echo(translate("cli.show.written", path=out))
