"""Output of commands: JSON, tables, and the abilities of the terminal."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TextIO

import click

if TYPE_CHECKING:
    from hnefi.diagram import ColourDepth

_SIGNS = "▲○♔·×□▸◂…’é"


def prepare_streams() -> None:
    """Configures standard output and error to replace characters they cannot encode."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


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
    click.echo(json.dumps(answer, ensure_ascii=not _can_write(sys.stdout, _SIGNS)))


def print_text(text: str) -> None:
    """Prints a text with its colour codes; the caller has checked `colour_depth`."""
    click.echo(text, color=True)


def print_table(
    headings: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = (), folds: int = 0
) -> None:
    """Prints a table as wide as the terminal; without a terminal nothing is cut off.

    Args:
        headings: The names of the columns.
        rows: The cells.
        numbers: The columns to align right.
        folds: The column to wrap if the terminal is too narrow.
    """
    from rich.box import Box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rule = "-" if needs_ascii() else "─"
    blank = "    \n"
    box = Box(f"{blank}{blank} {rule}{rule} \n{blank}{blank}{blank}{blank}{blank}", ascii=needs_ascii())
    table = Table(box=box, header_style="bold", pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for index, heading in enumerate(headings):
        side: Literal["left", "right"] = "right" if index in numbers else "left"
        table.add_column(heading, justify=side, overflow="fold", no_wrap=index != folds)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    is_seen = colour_depth() != "none" or is_terminal(sys.stdout)
    console = Console(highlight=False, no_color=colour_depth() == "none", width=None if is_seen else 10_000)
    with console.capture() as captured:
        console.print(table)
    print_text("\n".join(line.rstrip() for line in captured.get().splitlines()))


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


def needs_ascii(stream: TextIO | None = None) -> bool:
    """Checks whether only ASCII can be shown, because of the encoding or the console font."""
    target = sys.stdout if stream is None else stream
    return not _can_write(target, _SIGNS) or (is_terminal(target) and os.environ.get("TERM") == "linux")


def is_terminal(stream: TextIO | None) -> bool:
    """Checks whether a stream is a terminal."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it has been closed
        return False


def _can_write(stream: TextIO | None, signs: str) -> bool:
    try:
        signs.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
