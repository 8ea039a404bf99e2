"""Formats records as text, in one canonical layout."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from hnefi._core import format_move
from hnefi.files import atomic_writer
from hnefi.record.escapes import comment_units, quote
from hnefi.record.model import Node, Record, Status, Variation, number_after

WIDTH = 80


def format_records(records: Iterable[Record]) -> str:
    """Formats records as `parse_records` parses them.

    >>> format_records([Record((("Site", "Tara"),)), Record()])
    '[Site "Tara"]\\n\\n*\\n\\n*\\n'
    """
    return "\n".join(_record_text(record) for record in records)


def save_records(path: str | Path, records: Iterable[Record]) -> None:
    """Writes records to a file in UTF-8 and replaces its content; `.gz` is packed."""
    with atomic_writer(path) as file:
        file.write(format_records(records))


def _record_text(record: Record) -> str:
    headers = "".join(f"[{name} {quote(value)}]\n" for name, value in record.headers)
    units = [*_comments(record.comments), *_line(record.nodes, 1), record.result]
    gap = "\n" if headers else ""
    return f"{headers}{gap}{wrapped(units)}\n"


def _line(nodes: Iterable[Node], number: int) -> Iterator[str]:
    """Iterates over the units of a line; a blank or a line end separates them."""
    for node in nodes:
        yield from _node(node, number)
        yield from _comments(node.comments)
        for variation in node.variations:
            yield from _variation(variation, number)
        if not node.is_pass:
            number = number_after(number, node.status)


def _node(node: Node, number: int) -> Iterator[str]:
    if node.move is None:
        yield "--"
        return
    call = f"!{node.call}" if node.call else ""
    yield f"{number}. {format_move(node.move, node.captures)}{call}"
    if node.status is not Status.PLAYED:
        yield node.status.value
    if node.clock_ms is not None:
        yield format_clock(node.clock_ms)


def _variation(variation: Variation, number: int) -> Iterator[str]:
    units = [*_comments(variation.comments), *_line(variation.nodes, number)]
    units[0] = f"({units[0]}"
    units[-1] = f"{units[-1]})"
    yield from units


def format_variation(variation: Variation, number: int) -> str:
    """Formats a variation as a record has it, in parentheses; `number` is that of the move it replaces.

    >>> format_variation(Variation((Node("d2-c2"), Node("d3-e3"))), 1)
    '(1. d2-c2 2. d3-e3)'
    """
    return wrapped(_variation(variation, number))


def _comments(comments: Iterable[str]) -> Iterator[str]:
    for comment in comments:
        yield from comment_units(comment)


def format_clock(clock_ms: int) -> str:
    """Formats a clock time: hours, minutes, seconds, and milliseconds if there are any.

    >>> format_clock(3_599_000), format_clock(250)
    ('@0:59:59', '@0:00:00.250')
    """
    seconds, ms = divmod(clock_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"@{hours}:{minutes:02}:{seconds:02}" + (f".{ms:03}" if ms else "")


def wrapped(units: Iterable[str]) -> str:
    """Joins the units of a game with blanks and line ends, to lines that are as long as `WIDTH` allows."""
    text: list[str] = []
    column = 0
    for unit in units:
        first, *others = unit.split("\n")
        if column:
            fits = column + 1 + len(first) <= WIDTH
            text.append(" " if fits else "\n")
            column = column + 1 if fits else 0
        text.append(unit)
        column = len(others[-1]) if others else column + len(first)
    return "".join(text)
