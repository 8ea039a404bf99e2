"""Faults of the text of a file: where it is not UTF-8, and where it is not TOML or JSON."""

import json
import re
from collections.abc import Callable
from typing import Any

from hnefi.errors import Fault, shorten

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_MOST_PARTS = 32
"""The most parts of a dotted key: the time and memory of `tomllib` grow with their square."""
_PART = r"""(?:[\w-]++|"(?:\\.|[^"\\\n])*+"?|'[^'\n]*+'?)"""
_DOT = r"[ \t]*+\.[ \t]*+"
# Texts of several lines, comments, and the parts of keys; each begins where the one before it ended.
_TOKEN = re.compile(
    rf'''"""(?:\\.|(?!""").)*+"{{0,5}}|\'{{3}}(?:(?!\'{{3}}).)*+\'{{0,5}}|\#[^\n]*+|'''
    rf"{_PART}(?:{_DOT}{_PART}){{0,{_MOST_PARTS - 1}}}+({_DOT}{_PART})?",
    re.DOTALL | re.ASCII,
)


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


def parse_toml(text: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Parses a TOML text of a user; its values can be written as JSON, dates as text.

    Raises:
        ValueError: If it is not TOML, or has a number of over 4,300 digits or a key of over 32 parts.
        RecursionError: If it has too many brackets within brackets.
    """
    import tomllib

    for token in _TOKEN.finditer(text):
        if token[1]:
            line, column = place_in(text, token.start(1))
            raise ValueError(f"Too many parts of a key (at line {line}, column {column})")
    data = tomllib.loads(text, parse_float=parse_float)
    # Hexadecimal integers may have more digits than Python converts to text, and `json` raises for them.
    json.dumps(data, default=str)
    return data


def json_facts(error: Exception) -> dict[str, object]:
    """Returns the facts of an error of reading JSON: `why`, or `part` and a place if there is one."""
    if isinstance(error, OSError):
        return {"why": error}
    if isinstance(error, UnicodeDecodeError):
        line, column = encoding_place(error)
        return {"part": "encoding", "line": line, "column": column}
    if isinstance(error, json.JSONDecodeError):
        return {"part": "text", "line": error.lineno, "column": error.colno, "found": error.msg}
    return {"part": "text", "line": "-", "found": error}


def toml_fault(error: Exception, text: str) -> Fault:
    """Returns the fault of a text that is not TOML, with a place if the parser names one.

    >>> try:
    ...     parse_toml("size = 7\\nstart =")
    ... except ValueError as error:
    ...     print(toml_fault(error, "size = 7\\nstart =").facts)
    {'line': '2', 'column': '8'}
    """
    words = str(error)
    facts = {}
    if found := _PLACE.search(words):
        line, column = found.groups() if found[1] else place_in(text)
        facts = {"line": str(line), "column": str(column)}
    return Fault("bad_toml", "-", shorten(words, 200), "TOML", facts=facts)
