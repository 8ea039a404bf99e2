"""What commands write: answers as JSON, tables, and what the terminal is able to show."""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Literal, TextIO

import click

from hnefi.diagram import ColourDepth

__all__ = [
    "colour_depth",
    "is_terminal",
    "needs_ascii",
    "prepare_streams",
    "print_json",
    "print_table",
    "print_text",
]

_SIGNS = "▲○♔·×□▸◂…’é"


def prepare_streams() -> None:
    """Makes sure that no text is ever refused by the encoding of the terminal."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def print_json(answer: Mapping[str, object]) -> None:
    """Writes an answer as one line of JSON; signs that the encoding lacks are escaped."""
    click.echo(json.dumps(answer, ensure_ascii=not _can_write(sys.stdout, _SIGNS)))


def print_text(text: str) -> None:
    """Writes a text with its colours: whoever made it has asked before whether there may be any."""
    click.echo(text, color=True)


def print_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = (), folds: int = 0
) -> None:
    """Writes a table, as wide as the terminal; nothing is cut off where there is none.

    Args:
        heads: The names of the columns.
        rows: The cells.
        numbers: Which columns hold numbers and are set to the right.
        folds: The column that is folded where the terminal is too narrow.
    """
    from rich.box import Box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rule = "-" if needs_ascii() else "─"
    blank = "    \n"
    box = Box(f"{blank}{blank} {rule}{rule} \n{blank}{blank}{blank}{blank}{blank}", ascii=needs_ascii())
    table = Table(box=box, header_style="bold", pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for index, head in enumerate(heads):
        side: Literal["left", "right"] = "right" if index in numbers else "left"
        table.add_column(head, justify=side, overflow="fold", no_wrap=index != folds)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    is_seen = colour_depth() != "none" or is_terminal(sys.stdout)
    console = Console(highlight=False, no_color=colour_depth() == "none", width=None if is_seen else 10_000)
    with console.capture() as captured:
        console.print(table)
    print_text("\n".join(line.rstrip() for line in captured.get().splitlines()))


def colour_depth(stream: TextIO | None = None) -> ColourDepth:
    """Tells how many colours may be used: none where nobody looks, or where `NO_COLOR` asks for none."""
    target = sys.stdout if stream is None else stream
    term = os.environ.get("TERM", "")
    forced = bool(os.environ.get("FORCE_COLOR"))
    if os.environ.get("NO_COLOR") or not (forced or (is_terminal(target) and term not in ("", "dumb"))):
        return "none"
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "truecolor"
    return "none" if term in ("linux", "vt100", "vt220", "ansi") else "256"


def needs_ascii(stream: TextIO | None = None) -> bool:
    """Tells whether only plain letters can be shown: by the encoding, or by the font of a bare console."""
    target = sys.stdout if stream is None else stream
    return not _can_write(target, _SIGNS) or (is_terminal(target) and os.environ.get("TERM") == "linux")


def is_terminal(stream: TextIO | None) -> bool:
    """Tells whether somebody sits at the other end of a stream."""
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
