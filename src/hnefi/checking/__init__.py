"""Recorded games, one or a million, checked against rules (docs/guide/recorded-games.md)."""

from hnefi.checking.checker import CheckedGame, Checker, GameLocation, Tally
from hnefi.checking.findings import BROKEN, FAULTS, REMARKS, CheckResult, Finding, FindingKind
from hnefi.checking.game_check import check, unclaimed

__all__ = [
    "BROKEN",
    "FAULTS",
    "REMARKS",
    "CheckResult",
    "CheckedGame",
    "Checker",
    "Finding",
    "FindingKind",
    "GameLocation",
    "Tally",
    "check",
    "unclaimed",
]
