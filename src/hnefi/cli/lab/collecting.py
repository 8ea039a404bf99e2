"""What the commands share that collect positions from games: options, files, and the work on many games."""

import math
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

import click

from hnefi.cli.commands import option
from hnefi.cli.faults import CommandError, bad_usage, file_error
from hnefi.cli.files import check_output, make_folder, output_file
from hnefi.cli.lab.suite import entry_facts
from hnefi.cli.output import print_json
from hnefi.cli.progress import collected, partial_end, progress_bar
from hnefi.cli.search_options import Seconds
from hnefi.cli.texts import error_text, translate, translate_plural
from hnefi.errors import HnefiError, RecordError
from hnefi.formats import SuiteEntry
from hnefi.lab.positions import SuiteFile
from hnefi.puzzles.checking import PuzzleError
from hnefi.variants.finding import variant, variant_ids
from hnefi.variants.model import Variant

_Found = TypeVar("_Found")

FRUITLESS = 500
"""After so many games in a row that gave nothing, a variant is left."""

suite_option = output_file("output", replaces="suite", help="suite_output")
seconds_option = option("--seconds", "most_ms", type=Seconds(), help="collect_seconds")


def output_path(output: str | None, name: str, ending: str) -> Path | None:
    """Returns the path for a variant: a file with this ending as it is, or one of the variant in a folder.

    Raises:
        CommandError: `bad_usage`, if it is another file or has another extension; `cannot_write`, if there is
            no folder for the file, or it cannot be created.
    """
    if output is None:
        return None
    path = Path(output)
    if output.lower().endswith(ending):
        check_output(output)
        return path
    if not path.is_dir() and (path.suffix or path.is_file()):
        raise bad_usage("ending", found=path.name, expected=ending)
    make_folder(path)
    return path / (name + ending)


def suite_files(chosen: Iterable[Variant], output: str | None) -> list[SuiteFile]:
    """Returns the suites of variants, which a suite names by their ids.

    Raises:
        CommandError: `not_added` for a variant that is not installed; as `output_path`.
    """
    named = list(chosen)
    for one in named:
        if one.id not in variant_ids():
            raise CommandError.of_facts("not_added", name=one.id)
    return [_suite_file(variant(one.id), output_path(output, one.id, ".epd")) for one in named]


def _suite_file(one: Variant, path: Path | None) -> SuiteFile:
    try:
        return SuiteFile(one, path)
    except UnicodeError:
        raise file_error("cannot_read", path, translate("cli.file.not_utf8")) from None
    except RecordError as error:
        raise file_error("cannot_read", path, translate("cli.lab.suite.fault", line=error.line)) from None
    except OSError as error:
        raise file_error("cannot_read", path, error) from None


@contextmanager
def reading_puzzles(path: object) -> Iterator[None]:
    """Reads a file of collected puzzles in a `with` block; other files cannot be read."""
    try:
        yield
    except OSError as error:
        raise file_error("cannot_read", path, error) from None
    except PuzzleError as error:
        if isinstance(error.__cause__, HnefiError):
            error.parameters["why"] = error_text(error.__cause__)
        raise
    except (ValueError, LookupError, TypeError):
        raise file_error("cannot_read", path, translate("cli.lab.puzzles.none_in_file")) from None


def collect(
    sources: Iterable[tuple[str, Iterator[Sequence[_Found]]]],
    wanted: int,
    most_ms: int | None,
    output: str | None,
    fruitless: str | None = None,
    what: str = "positions",
) -> tuple[list[_Found], bool]:
    """Takes what a game of each source in turn gives, and returns it, and whether Ctrl-C left out none.

    Each source has the id of its variant. It ends when all sources do, or after so many milliseconds.

    Args:
        fruitless: The text that says of which variants the last `FRUITLESS` games gave nothing; they are
            left. None if games may go on to give nothing.
        what: `positions` or `puzzles`.
    """
    end = time.monotonic() + (most_ms / 1000 if most_ms else math.inf)
    left: list[str] = []

    def found() -> Iterator[_Found]:
        waiting, done = deque((name, source, 0) for name, source in sources), 0
        while waiting:
            name, source, vain = waiting.popleft()
            for given in islice(source, 1):
                yield from given
                show(done := done + len(given))
                vain = 0 if given else vain + 1
                if fruitless and vain >= FRUITLESS:
                    left.append(name)
                else:
                    waiting.append((name, source, vain))
            if time.monotonic() > end:
                return

    try:
        with progress_bar(translate(f"cli.lab.collect.{what}"), wanted) as show:
            result = collected(found())
    except OSError as error:
        raise file_error("cannot_write", output, error) from None
    for name in left:
        click.echo(translate(str(fruitless), variant=name, count=FRUITLESS), err=True)
    return result


def say_lacking(key: str, names: Sequence[str]) -> int:
    """Prints the text of each variant whose rules have nothing to collect; returns the exit code."""
    for name in names:
        click.echo(translate(key, variant=name), err=True)
    return 1 if names else 0


def print_positions(found: Sequence[SuiteEntry], output: str | None, *, is_whole: bool, as_json: bool) -> int:
    """Prints the positions that were found, as `print_found` does."""
    facts = [*map(entry_facts, found)]
    return print_found("positions", facts, [*map(str, found)], output, is_whole=is_whole, as_json=as_json)


def print_found(
    what: str, facts: object, lines: Sequence[str], output: str | None, *, is_whole: bool, as_json: bool
) -> int:
    """Prints the lines of the positions or puzzles, or how many went to a file; returns the exit code."""
    if as_json:
        print_json({"complete": is_whole, what: facts})
    elif output:
        click.echo(translate_plural(f"cli.lab.added.{what}", len(lines), path=output))
    else:
        click.echo("".join(f"{line}\n" for line in lines), nl=False)
    return 0 if is_whole else partial_end(is_said=not as_json)
