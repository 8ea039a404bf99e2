"""`hnefi print puzzles`: sheets of puzzles with their solutions as PDF."""

from hnefi.cli.commands import command, counted, option
from hnefi.cli.imprints import imprint_options
from hnefi.cli.naming import json_option, variant_argument
from hnefi.cli.print.writing import check_output, colour_option, output_option, write_output
from hnefi.cli.puzzles import chosen_puzzles
from hnefi.cli.texts import language
from hnefi.cli.values import Choice, FilePath
from hnefi.paper import PUZZLE_PAPERS, Imprint, puzzle_sheets
from hnefi.puzzles import DIFFICULTIES, THEMES
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("print puzzles brandub-globe -o puzzles.pdf", "all"),
    ("print puzzles tablut-kouvia --difficulty easy --sheet 1 -o easy.pdf", "sheet"),
    ("print puzzles brandub-globe --file puzzles.jsonl -o own.pdf", "file"),
)


@command("puzzles", _EXAMPLES, group="print")
@variant_argument()
@option("--file", "path", type=FilePath(), help="puzzles_file")
@option("--theme", type=Choice(THEMES), metavar="theme_of_puzzle", help="puzzles_theme")
@option("--difficulty", type=Choice(DIFFICULTIES), metavar="difficulty", help="puzzles_difficulty")
@counted("--sheet", "number", help="paper_sheet")
@option("--paper", type=Choice(PUZZLE_PAPERS), default=PUZZLE_PAPERS[0], metavar="paper")
@colour_option
@imprint_options
@output_option
@json_option
def puzzles(
    variant: Variant,
    path: str | None,
    theme: str | None,
    difficulty: str | None,
    number: int | None,
    paper: str,
    colour: bool,
    imprint: Imprint,
    out: str | None,
    as_json: bool,
) -> None:
    """Writes sheets of puzzles."""
    target = check_output(out, as_json=as_json)
    is_chosen = path or theme or difficulty
    chosen = chosen_puzzles(path, variant, theme, difficulty) if is_chosen else None
    pdf = puzzle_sheets(
        variant, language(), puzzles=chosen, number=number, paper=paper, colour=colour, imprint=imprint
    )
    facts = {"variant": variant.id, "language": language(), "number": number, "paper": paper}
    write_output(target, pdf, {**facts, "colour": colour}, as_json=as_json)
