"""Parses records: returns every valid game of a text, and the faults of the others."""

import re
from dataclasses import dataclass
from pathlib import Path

from hnefi.archives import ARCHIVE_ERRORS, opened
from hnefi.errors import RecordError
from hnefi.record.escapes import BadEscape, unquote
from hnefi.record.faults import record_error
from hnefi.record.headers import UNFINISHED, Headers, check_value
from hnefi.record.model import Record
from hnefi.record.movetext import Movetext, UnreadableGame
from hnefi.record.record_text import RecordText

MAX_FAULTS = 1000
"""Parsing stops after this number of faults."""

_HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"')
_HEADER_END = re.compile(r"\][ \t]*")


class _TooManyFaults(Exception):
    """The limit of faults is reached."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The games and faults of a text.

    Attributes:
        records: The games without faults.
        numbers: Their numbers in the text, from 1.
        faults: The faults of the other games, in text order; the fact `game` is the game's number.
    """

    records: tuple[Record, ...]
    numbers: tuple[int, ...]
    faults: tuple[RecordError, ...]


def read_records(text: str | bytes, *, line: int = 1, lenient: bool = False) -> Reading:
    """Parses all games of a text and leaves out those with faults; bytes are UTF-8.

    Args:
        line: The number of its first line, where it is a part of a file.
        lenient: Whether games with faults are kept too: without the headers that have one, and up to the
            first fault of their moves. They have no result then.

    >>> reading = read_records("1. d2-c2 2. c4 * 1. d6-c6 *")
    >>> len(reading.records), [(fault.code, fault.column) for fault in reading.faults]
    (1, [('bad_move', 13)])
    """
    return _Reader(text, line, lenient).read()


def load_records(path: str | Path) -> Reading:
    """Parses all games of a file of Hnefi's own format (`.tafl`, `.tafl.gz`); leaves out those with faults.

    `hnefi.formats.read_games` reads the formats of other programs too.

    Raises:
        OSError: If the file cannot be read.
        RecordError: `broken_archive`, if it is a damaged or truncated archive.
    """
    try:
        with opened(path) as stream:
            return read_records(stream.read())
    except ARCHIVE_ERRORS:
        raise record_error("broken_archive", path=path) from None


def parse_records(text: str | bytes) -> list[Record]:
    """Parses all games of a text.

    Raises:
        RecordError: The first fault, if there is one.

    >>> parse_records("1. d2-c2 2. c4-c6 *")[0].nodes[1].move
    Move('c4-c6')
    """
    reading = read_records(text)
    if reading.faults:
        raise reading.faults[0]
    return list(reading.records)


class _Reader:
    def __init__(self, text: str | bytes, line: int, lenient: bool) -> None:
        self._source = RecordText(text, line)
        self._lenient = lenient
        self._position = 0
        self._game = 0
        self._records: list[Record] = []
        self._numbers: list[int] = []
        self._faults: list[RecordError] = []

    def read(self) -> Reading:
        try:
            self._read_games()
        except _TooManyFaults:
            place = self._source.place(self._position)
            self._faults.append(record_error("too_many_faults", place, game=self._game, limit=MAX_FAULTS))
        return Reading(tuple(self._records), tuple(self._numbers), tuple(self._faults))

    def _read_games(self) -> None:
        moves_end = 0
        while not self._at_end():
            self._game += 1
            start, faults = self._position, len(self._faults)
            headers = self._read_headers()
            if self._position >= moves_end:
                moves_end = self._source.next_header(self._position)
            readable = len(self._faults) == faults
            record = self._read_moves(headers, moves_end, check_result=readable)
            undecoded = self._source.undecoded(start, self._position)
            if undecoded is not None and all(one.code != "bad_encoding" for one in self._faults[faults:]):
                self._fault("bad_encoding", undecoded)
            if record is not None and (self._lenient or len(self._faults) == faults):
                self._records.append(record)
                self._numbers.append(self._game)

    def _at_end(self) -> bool:
        """Skips blanks; returns whether the end is reached."""
        self._position = self._source.after_blank(self._position)
        return self._position == len(self._source.text)

    def _read_headers(self) -> Headers:
        """Parses the headers, one per line; the first other line ends them."""
        headers: dict[str, str] = {}
        while self._source.header_follows(self._position):
            start, end = self._position, self._source.end_of_line(self._position)
            self._position = min(end + 1, len(self._source.text))
            undecoded = self._source.undecoded(start, end)
            if undecoded is not None:
                self._fault("bad_encoding", undecoded)
                continue
            try:
                name, value = self._read_header(start, end)
                if name in headers:
                    raise record_error("duplicate_header", name=name)
                headers[name] = value
            except BadEscape as bad:
                self._fault("bad_escape", bad.offset, found=bad.found)
            except RecordError as error:
                self._fault(error.code, start, **error.parameters)
        return tuple(headers.items())

    def _read_header(self, start: int, end: int) -> tuple[str, str]:
        text = self._source.text
        begin = _HEADER.match(text, start, end)
        close = begin and self._source.closing('"', begin.end(), end)
        if begin is None or close is None or not _HEADER_END.fullmatch(text, close + 1, end):
            raise record_error("bad_header", found=text[start:end])
        try:
            value = unquote(text[begin.end() : close])
        except BadEscape as bad:
            raise BadEscape(begin.end() + bad.offset, bad.found) from None
        check_value(begin.group(1), value)
        return begin.group(1), value

    def _read_moves(self, headers: Headers, end: int, *, check_result: bool) -> Record | None:
        """Parses the moves up to the result; returns None and skips the game if that is impossible."""
        movetext = Movetext(self._source, self._position, end, self._fault)
        faults = len(self._faults)
        try:
            result, at = movetext.read()
        except UnreadableGame:
            self._position = end
            return self._cut(headers, movetext)
        self._position = movetext.position
        if len(self._faults) > faults:
            return self._cut(headers, movetext)
        record = Record(headers, movetext.nodes, movetext.comments)
        if record.header("Result") is None and result != UNFINISHED:
            # Written by hand: the word behind the moves says it alone.
            return record.with_headers({"Result": result})
        if check_result and result != record.result:
            self._fault("result_mismatch", at, found=result, expected=record.result)
            return self._cut(headers, movetext)
        return record

    def _cut(self, headers: Headers, movetext: Movetext) -> Record | None:
        """Returns the game up to the first fault of its moves, if it is kept and has a move before it."""
        nodes, comments = movetext.sound()
        if not (self._lenient and nodes):
            return None
        kept = tuple(pair for pair in headers if pair[0] not in ("Result", "Reason"))
        return Record((*kept, ("Result", UNFINISHED)), nodes, comments)

    def _fault(self, code: str, offset: int, /, **facts: str | int) -> None:
        if len(self._faults) == MAX_FAULTS:
            raise _TooManyFaults
        place = self._source.place(offset)
        self._faults.append(record_error(code, place, game=self._game, **facts))
