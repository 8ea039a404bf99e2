"""`hnefi print board`, `pieces`, `score`, `summary` and `poster`: the sheets of a game."""

from typing import Any

from hnefi.cli.commands import command, counted, joined, option
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import json_option, switches_option, variant_argument
from hnefi.cli.print.writing import check_output, colour_option, output_option, write_output
from hnefi.cli.texts import language
from hnefi.cli.values import Choice, Number, Text
from hnefi.paper import LEAST_SQUARE, MOST_PAGES, PIECE_FORMS, SHEETS, Imprint, sheet
from hnefi.variants.model import Variant

_LARGEST_SQUARE = 150

_OPTIONS = {
    "colour": colour_option,
    "square": option(
        "--square", type=Number(int(LEAST_SQUARE), _LARGEST_SQUARE), metavar="mm", help="paper_square"
    ),
    "form": option(
        "--form", type=Choice(PIECE_FORMS), default=PIECE_FORMS[0], metavar="form", help="paper_form"
    ),
    "attackers": option("--attackers", type=Text(), metavar="name_text", help="paper_attackers"),
    "defenders": option("--defenders", type=Text(), metavar="name_text", help="paper_defenders"),
    "date": option("--date", type=Text(), metavar="date_text", help="paper_date"),
    "pages": counted("--pages", most=MOST_PAGES, help="paper_pages"),
}


def _sheet_command(name: str, examples: tuple[tuple[str, str], ...]) -> Any:
    """Returns the command of a sheet, with the options that the sheet has."""
    kind = SHEETS[name]

    def write(
        variant: Variant,
        imprint: Imprint,
        out: str | None,
        as_json: bool,
        **options: Any,
    ) -> None:
        target = check_output(out, as_json=as_json)
        given = {key: value for key, value in options.items() if value is not None}
        pdf = sheet(name, variant, language(), imprint=imprint, **given)
        facts = {"variant": variant.id, "language": language(), "sheet": name, **options}
        write_output(target, pdf, facts, as_json=as_json)

    paper = option("--paper", type=Choice(kind.papers), default=kind.papers[0], metavar="paper")
    named = [_OPTIONS[key] for key in _OPTIONS if key in kind.options]
    decorate = joined(
        variant_argument(), paper, *named, imprint_options, switches_option, output_option, json_option
    )
    return command(name, examples, group="print")(decorate(write))


board = _sheet_command(
    "board",
    (
        ("print board brandub-globe -o board.pdf", "fitted"),
        ("print board brandub-globe --square 35 --colour -o board.pdf", "square"),
        ("print board alea-evangelii-19 --paper a4 --pages 4 -o board.pdf", "pages"),
    ),
)
pieces = _sheet_command(
    "pieces",
    (
        ("print pieces brandub-globe -o pieces.pdf", "discs"),
        ("print pieces tablut-kouvia --form standing --square 35 --colour -o pieces.pdf", "standing"),
    ),
)
score = _sheet_command(
    "score",
    (
        ("print score tablut-geoludie -o score.pdf", "blank"),
        (
            "print score brandub-globe --attackers Aoife --defenders Niamh --date 2026-05-03 -o score.pdf",
            "names",
        ),
    ),
)
summary = _sheet_command(
    "summary",
    (
        ("print summary brandub-globe -o summary.pdf", "plain"),
        ("print summary tablut-kouvia --lang fr --paper a3 --colour -o summary.pdf", "french"),
    ),
)
poster = _sheet_command(
    "poster",
    (
        ("print poster brandub-globe -o poster.pdf", "plain"),
        ("print poster copenhagen-11 --paper a2 --colour -o poster.pdf", "colour"),
    ),
)
