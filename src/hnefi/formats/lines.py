"""Reads a stream of bytes as numbered lines of text, in bounded memory."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from hnefi.archives import ARCHIVE_ERRORS
from hnefi.errors import RecordError
from hnefi.record.faults import in_game, record_error
from hnefi.text_faults import encoding_place

LONGEST_LINE = 4_000_000
"""The maximum length of a line, in bytes. A longer line is a fault."""

LARGEST_GAME = 16_000_000
"""The maximum length of the text of one game, in characters."""

_BEGINNING = 80


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of a file, without its line end."""

    number: int
    """Counted from 1."""

    text: str
    """A byte that is not UTF-8 is a lone surrogate; a line that is too long is shortened to its beginning."""

    fault: RecordError | None = None
    """Why the line cannot be read: it is too long, it is not UTF-8, or the compressed file ends before it."""


def lines_of(stream: BinaryIO) -> Iterator[TextLine]:
    """Iterates over the lines of a stream and keeps at most one in memory.

    Where unpacking the stream fails, the last line is one with the fault `archive_cut`.

    >>> import io
    >>> [line.text for line in lines_of(io.BytesIO(b"a1-a2\\r\\nb1-b2\\rc1-c2"))]
    ['a1-a2', 'b1-b2', 'c1-c2']
    """
    last = 0
    try:
        for line in _sound_lines_of(stream):
            yield line
            last = line.number
    except ARCHIVE_ERRORS as error:
        # The words of `gzip` for what is no further part of the archive.
        part = {"part": "rest"} if str(error).startswith("Not a gzipped file") else {}
        yield TextLine(last + 1, "", record_error("archive_cut", (last + 1, 1), **part))


def follows_archive(fault: RecordError | None) -> bool:
    """Checks whether a fault is that of something behind a compressed text, whose last game is whole."""
    return fault is not None and fault.parameters.get("part") == "rest"


def _sound_lines_of(stream: BinaryIO) -> Iterator[TextLine]:
    number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n") and _skip_rest(stream):
            fault = record_error("line_too_long", (number, LONGEST_LINE), limit=LONGEST_LINE)
            yield TextLine(number, raw[:_BEGINNING].decode("utf-8", "surrogateescape"), fault)
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        # Old files end lines with CR alone.
        for part in raw.rstrip(b"\r\n").split(b"\r"):
            yield _decoded(number, part)
            number += 1
        number -= 1


def game_lines(stream: BinaryIO) -> Iterator[tuple[int, TextLine]]:
    """Iterates over the non-empty lines of a stream with one game per line, each with its game number.

    >>> import io
    >>> [(game, line.number) for game, line in game_lines(io.BytesIO(b"a1-a2\\n\\nb1-b2"))]
    [(1, 1), (2, 3)]
    """
    filled = (line for line in lines_of(stream) if line.fault is not None or line.text.strip())
    for game, line in enumerate(filled, 1):
        yield game, line if line.fault is None else replace(line, fault=in_game(line.fault, game))


def _skip_rest(stream: BinaryIO) -> bool:
    """Skips to the end of a line; returns whether there was more of it."""
    had_more = False
    while piece := stream.readline(LONGEST_LINE):
        had_more = had_more or piece not in (b"\n", b"\r\n")
        if piece.endswith(b"\n"):
            break
    return had_more


def _decoded(number: int, raw: bytes) -> TextLine:
    try:
        return TextLine(number, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        fault = record_error("bad_encoding", (number, encoding_place(error)[1]))
        return TextLine(number, raw.decode("utf-8", "surrogateescape"), fault)
