"""`hnefi library squares`: a heat map, how often squares were entered and captured on."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from hnefi.cli.commands import command
from hnefi.cli.files import output_file, write_file
from hnefi.cli.library.options import library_option, opened, query_of, selection_options
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.diagram import heat_map_svg
from hnefi.library import square_counts

_EXAMPLES = (
    ("library squares --variant copenhagen-11", "plain"),
    ("library squares --size 9 --result attackers -o squares.svg", "svg"),
)


@command("squares", _EXAMPLES, group="library")
@selection_options
@output_file("svg_path", help="library_svg")
@library_option
@json_option
def squares(svg_path: str | None, place: str | None, as_json: bool, **filters: Any) -> int:
    """Counts moves and captures by square."""
    query = query_of(place, **filters)
    with opened(place) as library:
        counts = square_counts(library, query)
    boards = [
        (translate(f"cli.library.squares.{name}"), numbers)
        for name, numbers in (("entered", counts.entered), ("captured", counts.captured))
    ]
    if svg_path is not None and counts.games:
        write_file(Path(svg_path), f"{heat_map_svg(counts.size, boards, lang=language())}\n")
    if as_json:
        names = sorted(counts.entered | counts.captured)
        facts = {one: {"entered": counts.entered[one], "captured": counts.captured[one]} for one in names}
        print_json({"games": counts.games, "size": counts.size, "squares": facts, "file": svg_path})
    else:
        for caption, numbers in boards if counts.games else ():
            click.echo("\n".join([caption, *_rows(counts.size, numbers), ""]))
        click.echo(translate_plural("cli.library.stats.games", counts.games))
    return 0 if counts.games else 1


def _rows(size: int, numbers: Mapping[str, int]) -> Iterator[str]:
    """Iterates over the lines of a board with a number on each square."""
    files = [chr(ord("a") + across) for across in range(size)]
    width = max(len(str(number)) for number in (0, *numbers.values())) + 1
    for rank in range(size, 0, -1):
        yield f"{rank:>2} " + "".join(f"{numbers.get(f'{file}{rank}', 0):>{width}}" for file in files)
    yield "   " + "".join(f"{file:>{width}}" for file in files)
