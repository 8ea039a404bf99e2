"""Files named on the command line: read with a size limit, written atomically.

Errors of files are a `CommandError`, `cannot_read` or `cannot_write`.
"""

import errno
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import click

from hnefi.archives import ARCHIVE_ERRORS, opened
from hnefi.cli.commands import Decorator, Option, option
from hnefi.cli.faults import CommandError, file_error, file_errors
from hnefi.cli.output import file_output
from hnefi.cli.texts import translate
from hnefi.cli.values import FilePath
from hnefi.errors import HnefiError
from hnefi.files import PACKED, atomic_writer, write_atomically

SUFFIX = ".tafl"
"""How the names of files of games end."""

MEGABYTE = 1_000_000
_DATABASE = b"SQLite format 3\0"


def read_file(path: str, limit_mb: int) -> bytes:
    """Reads a file, or standard input for `-`; a file larger than the limit cannot be read, either."""
    limit = limit_mb * MEGABYTE
    with file_errors("cannot_read", path):
        if path == "-":
            content = sys.stdin.buffer.read(limit + 1) if sys.stdin is not None else b""
        else:
            with Path(path).open("rb") as file:
                content = file.read(limit + 1)
    if len(content) > limit:
        raise file_error("cannot_read", path, translate("cli.file.too_large", megabytes=limit_mb))
    return content


def output_file(name: str, *, replaces: str = "", **settings: Any) -> Decorator:
    """Adds the option `--output`, which names no input and no file of something else that commands read.

    Args:
        replaces: What the command writes and may replace: `games` or `variant`.
    """
    return option("--output", "-o", name, cls=_Output, replaces=replaces, type=FilePath(), **settings)


class _Output(Option):
    """The option of `output_file`."""

    def __init__(self, *args: Any, replaces: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._replaces = replaces

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Returns the path.

        Raises:
            CommandError: `would_be_lost`, if the file is an input or holds something else.
        """
        path, rest = super().handle_parse_result(ctx, opts, args)
        if isinstance(path, str) and Path(path).is_file():
            inputs = (one for one in _typed_files(ctx, opts, self) if Path(one).is_file())
            if any(Path(path).samefile(one) for one in inputs) or _kind(path) not in ("", self._replaces):
                raise CommandError.of_facts("would_be_lost", path=path)
        return path, rest


def _typed_files(ctx: click.Context, opts: Mapping[str, Any], output: Option) -> Iterator[str]:
    """Iterates over the paths on a command line, besides that of the output."""
    for param in ctx.command.params:
        value = opts.get(str(param.name))
        for one in value if isinstance(value, list | tuple) else (value,):
            is_path = isinstance(param.type, FilePath) or str(one).lower().endswith(".toml")
            if param is not output and isinstance(one, str) and is_path:
                yield one


def _kind(path: str) -> str:
    """Returns what a file holds that commands read: `database`, `variant`, `games` or `suite`; else ""."""
    # Most outputs are new files.
    from hnefi.formats import parse_suite, recognise
    from hnefi.formats.registry import head_of

    if Path(path).resolve().suffix.lower() == ".toml":
        return "variant"
    head = b""
    try:
        with opened(path) as stream:
            head, _ = head_of(stream)
        recognise(head)
    except (HnefiError, OSError, *ARCHIVE_ERRORS):
        has_positions = parse_suite(head.decode(errors="replace")).entries
        return "database" if head.startswith(_DATABASE) else "suite" if has_positions else ""
    return "games"


def check_output(path: str | None) -> None:
    """Checks before long work that an output file can be written; pipes and devices are not tried."""
    if path is None:
        return
    _check_named(path)
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file() and not target.is_dir():
        return
    if not target.parent.is_dir():
        raise file_error("cannot_write", path, translate("cli.file.no_folder"))
    with file_errors("cannot_write", path):
        if target.is_dir():
            raise IsADirectoryError(os.strerror(errno.EISDIR))
        tempfile.TemporaryFile(dir=target.parent).close()


def _check_named(path: str | Path) -> None:
    """Checks that a command whose report takes standard output has a file to write."""
    if str(path) == "-":
        raise file_error("cannot_write", path, translate("cli.file.needs_name"))


def extension(path: str | None) -> str:
    """Returns the extension of an output file in lower case, that before `.gz`; "" for standard output.

    >>> extension("Games.OTG"), extension("games.tafl.gz"), extension("-")
    ('.otg', '.tafl', '')
    """
    suffixes = [suffix.lower() for suffix in Path(path or "-").suffixes]
    if suffixes[-1:] == [PACKED]:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def write_file(path: Path, content: str | bytes) -> None:
    """Writes a file atomically and flushes it to disk; an interruption leaves the old file."""
    _check_named(path)
    with file_errors("cannot_write", path):
        write_atomically(path, content)


def write_games(path: Path, text: str) -> None:
    """Writes the text of games as `write_file` does; packed if the name ends with `.gz`."""
    with file_errors("cannot_write", path), atomic_writer(path) as file:
        file.write(text)


class NothingToWrite(Exception):
    """Ends the block of `open_output`; a file that exists stays as it is."""


@contextmanager
def open_output(path: str | None) -> Iterator[TextIO]:
    """Opens a file for writing atomically, or standard output for `-` and None; `.gz` is packed."""
    with suppress(NothingToWrite):
        if path in (None, "-"):
            yield file_output()
            return
        try:
            with atomic_writer(str(path)) as file:
                yield file
        except OSError as error:
            raise file_error("cannot_write", path, error) from None


def make_folder(path: Path) -> None:
    """Creates a folder with its parents, if missing."""
    with file_errors("cannot_write", path):
        path.mkdir(parents=True, exist_ok=True)
