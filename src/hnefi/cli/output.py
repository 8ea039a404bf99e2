"""Output of commands: JSON, tables, and the abilities of the terminal."""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice, zip_longest
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING, TextIO
from unicodedata import category, combining, east_asian_width

import click

from hnefi.cli.texts import translate, translate_plural

if TYPE_CHECKING:
    from hnefi.diagram import ColourDepth

_SIGNS = "▲○♔·×□▸◂…’é"
_GAP = "  "
# A column of a table that is wrapped keeps so many characters a line, however narrow the terminal is.
_NARROWEST = 12
_MOST_ERRORS = 12


def prepare_streams() -> None:
    """Configures standard output and error to replace characters they cannot encode."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def file_output() -> TextIO:
    """Returns standard output for the text of a file, which is UTF-8 whatever the locale says."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None and not is_terminal(sys.stdout):
        reconfigure(encoding="utf-8", errors="replace")
    return sys.stdout


def drop_output() -> None:
    """Discards buffered output, so that Python prints no traceback at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError, AttributeError):
        pass


def print_json(answer: Mapping[str, object]) -> None:
    """Prints an answer as one line of JSON; escapes characters that the encoding lacks."""
    click.echo(json.dumps(answer, ensure_ascii=not _can_write_signs()))


def print_text(text: str) -> None:
    """Prints a text with its colour codes; the caller has checked `colour_depth`."""
    click.echo(text, color=True)


def print_errors(lines: Iterable[str], count: int) -> None:
    """Prints the first dozen of so many errors to standard error, and how many more there are."""
    for line in islice(lines, _MOST_ERRORS):
        click.echo(line, err=True)
    if count > _MOST_ERRORS:
        click.echo(translate_plural("cli.more_errors", count - _MOST_ERRORS), err=True)


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    key: str = "",
    numbers: Sequence[int] = (),
    folds: int = 0,
) -> None:
    """Prints a table as wide as the terminal; without a terminal nothing is cut off.

    The columns are headings, or what follows `key` in their keys. Those in `numbers` are aligned
    right. If the terminal is too narrow, headings that are wider than their columns are wrapped, then the
    column `folds`.
    """
    headings = [translate(f"{key}{column}") for column in columns] if key else columns
    # Words from files have no codes for the terminal.
    cells = [[[*map(visible, cell.split("\n"))] for cell in row] for row in (headings, *rows)]
    widths = [max(map(_width, chain(*column))) for column in zip(*cells, strict=True)]
    if colour_depth() != "none" or is_terminal(sys.stdout):
        excess = sum(widths) + len(_GAP) * (len(widths) - 1) - get_terminal_size().columns
        for index, (heading, *column) in enumerate(zip(*cells, strict=True)):
            if index != folds and excess > 0:
                least = max(map(_width, chain(" ".join(heading).split(), *column)), default=0)
                narrower = max(widths[index] - excess, least)
                excess -= widths[index] - narrower
                widths[index] = narrower
        widths[folds] = max(widths[folds] - max(excess, 0), min(widths[folds], _NARROWEST))
    lines: list[str] = []
    for row in cells:
        row[:] = [
            [part for line in cell for part in _folded(line, width)]
            for cell, width in zip(row, widths, strict=True)
        ]
        for parts in zip_longest(*row, fillvalue=""):
            padded = [
                _padded(part, width, to_right=index in numbers)
                for index, (part, width) in enumerate(zip(parts, widths, strict=True))
            ]
            lines.append(_GAP.join(padded).rstrip())
    length = sum(widths) + len(_GAP) * (len(widths) - 1)
    count = max(map(len, cells[0]))
    heads = [f"\x1b[1m{line}\x1b[0m" if colour_depth() != "none" else line for line in lines[:count]]
    print_text("\n".join([*heads, ("-" if needs_ascii() else "─") * length, *lines[count:]]))


def visible(line: str) -> str:
    """Returns a line of a file without codes for the terminal."""
    return "".join(sign if sign.isprintable() or category(sign) == "Zs" else "\ufffd" for sign in line)


def _folded(line: str, width: int) -> list[str]:
    """Breaks a line between words; one that fits stays as it is."""
    return [line] if _width(line) <= width else wrap(line, width)


def _padded(cell: str, width: int, *, to_right: bool) -> str:
    blanks = " " * (width - _width(cell))
    return blanks + cell if to_right else cell + blanks


def _width(text: str) -> int:
    """Returns how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(2 if east_asian_width(sign) in "WF" else not combining(sign) for sign in text)


def colour_depth(stream: TextIO | None = None) -> "ColourDepth":
    """Returns how many colours may be used: none without a terminal or with `NO_COLOR`."""
    target = sys.stdout if stream is None else stream
    term = os.environ.get("TERM", "")
    forced = bool(os.environ.get("FORCE_COLOR"))
    if os.environ.get("NO_COLOR") or not (forced or (is_terminal(target) and term not in ("", "dumb"))):
        return "none"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "truecolor"
    return "none" if term in ("linux", "vt100", "vt220", "ansi") else "256"


def needs_ascii() -> bool:
    """Checks whether only ASCII can be shown, because of the encoding or the console font."""
    return not _can_write_signs() or (is_terminal(sys.stdout) and os.environ.get("TERM") == "linux")


def is_terminal(stream: TextIO | None) -> bool:
    """Checks whether a stream is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it has been closed
        return False


def _can_write_signs() -> bool:
    try:
        _SIGNS.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
