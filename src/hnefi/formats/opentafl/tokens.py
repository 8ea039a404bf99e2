"""Splits OpenTafl records into words and bracketed texts with their places, in bounded memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
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
    bracket: Token | None = None
    pieces: list[str] = []
    size = 0
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
                pieces.append(f"{text[at:]}\n" if end < 0 else text[at:end])
                size += len(pieces[-1])
                if size > LARGEST_GAME:
                    pieces.clear()
                if end < 0:
                    break
                fault = None
                if size > LARGEST_GAME:
                    fault = record_error("game_too_long", bracket.position, limit=LARGEST_GAME)
                yield replace(bracket, text="".join(pieces), fault=fault)
                bracket, at = None, end + 1
            found = _NEXT.search(text, at)
            if found is None:
                break
            at = found.end()
            if found.group() == "[":
                bracket = Token("", line.number, found.start() + 1, in_brackets=True)
                pieces, size = [], 0
            else:
                yield Token(found.group(), line.number, found.start() + 1)
    if bracket is not None:
        yield replace(bracket, fault=record_error("unclosed_bracket", bracket.position))
