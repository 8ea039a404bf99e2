"""Games and rules as other programs write them: recognised, read and written (docs/formats.md)."""

from hnefi.formats.face import Format, Gap, ReadOptions, Sheet, Written
from hnefi.formats.registry import FORMATS, FormatError, find_format, read_games, recognise
from hnefi.formats.telling import explain_gap

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
