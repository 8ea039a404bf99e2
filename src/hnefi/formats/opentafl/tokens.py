"""Splits OpenTafl records into words and bracketed texts with their places, in bounded memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from hnefi.errors import RecordError
from hnefi.formats.lines import LARGEST_GAME, lines_of
from hnefi.record.faults import record_error

_NEXT = re.compile(r"\[|[^\s\[]+")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, or a text in brackets."""

    text: str
    line: int
    column: int
    in_brackets: bool = False
    fault: RecordError | None = None

    @property
    def position(self) -> tuple[int, int]:
        """Line and column."""
        return self.line, self.column


def tokens_of(stream: BinaryIO) -> Iterator[Token]:
    """Iterates over the tokens of a stream. A text in brackets ends at the first `]`."""
    bracket: _Bracket | None = None
    for line in lines_of(stream):
        if line.fault is not None:
            yield Token("", line.number, 1, fault=line.fault)
            if line.fault.code == "archive_cut":
                return
            continue
        at, text = 0, line.text
        while True:
            if bracket is not None:
                end = text.find("]", at)
                bracket.add(text[at:] if end < 0 else text[at:end], is_end=end >= 0)
                if end < 0:
                    break
                yield bracket.token()
                bracket, at = None, end + 1
            found = _NEXT.search(text, at)
            if found is None:
                break
            at = found.end()
            if found.group() == "[":
                bracket = _Bracket(line.number, found.start() + 1)
            else:
                yield Token(found.group(), line.number, found.start() + 1)
    if bracket is not None:
        fault = record_error("unclosed_bracket", (bracket.line, bracket.column))
        yield Token("", bracket.line, bracket.column, in_brackets=True, fault=fault)


class _Bracket:
    """A text in brackets that is being parsed."""

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        self._pieces: list[str] = []
        self._size = 0

    def add(self, piece: str, *, is_end: bool) -> None:
        """Adds the part on one line; drops everything if the text is too long."""
        self._size += len(piece) + 1
        if self._size > LARGEST_GAME:
            self._pieces.clear()
        else:
            self._pieces.append(piece if is_end else f"{piece}\n")

    def token(self) -> Token:
        """Returns the token."""
        if self._size > LARGEST_GAME:
            fault = record_error("game_too_long", (self.line, self.column), limit=LARGEST_GAME)
            return Token("", self.line, self.column, in_brackets=True, fault=fault)
        return Token("".join(self._pieces), self.line, self.column, in_brackets=True)
