"""What commands that print share: options, and the output in a file or on standard output."""

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from hnefi.cli.commands import Decorator, option
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import output_file, write_file
from hnefi.cli.output import print_json
from hnefi.cli.texts import translate
from hnefi.cli.values import Number
from hnefi.paper import LARGEST_BLEED

output_option = output_file("out", help="pdf_output")
colour_option = option("--colour", is_flag=True, help="paper_colour")


def bleed_option(help_key: str) -> Decorator:
    """Returns the option for a bleed in mm, with the key of its help."""
    bounds = Number(0, int(LARGEST_BLEED))
    return option("--bleed", type=bounds, default=0.0, metavar="millimetres", help=help_key)


def check_output(out: str | None, *, as_json: bool) -> str:
    """Returns where the output goes.

    Raises:
        CommandError: `bad_usage` without `--output`, or with `--json` and standard output.
    """
    if out is None:
        raise bad_usage("missing", name="--output")
    if out == "-" and as_json:
        raise bad_usage("together", first="--json", second="--output -")
    return out


def write_output(out: str, content: bytes, facts: Mapping[str, object], *, as_json: bool) -> None:
    """Writes the output and says where it is, or prints the facts as JSON."""
    if out == "-":
        sys.stdout.buffer.write(content)
        return
    write_file(Path(out), content)
    if as_json:
        print_json({**facts, "file": out, "bytes": len(content)})
    else:
        click.echo(translate("cli.show.written", path=out))
