"""Games and rules as other programs write them: recognised, read and written (docs/reference/formats.md)."""

from hnefi.formats.face import Format, ReadOptions, Sheet, Written
from hnefi.formats.gaps import Gap, explain_gap
from hnefi.formats.registry import FORMATS, FormatError, find_format, read_games, recognise

__all__ = [
    "FORMATS",
    "Format",
    "FormatError",
    "Gap",
    "ReadOptions",
    "Sheet",
    "Written",
    "explain_gap",
    "find_format",
    "read_games",
    "recognise",
]
