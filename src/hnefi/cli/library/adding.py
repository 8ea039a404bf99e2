"""`hnefi library add`: check the games of files and add them to a library."""

import os
from contextlib import ExitStack, nullcontext
from pathlib import Path

import click

from hnefi.cli.checking import in_order, print_tallies, read_types, tally_facts
from hnefi.cli.commands import argument, command, option
from hnefi.cli.convert import format_option
from hnefi.cli.game_input import GamesInFile, games_in
from hnefi.cli.library.options import library_option, opened
from hnefi.cli.naming import VariantName, json_option
from hnefi.cli.output import print_json
from hnefi.cli.progress import ProgressBar, partial_end, progress_bar
from hnefi.cli.texts import translate, translate_plural
from hnefi.cli.values import FilePath
from hnefi.formats import Format, ReadOptions, find_format
from hnefi.library import Adder, Report
from hnefi.record.escapes import encodable
from hnefi.variants.model import Variant

_EXAMPLES = (
    ("library add games.jsonl.gz", "plain"),
    ("library add copenhagen.csv --variant copenhagen-11 --library club.db", "variant"),
)
_EVERY = 100
_COUNTS = ("added", "known", "updated", "faulty", "kept_short")


@command("add", _EXAMPLES, group="library")
@argument("files", key="files_to_add", type=FilePath(), nargs=-1, required=True)
@format_option("--from", "from_name", help="from")
@option("--variant", type=VariantName(), help="played")
@option("--types", type=FilePath())
@option("--keep-faulty", is_flag=True)
@library_option
@json_option
def add(
    files: tuple[str, ...],
    from_name: str | None,
    variant: Variant | None,
    types: str | None,
    keep_faulty: bool,
    place: str | None,
    as_json: bool,
) -> int:
    """Adds games."""
    file_format = find_format(from_name) if from_name else None
    options = ReadOptions(variant, lenient=keep_faulty)
    custom = {} if variant is None else {variant.id: variant}
    known_types = read_types(types)
    with ExitStack() as stack:
        # Before a library is created, and before games of other files are added. Pipes are read once.
        pipes = {
            file: stack.enter_context(games_in(file, options, file_format))
            for file in dict.fromkeys(files)
            if file == "-" or Path(file).is_fifo() or Path(file).is_char_device()
        }
        sizes = [0 if file in pipes else _size(file, file_format) for file in files]
        library = stack.enter_context(opened(place, create=True))
        adder = Adder(library, types=known_types, default=variant, custom=custom, keep_faulty=keep_faulty)
        with adder, progress_bar(translate("cli.library.add.progress"), sum(sizes)) as show:
            before, is_whole = 0, True
            try:
                for file, size in zip(files, sizes, strict=True):
                    piped = pipes.get(file)
                    with nullcontext(piped) if piped else games_in(file, options, file_format) as games:
                        _add_games(adder, games, show, before)
                    before += size
            except KeyboardInterrupt:
                is_whole = False
        if as_json:
            print_json(
                {
                    "complete": is_whole,
                    "library": str(library.path),
                    **{name: getattr(adder.report, name) for name in _COUNTS},
                    "games": library.count(),
                    "types": [tally_facts(one) for one in in_order(adder.tallies)],
                }
            )
        else:
            print_tallies(in_order(adder.tallies))
            _print_summary(adder.report)
    if not is_whole:
        return partial_end("cli.library.add.cut", is_said=not as_json)
    return 1 if adder.report.faulty or adder.report.truncated else 0


def _size(file: str, file_format: Format | None) -> int:
    """Returns the size of a file after checking that it can be read."""
    with games_in(file, ReadOptions(), file_format) as games:
        return games.size


def _add_games(adder: Adder, games: GamesInFile, show: ProgressBar, before: int) -> None:
    stored_name = encodable(os.fspath(Path(games.path)))
    for count, found in enumerate(games.games, 1):
        adder.add(stored_name, found)
        if count % _EVERY == 0:
            show(before + games.done)


def _print_summary(report: Report) -> None:
    for key in _COUNTS:
        count = getattr(report, key)
        if count or key == "added":
            click.echo(translate_plural(f"cli.library.add.{key}", count))
