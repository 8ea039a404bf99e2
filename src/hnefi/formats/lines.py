"""A stream of bytes as lines of text with their numbers, in bounded memory whatever stands in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.record.faults import record_error

__all__ = ["LARGEST_GAME", "LONGEST_LINE", "Line", "game_lines", "lines_of"]

LONGEST_LINE = 4_000_000
"""So many bytes a line may have; of one that is longer only this is kept, and told as a fault."""

LARGEST_GAME = 16_000_000
"""So many characters the text of one game may have."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, without its end."""

    number: int
    """Counted from 1."""

    text: str
    fault: RecordError | None = None
    """Why it cannot be read: it is too long, or it is not UTF-8."""


def lines_of(stream: BinaryIO) -> Iterator[Line]:
    """Returns the lines of a stream, one after the other; never more than one is kept.

    >>> import io
    >>> [line.text for line in lines_of(io.BytesIO(b"a1-a2\\r\\nb1-b2"))]
    ['a1-a2', 'b1-b2']
    """
    number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n") and _skip_rest(stream):
            fault = record_error("line_too_long", (number, LONGEST_LINE), limit=LONGEST_LINE)
            yield Line(number, "", fault)
            continue
        if number == 1:
            raw = raw.removeprefix(b"\xef\xbb\xbf")
        yield _decoded(number, raw.rstrip(b"\r\n"))


def game_lines(stream: BinaryIO) -> Iterator[tuple[int, Line]]:
    """Returns the lines that are not empty of a stream with a game a line, each with the number of its game.

    >>> import io
    >>> [(game, line.number) for game, line in game_lines(io.BytesIO(b"a1-a2\\n\\nb1-b2"))]
    [(1, 1), (2, 3)]
    """
    told = (line for line in lines_of(stream) if line.fault is not None or line.text.strip())
    return enumerate(told, 1)


def _skip_rest(stream: BinaryIO) -> bool:
    """Reads on to the end of a line; tells whether there was more of it."""
    had_more = False
    while piece := stream.readline(LONGEST_LINE):
        had_more = had_more or piece not in (b"\n", b"\r\n")
        if piece.endswith(b"\n"):
            break
    return had_more


def _decoded(number: int, raw: bytes) -> Line:
    try:
        return Line(number, raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode("utf-8", "replace")) + 1
        return Line(number, "", record_error("bad_encoding", (number, column)))
