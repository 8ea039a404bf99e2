"""File formats for games and rules: recognise, read, write (docs/reference/formats.md)."""

from hnefi.formats.findings import BROKEN, FAULTS, REMARKS, CheckResult, Finding, FindingKind
from hnefi.formats.format import Format, ReadOptions, Written
from hnefi.formats.game_check import check, unclaimed
from hnefi.formats.gaps import Gap, explain_gap, merge_headers
from hnefi.formats.raw_game import RawGame
from hnefi.formats.registry import FORMATS, FormatError, find_format, read_games, recognise
from hnefi.formats.suite import SuiteEntry, SuiteReading, format_suite, parse_suite

__all__ = [
    "BROKEN",
    "FAULTS",
    "FORMATS",
    "REMARKS",
    "CheckResult",
    "Finding",
    "FindingKind",
    "Format",
    "FormatError",
    "Gap",
    "RawGame",
    "ReadOptions",
    "SuiteEntry",
    "SuiteReading",
    "Written",
    "check",
    "explain_gap",
    "find_format",
    "format_suite",
    "merge_headers",
    "parse_suite",
    "read_games",
    "recognise",
    "unclaimed",
]
