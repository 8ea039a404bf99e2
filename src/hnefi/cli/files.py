"""Files named on the command line: read with a size limit, written atomically.

Errors of files are a `CommandError`, `cannot_read` or `cannot_write`.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from hnefi.cli.faults import file_error
from hnefi.cli.texts import translate
from hnefi.files import PACKED, atomic_writer, write_atomically

SUFFIX = ".tafl"
"""How the names of files of games end."""

MEGABYTE = 1_000_000


def read_file(path: str, limit_mb: int) -> bytes:
    """Reads a file, or standard input for `-`; a file larger than the limit cannot be read, either."""
    limit = limit_mb * MEGABYTE
    try:
        if path == "-":
            content = sys.stdin.buffer.read(limit + 1) if sys.stdin is not None else b""
        else:
            with Path(path).open("rb") as file:
                content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise file_error("cannot_read", path, error) from None
    if len(content) > limit:
        raise file_error("cannot_read", path, translate("cli.file.too_large", megabytes=limit_mb))
    return content


def check_output(path: str | None) -> None:
    """Checks before long work that the folder of an output file exists."""
    if path and not Path(path).absolute().parent.is_dir():
        raise file_error("cannot_write", path, translate("cli.file.no_folder"))


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
    try:
        write_atomically(path, content)
    except (OSError, ValueError) as error:
        raise file_error("cannot_write", path, error) from None


def write_games(path: Path, text: str) -> None:
    """Writes the text of games as `write_file` does; packed if the name ends with `.gz`."""
    try:
        with atomic_writer(path) as file:
            file.write(text)
    except (OSError, ValueError) as error:
        raise file_error("cannot_write", path, error) from None


class NothingToWrite(Exception):
    """Ends the block of `open_output`; a file that exists stays as it is."""


@contextmanager
def open_output(path: str | None) -> Iterator[TextIO]:
    """Opens a file for writing atomically, or standard output for `-` and None; `.gz` is packed."""
    with suppress(NothingToWrite):
        if path in (None, "-"):
            yield sys.stdout
            return
        try:
            with atomic_writer(str(path)) as file:
                yield file
        except OSError as error:
            raise file_error("cannot_write", path, error) from None


def make_folder(path: Path) -> None:
    """Creates a folder with its parents, if missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise file_error("cannot_write", path, error) from None
