"""The scanner of record texts: finds tokens, and the line and column of an offset."""

import re

_UNDECODED = re.compile("[\ud800-\udfff]")
_VISIBLE = re.compile(r"\S")
_STOPS = {'"': re.compile(r'["\\]'), "}": re.compile(r"[}\\]")}


class RecordText:
    """A scanner over the text of records, with normalised line ends and the line and column of an offset."""

    def __init__(self, text: str | bytes, line: int = 1) -> None:
        decoded = text.decode("utf-8", "surrogateescape") if isinstance(text, bytes) else text
        self.text = decoded.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self._offset = 0
        self._line = line
        self._line_start = 0

    def place(self, offset: int) -> tuple[int, int]:
        """Returns line and column, both from 1. Linear in the distance from the previous offset."""
        if offset >= self._offset:
            lines = self.text.count("\n", self._offset, offset)
        else:
            lines = -self.text.count("\n", offset, self._offset)
        if lines:
            self._line_start = self.text.rfind("\n", 0, offset) + 1
        self._line += lines
        self._offset = offset
        return self._line, offset - self._line_start + 1

    def header_follows(self, offset: int) -> bool:
        """Checks whether a header begins here: `[` in the first column."""
        return self.text.startswith("[", offset) and (offset == 0 or self.text[offset - 1] == "\n")

    def next_header(self, offset: int) -> int:
        """Returns the offset of the next header line, or of the end of the text."""
        found = self.text.find("\n[", offset)
        return len(self.text) if found < 0 else found + 1

    def after_blank(self, offset: int, end: int | None = None) -> int:
        """Returns the offset of the next non-blank character; `end` if there is none."""
        found = _VISIBLE.search(self.text, offset, len(self.text) if end is None else end)
        return found.start() if found else len(self.text) if end is None else end

    def end_of_line(self, offset: int) -> int:
        """Returns the offset of the line end, or of the end of the text."""
        found = self.text.find("\n", offset)
        return len(self.text) if found < 0 else found

    def closing(self, mark: str, start: int, end: int) -> int | None:
        """Returns the offset of the quote or brace that closes a text; None if there is none before `end`."""
        while found := _STOPS[mark].search(self.text, start, end):
            if found.group() == mark:
                return found.start()
            start = found.end() + 1
        return None

    def undecoded(self, start: int, end: int) -> int | None:
        """Returns the offset of the first byte that is not UTF-8; None if all are."""
        match = _UNDECODED.search(self.text, start, end)
        return None if match is None else match.start()
