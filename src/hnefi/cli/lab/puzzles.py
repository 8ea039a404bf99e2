"""The command `hnefi lab puzzles`: collects puzzles from games, or around composed rings, and proves them."""

from hnefi.cli.commands import command, counted, option
from hnefi.cli.files import output_file
from hnefi.cli.lab.collecting import (
    collect,
    output_path,
    print_found,
    reading_puzzles,
    say_lacking,
    seconds_option,
)
from hnefi.cli.naming import json_option, variant_argument
from hnefi.lab.compositions import has_rings
from hnefi.lab.puzzles import PuzzleCollection, json_line
from hnefi.puzzles import puzzle_variants
from hnefi.variants.finding import variant
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("lab puzzles brandub-globe --positions 1", "one"),
    ("lab puzzles mine.toml --seconds 600 -o puzzles.jsonl", "mine"),
    ("lab puzzles hist-brandubh-7 --rings --positions 1", "rings"),
)


@command("puzzles", _EXAMPLES, group="lab")
@variant_argument("chosen", key="puzzle_variants", nargs=-1)
@option("--rings", is_flag=True, help="puzzles_rings")
@counted("--positions", default=40, help="puzzles_positions")
@counted("--most", default=20, help="puzzles_most")
@seconds_option
@output_file("output", help="puzzles_output")
@json_option
def puzzles(
    chosen: tuple[Variant, ...],
    rings: bool,
    positions: int,
    most: int,
    most_ms: int | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Collects puzzles."""
    named = chosen or map(variant, puzzle_variants())
    files = []
    for one in named:
        path = output_path(output, one.id, ".jsonl")
        with reading_puzzles(path):
            files.append(PuzzleCollection(one, path))
    sources = [(one.variant.id, one.collect(positions, most, is_ring=rings)) for one in files]
    wanted = sum(max(0, positions - one.count) for one in files)
    found, is_whole = collect(sources, wanted, most_ms, output, "cli.lab.puzzles.fruitless", "puzzles")
    lines = [*map(json_line, found)]
    lacking = [one.variant.id for one in files if rings and not has_rings(one.variant)]
    code = say_lacking("cli.lab.puzzles.lacking", lacking)
    output = output if len(lacking) < len(files) else None
    return print_found("puzzles", found, lines, output, is_whole=is_whole, as_json=as_json) or code
