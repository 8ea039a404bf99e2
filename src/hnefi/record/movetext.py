"""Parses the moves of one game: the main line, variations and comments, up to the result.

The parser is not recursive: open lines are kept in a list, so depth cannot exhaust the stack.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from hnefi._core import Move, Square, parse_move
from hnefi.errors import IllegalMove
from hnefi.record.drafts import Draft, DraftLine
from hnefi.record.escapes import BadEscape, encodable, unquote
from hnefi.record.headers import RESULTS
from hnefi.record.model import MAX_DEPTH, Node, Status, number_after
from hnefi.record.record_text import RecordText

_NUMBER = re.compile(r"([0-9]+)\.")
_WORD = re.compile(r"[^\s{}()]+")
_CLOCK = re.compile(r"@([0-9]{1,6}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{3}))?")
# Between the squares of a move; people type it, but records write captures behind a move.
_CAPTURE_MARK = re.compile(r"[A-Za-z]?[A-Sa-s][0-9]+[xX×]")
_PASS = "--"
# Placeholder for text that is not a move, so that plies are still counted; its game is not returned.
_UNREADABLE = Move("a1-a2")
_STATUS = {status.value: status for status in (Status.TAKEN_BACK, Status.REFUSED)}


class UnreadableGame(Exception):
    """The rest of a game cannot be parsed; its fault has been reported."""


@dataclass(slots=True)
class _ParsedLine(DraftLine):
    """A line that is being parsed: its offset, and the number of its last ply."""

    start: int = 0
    number: int = 1
    written_number: tuple[str, int] | None = None

    @property
    def last(self) -> Draft | None:
        return self.drafts[-1] if self.drafts else None

    @property
    def next_number(self) -> int:
        """The number of the ply that would follow."""
        if self.last is None or self.last.move is None:
            return self.number
        return number_after(self.number, self.last.status)

    def add(self, draft: Draft) -> None:
        """Adds a node; the node before it is complete now and can be counted."""
        self.number = self.next_number
        self.drafts.append(draft)


class Movetext:
    """Parses the moves of a game between two offsets; `report` takes a fault's code, offset and facts."""

    def __init__(self, source: RecordText, start: int, end: int, report: Callable[..., None]) -> None:
        self._source = source
        self._text = source.text
        self._end = end
        self._receiver = report
        self._sound: int | None = None
        self._lines = [_ParsedLine(start=start)]
        self.position = start
        self.nodes: tuple[Node, ...] = ()
        self.comments: tuple[str, ...] = ()

    def read(self) -> tuple[str, int]:
        """Parses up to the result; returns the result and its offset.

        Raises:
            UnreadableGame: If there is no result, a comment is not closed, or variations are nested too deep.
        """
        while True:
            self.position = self._source.after_blank(self.position, self._end)
            if self.position == self._end:
                self._close_all()
                self._report("missing_result", self.position)
                raise UnreadableGame
            start = self.position
            result = self._read_token(self._text[start])
            if result is not None:
                self._close_all()
                self.nodes = self._lines[0].nodes()
                self.comments = tuple(self._lines[0].comments)
                return result, start

    def sound(self) -> tuple[tuple[Node, ...], tuple[str, ...]]:
        """Returns the moves of the main line before the first fault, and the comments before them."""
        main = self._lines[0]
        return main.nodes()[: self._sound], tuple(main.comments)

    def _report(self, code: str, offset: int, /, **facts: str | int) -> None:
        if self._sound is None:
            self._sound = len(self._lines[0].drafts)
        self._receiver(code, offset, **facts)

    def _read_token(self, first: str) -> str | None:
        """Parses one token; returns the result if it is one."""
        if first == "{":
            self._read_comment()
        elif first == "(":
            self._open_variation()
        elif first == ")":
            self._close_variation()
        elif number := _NUMBER.match(self._text, self.position, self._end):
            self._check_no_loose_number()
            self._lines[-1].written_number = number.group(1), self.position
            self.position = number.end()
        elif word := _WORD.match(self._text, self.position, self._end):
            start, self.position = self.position, word.end()
            return self._read_word(word.group(), start)
        else:
            self._report("unexpected_token", self.position, found=first)
            self.position += 1
        return None

    def _read_comment(self) -> None:
        start = self.position + 1
        close = self._source.closing("}", start, self._end)
        if close is None:
            self._report("unclosed_comment", self.position)
            raise UnreadableGame
        self.position = close + 1
        undecoded = self._source.undecoded(start, close)
        if undecoded is not None:
            self._report("bad_encoding", undecoded)
            return
        try:
            comment = unquote(self._text[start:close])
        except BadEscape as bad:
            self._report("bad_escape", start + bad.offset, found=bad.found)
            return
        line = self._lines[-1]
        (line.last.comments if line.last else line.comments).append(comment)

    def _open_variation(self) -> None:
        line = self._lines[-1]
        self._check_no_loose_number()
        if line.last is None:
            self._report("variation_without_move", self.position)
            raise UnreadableGame
        if len(self._lines) > MAX_DEPTH:
            self._report("too_deep", self.position, limit=MAX_DEPTH)
            raise UnreadableGame
        self._lines.append(_ParsedLine(start=self.position, number=line.number))
        self.position += 1

    def _close_variation(self) -> None:
        self._check_no_loose_number()
        if len(self._lines) == 1:
            self._report("unopened_variation", self.position)
        else:
            line = self._lines.pop()
            if line.drafts:
                self._lines[-1].drafts[-1].variations.append(line)
            else:
                self._report("empty_variation", line.start)
        self.position += 1

    def _close_all(self) -> None:
        self._check_no_loose_number()
        if len(self._lines) > 1:
            self._report("unclosed_variation", self._lines[-1].start)
            del self._lines[1:]

    def _read_word(self, word: str, start: int) -> str | None:
        if word in RESULTS:
            return word
        if word == _PASS:
            self._check_no_loose_number()
            self._lines[-1].add(Draft(None, self._source.place(start)[0]))
        elif word in _STATUS:
            self._read_status(word, start)
        elif word.startswith("@"):
            self._read_clock(word, start)
        else:
            self._read_move(word, start)
        return None

    def _read_status(self, word: str, start: int) -> None:
        draft = self._lines[-1].last
        if draft is None or draft.move is None or draft.status is not Status.PLAYED:
            self._report("unexpected_token", start, found=word)
        else:
            draft.status = _STATUS[word]

    def _read_clock(self, word: str, start: int) -> None:
        draft = self._lines[-1].last
        match = _CLOCK.fullmatch(word)
        if match is None:
            self._report("bad_clock", start, found=word)
        elif draft is None or draft.move is None or draft.clock_ms is not None:
            self._report("unexpected_token", start, found=word)
        else:
            hours, minutes, seconds, ms = (int(group or 0) for group in match.groups())
            draft.clock_ms = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms

    def _read_move(self, word: str, start: int) -> None:
        text, mark, call = word.partition("!")
        if mark and call not in ("1", "2"):
            self._report("bad_call", start + len(text), found=mark + call)
            call = ""
        captures: tuple[Square, ...] | None = None
        try:
            move, captures = parse_move("" if _CAPTURE_MARK.match(text) else encodable(text))
        except IllegalMove as error:
            self._report(error.code, start, text=text)
            move = _UNREADABLE
        line = self._lines[-1]
        self._check_number(line)
        line.add(Draft(move, self._source.place(start)[0], captures or (), int(call or 0)))

    def _check_number(self, line: _ParsedLine) -> None:
        """Compares the written number, if there is one, with the number of the ply."""
        if line.written_number is not None:
            written, at = line.written_number
            line.written_number = None
            if written != str(line.next_number):
                self._report("wrong_number", at, found=written, expected=line.next_number)

    def _check_no_loose_number(self) -> None:
        """Reports a number that no move follows; a comment may stand between them."""
        line = self._lines[-1]
        if line.written_number is not None:
            written, at = line.written_number
            line.written_number = None
            self._report("unexpected_token", at, found=f"{written}.")
