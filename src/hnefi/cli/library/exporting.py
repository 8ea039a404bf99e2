"""`hnefi library export`: write games of a library to a file, in any format."""

from collections import Counter
from typing import Any

import click

from hnefi.cli.commands import Choice, FilePath, WholeNumber, command, option
from hnefi.cli.convert import gap_facts
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import open_output
from hnefi.cli.library.options import library_option, opened, order_options, query_of, selection_options
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.progress import progress_bar
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.errors import HnefiError
from hnefi.formats import FORMATS, Gap, explain_gap, find_format, merge_headers
from hnefi.library import count_games, find_games

_EXAMPLES = (
    ("library export --output all.tafl", "cli.library.export.example.plain"),
    ("library export --variant fetlar-11 --to otg -o fetlar.otg", "cli.library.export.example.form"),
)
_EVERY = 100


@command("export", _EXAMPLES, group="library")
@selection_options
@order_options
@option(
    "--to",
    "to_name",
    type=Choice([one.name for one in FORMATS]),
    default="tafl",
    metavar="cli.word.format",
    help="cli.option.to",
)
@option(
    "--limit", type=WholeNumber(1, 1_000_000_000), metavar="cli.word.count", help="cli.option.library_limit"
)
@option("--output", "-o", "out", type=FilePath(), metavar="cli.word.file", help="cli.option.converted")
@library_option
@json_option
def export(
    order: str,
    is_reversed: bool,
    to_name: str,
    limit: int | None,
    out: str | None,
    place: str | None,
    as_json: bool,
    **filters: Any,
) -> int:
    """Writes games."""
    if as_json and out in (None, "-"):
        raise bad_usage("needs", name="--json", needed="--output")
    query = query_of(**filters)
    file_format, gaps, written, refused = find_format(to_name), Counter[Gap](), 0, 0
    with opened(place) as library, open_output(out) as target:
        total = count_games(library, query)
        with progress_bar(
            translate("cli.library.export.progress"), total if limit is None else min(total, limit)
        ) as show:
            for one in find_games(library, query, limit, order=order, is_reversed=is_reversed):
                try:
                    game_text = file_format.write(one.raw_game())
                except HnefiError:
                    refused += 1
                    continue
                target.write(game_text.text if game_text.text.endswith("\n") else f"{game_text.text}\n")
                gaps.update({*game_text.gaps})
                written += 1
                if written % _EVERY == 0:
                    show(written)
    exit_code = 0 if written and not refused else 1
    if as_json:
        print_json({"file": out, "written": written, "refused": refused, "gaps": gap_facts(gaps)})
        return exit_code
    click.echo(translate_plural("cli.library.export.written", written), err=True)
    for gap, count in merge_headers(gaps):
        text = explain_gap(gap, language())
        click.echo(translate("cli.library.export.gap", gap=text, count=count), err=True)
    if refused:
        click.echo(translate_plural("cli.library.export.refused", refused), err=True)
    return exit_code
