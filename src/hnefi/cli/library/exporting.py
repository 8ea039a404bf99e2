"""`hnefi library export`: write games of a library to a file, in any format, or as a table."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, TextIO

import click

from hnefi.cli.commands import command, counted, option
from hnefi.cli.convert import format_option, gap_facts, target_format
from hnefi.cli.faults import bad_usage
from hnefi.cli.files import NothingToWrite, extension, open_output, output_file
from hnefi.cli.library.options import library_option, opened, order_options, query_of, selection_options
from hnefi.cli.library.tables import write_table
from hnefi.cli.naming import json_option
from hnefi.cli.output import print_json
from hnefi.cli.progress import ProgressBar, progress_bar
from hnefi.cli.texts import language, translate, translate_plural
from hnefi.cli.values import Choice
from hnefi.errors import HnefiError
from hnefi.formats import Format, Gap, explain_gap, merge_headers
from hnefi.library import LibraryGame, count_games, find_games

_EXAMPLES = (
    ("library export --output all.tafl", "plain"),
    ("library export --variant fetlar-11 --to otg -o fetlar.otg", "form"),
    ("library export --format csv -o games.csv", "table"),
)
_TABLES = ("csv", "parquet")
_USUAL = "tafl"
_EVERY = 100


@command("export", _EXAMPLES, group="library")
@selection_options
@order_options
@format_option("--to", "to_name", help="library_to")
@option("--format", "table", type=Choice(_TABLES), metavar="format", help="library_table")
@counted("--limit", most=1_000_000_000, help="library_limit")
@output_file("out", replaces="games", help="converted")
@library_option
@json_option
def export(
    order: str,
    is_reversed: bool,
    to_name: str | None,
    table: str | None,
    limit: int | None,
    out: str | None,
    place: str | None,
    as_json: bool,
    **filters: Any,
) -> int:
    """Writes games."""
    if table is not None and to_name is not None:
        raise bad_usage("together", first="--format", second="--to")
    table = table or (_table(out) if to_name is None else None)
    for name, asked in (("--json", as_json), ("--format parquet", table == "parquet")):
        if asked and out in (None, "-"):
            raise bad_usage("needs", name=name, needed="--output")
    to_format = target_format(to_name, None if table else out, _USUAL)
    query, outcome = query_of(place, **filters), _Outcome()
    with opened(place) as library, open_output(out) as target:
        total = count_games(library, query)
        with progress_bar(
            translate("cli.library.export.progress"), total if limit is None else min(total, limit)
        ) as show:
            games = _watched(find_games(library, query, limit, order=order, is_reversed=is_reversed), show)
            outcome.write(target, games, table, to_format)
    exit_code = 0 if outcome.written and not outcome.refused else 1
    if as_json:
        print_json({"file": out, **outcome.facts})
        return exit_code
    click.echo(translate_plural("cli.library.export.written", outcome.written), err=True)
    outcome.print_losses()
    return exit_code


def write_found(out: str, games: Iterable[LibraryGame], *, is_told: bool) -> None:
    """Writes games to a file, whose extension names the format; without games none is written.

    Args:
        is_told: Whether standard error says what the format cannot express.
    """
    outcome = _Outcome()
    with open_output(out) as target:
        table = _table(out)
        outcome.write(target, games, table, target_format(None, None if table else out, _USUAL))
    if is_told:
        outcome.print_losses()


@dataclass(slots=True)
class _Outcome:
    """How many games were written and refused, and what the format lost."""

    written: int = 0
    refused: int = 0
    gaps: Counter[Gap] = field(default_factory=Counter)

    @property
    def facts(self) -> dict[str, object]:
        """The same for programs."""
        return {"written": self.written, "refused": self.refused, "gaps": gap_facts(self.gaps)}

    def write(
        self, target: TextIO, games: Iterable[LibraryGame], table: str | None, file_format: Format
    ) -> None:
        """Writes games as a table, or in a format.

        Raises:
            NothingToWrite: If there are none, so that a file stays as it is.
        """
        if table is not None:
            self.written = write_table(table, target, games)
        else:
            for one in games:
                self._write_record(target, one, file_format)
        if not self.written:
            raise NothingToWrite

    def _write_record(self, target: TextIO, one: LibraryGame, file_format: Format) -> None:
        try:
            game_text = file_format.write(one.raw_game())
        except HnefiError:
            self.refused += 1
            return
        target.write(game_text.text if game_text.text.endswith("\n") else f"{game_text.text}\n")
        self.gaps.update({*game_text.gaps})
        self.written += 1

    def print_losses(self) -> None:
        """Prints what the format cannot express, and how many games it refused."""
        for gap, count in merge_headers(self.gaps):
            text = explain_gap(gap, language())
            click.echo(translate("cli.library.export.gap", gap=text, count=count), err=True)
        if self.refused:
            click.echo(translate_plural("cli.library.export.refused", self.refused), err=True)


def _table(out: str | None) -> str | None:
    """Returns the kind of table that the extension of a file names, None for others."""
    suffix = extension(out)[1:]
    return suffix if suffix in _TABLES else None


def _watched(games: Iterable[LibraryGame], show: ProgressBar) -> Iterator[LibraryGame]:
    """Iterates over games and shows the progress."""
    for count, one in enumerate(games, 1):
        yield one
        if count % _EVERY == 0:
            show(count)
