"""Faults of the text of a file: where it is not UTF-8, and where it is not TOML."""

import re

from hnefi.errors import Fault, shorten

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def place_in(text: str, offset: int | None = None) -> tuple[int, int]:
    """Returns line and column of an offset, both from 1; those of the end of the text without one.

    >>> place_in("one\\ntwo", 5)
    (2, 2)
    """
    before = text[:offset]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def encoding_place(error: UnicodeDecodeError) -> tuple[int, int]:
    """Returns line and column of the first byte that is not UTF-8."""
    return place_in(error.object[: error.start].decode("utf-8", "replace"))


def encoding_fault(error: UnicodeDecodeError, path: str = "-") -> Fault:
    """Returns the fault of a text that is not UTF-8."""
    line, column = encoding_place(error)
    facts = {"line": str(line), "column": str(column)}
    return Fault("bad_encoding", path, str(error.start), "UTF-8", facts=facts)


def toml_fault(error: Exception, text: str) -> Fault:
    """Returns the fault of a text that is not TOML, with a place if the parser names one.

    >>> import tomllib
    >>> try:
    ...     tomllib.loads("size = 7\\nstart =")
    ... except tomllib.TOMLDecodeError as error:
    ...     print(toml_fault(error, "size = 7\\nstart =").facts)
    {'line': '2', 'column': '8'}
    """
    words = str(error)
    facts = {}
    if found := _PLACE.search(words):
        line, column = found.groups() if found[1] else place_in(text)
        facts = {"line": str(line), "column": str(column)}
    return Fault("bad_toml", "-", shorten(words, 200), "TOML", facts=facts)
